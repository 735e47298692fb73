import type { Owner } from '../support/endings.ts';

/** One kind of fault, provoked for real. Throws when what Atrium promises did not hold. */
export interface Scenario {
  /** The word that `npm run test:faults -- WORD` selects it by. */
  readonly name: string;
  /** What is done to the server, as a line of the results says it. */
  readonly fault: string;
  /** Programs of the machine without which the fault cannot be provoked. */
  readonly programs?: readonly string[];
  /** Whether the fault can be provoked by root only. */
  readonly needsRoot?: boolean;
  run(owner: Owner, seed: number): Promise<Outcome>;
}

export interface Outcome {
  /** What was tried and what was seen, in one or two sentences. */
  readonly seen: string;
  /** Writes that the server acknowledged, and how many of these were gone afterwards: 0, or the scenario throws. */
  readonly acknowledgedCount: number;
}
