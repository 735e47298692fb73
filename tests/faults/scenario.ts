import type { Owner } from '../support/endings.ts';

/** One kind of fault, provoked for real. Throws if Atrium broke a promise. */
export interface Scenario {
  /** The name that selects it: `npm run test:faults -- NAME`. */
  readonly name: string;
  /** What happens to the server, as shown in the results. */
  readonly fault: string;
  /** Programs that must be installed to provoke the fault. */
  readonly programs?: readonly string[];
  /** Whether only root can provoke the fault. */
  readonly needsRoot?: boolean;
  run(owner: Owner, seed: number): Promise<Outcome>;
}

export interface Outcome {
  /** What was tried and what was seen, in one or two sentences. */
  readonly seen: string;
  /** Writes that the server acknowledged, and how many of these were gone afterwards: 0, or the scenario throws. */
  readonly acknowledgedCount: number;
}
