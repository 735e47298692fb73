import { median, type Goal, type Section } from '../section.ts';
import { formatRatios } from '../table.ts';

/** What a part of the benchmark of reports measured. */
export interface Part {
  readonly rows: Section['rows'];
  readonly goals: readonly Goal[];
  readonly details: unknown;
}

/** Times in DuckDB itself and at the server, in each round. */
interface Compared {
  readonly directMs: readonly number[];
  readonly serverMs: readonly number[];
  readonly ratios: readonly number[];
}

export const compare = (directMs: readonly number[], serverMs: readonly number[]): Compared => ({
  directMs,
  serverMs,
  ratios: serverMs.map((timeMs, round) => timeMs / (directMs[round] ?? NaN)),
});

export const timeColumns = ({ directMs, serverMs, ratios }: Compared): Record<string, string> => ({
  'DuckDB ms': median(directMs).toFixed(1),
  Atrium: median(serverMs).toFixed(1),
  ratio: formatRatios(ratios),
});

export const atMost = (what: string, value: number, bound: number): Goal => ({
  what,
  value,
  unit: '',
  bound: { atMost: bound },
});
