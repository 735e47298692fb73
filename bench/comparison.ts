import type { Drive, Measurement, Target } from './load-generator.ts';
import type { LoadRequest } from './requests.ts';

/** What is sent where. */
export interface Side {
  readonly target: Target;
  readonly requests: readonly LoadRequest[];
}

/** One thing to compare with another. */
export interface Pair {
  readonly name: string;
  readonly subject: Side;
  readonly base: Side;
}

export interface Comparison {
  readonly name: string;
  readonly subject: readonly Measurement[];
  readonly base: readonly Measurement[];
  /** For each round the speed of the subject divided by that of the base. */
  readonly ratios: readonly number[];
}

/**
 * Measures all pairs round after round, in each the base and right behind it the subject: whatever else the machine
 * does slows both, and their ratio stays. A first round, which warms up, does not count.
 */
export async function compareInTurn(
  drive: Drive,
  pairs: readonly Pair[],
  { connections, seconds, rounds }: { connections: number; seconds: number; rounds: number },
): Promise<Comparison[]> {
  const driveSide = ({ target, requests }: Side) =>
    drive(target, { connections, requests, until: { seconds } });
  const comparisons = pairs.map(({ name }) => ({
    name,
    subject: [] as Measurement[],
    base: [] as Measurement[],
    ratios: [] as number[],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, pair] of pairs.entries()) {
      const base = await driveSide(pair.base);
      const subject = await driveSide(pair.subject);
      if (round === 0) continue;
      comparisons[index]?.base.push(base);
      comparisons[index]?.subject.push(subject);
      comparisons[index]?.ratios.push(subject.requestsPerSecond / base.requestsPerSecond);
    }
  }
  return comparisons;
}
