import type { Drive, Measurement } from './load-generator.ts';
import type { Target } from './process-usage.ts';
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
 * Measures all pairs round after round, in each the two right behind each other: whatever else the machine
 * does slows both, and their ratio stays. They change places every round, since the second has a warmer
 * start. A first round, which warms up, does not count.
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
