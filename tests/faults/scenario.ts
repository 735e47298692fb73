import type { Owner } from '../support/endings.ts';

/** One kind of fault that is injected into a real server. Throws if Atrium broke a promise. */
export interface Scenario {
  /** The name to run only this fault: `npm run test:faults -- NAME`. */
  readonly name: string;
  /** The fault, as the table of results shows it. */
  readonly fault: string;
  /** Programs that must be installed to inject the fault. */
  readonly programs?: readonly string[];
  /** Whether only root can inject the fault. */
  readonly needsRoot?: boolean;
  run(owner: Owner, seed: number): Promise<Outcome>;
}

export interface Outcome {
  /** What was tested and how the server behaved, in one or two sentences. */
  readonly result: string;
  /** How many writes the server acknowledged. If one of them is lost, the scenario throws. */
  readonly acknowledgedCount: number;
}
