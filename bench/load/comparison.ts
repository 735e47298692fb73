import type { Drive, Measurement } from './generator.ts';
import type { Target } from '../server/process-usage.ts';
import type { LoadRequest } from './requests.ts';

/** The requests that are sent to a target. */
export interface Side {
  readonly target: Target;
  readonly requests: readonly LoadRequest[];
}

/** Something to compare with a base. */
export interface Pair {
  readonly name: string;
  readonly subject: Side;
  readonly base: Side;
}

export interface Comparison {
  readonly name: string;
  readonly subject: readonly Measurement[];
  readonly base: readonly Measurement[];
  /** The speed of the subject divided by that of the base, for each round. */
  readonly ratios: readonly number[];
}

/**
 * Measures all pairs in rounds, the two of a pair directly after each other: whatever else the machine does
 * slows both, and their ratio stays the same. Their order alternates, since the second one starts warmer.
 * A first round, which warms up, does not count.
 */
export async function compareInTurn(
  drive: Drive,
  pairs: readonly Pair[],
  { connections, seconds, rounds }: { connections: number; seconds: number; rounds: number },
): Promise<Comparison[]> {
  const driveSide = ({ target, requests }: Side) =>
    drive(target, { connections, requests, until: { seconds } });
  const measured = pairs.map((pair) => ({ pair, subject: [] as Measurement[], base: [] as Measurement[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of measured) {
      for (const side of round % 2 === 0 ? (['base', 'subject'] as const) : (['subject', 'base'] as const)) {
        const measurement = await driveSide(one.pair[side]);
        if (round > 0) one[side].push(measurement);
      }
    }
  }
  return measured.map(({ pair: { name }, subject, base }) => {
    const speeds = base.map(({ requestsPerSecond }) => requestsPerSecond);
    const ratios = subject.map(({ requestsPerSecond }, round) => requestsPerSecond / (speeds[round] ?? NaN));
    return { name, subject, base, ratios };
  });
}
