import type { LoadRequest } from '../load/requests.ts';
import { median, type Bench } from '../section.ts';
import { atMost, compare, timeColumns, type Part } from './part.ts';
import type { ReportServer } from './server.ts';

/** A query, and the request for which the server runs it. */
interface RequestedQuery {
  readonly name: string;
  readonly query: string;
  readonly request: LoadRequest;
  /** How often it runs in a round. */
  readonly count: number;
}

/** Measures each query separately, from one client, on a worker that has the table open. */
export async function compareQueries(
  { server, direct }: ReportServer,
  bench: Bench,
  queries: readonly RequestedQuery[],
): Promise<Part> {
  const measured = [];
  for (const { name, query, request, count } of queries) {
    const directMs: number[] = [];
    const serverMs: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      const times = await direct.do({ kind: 'time', queries: [query], count });
      const until = { requestCount: count };
      const { latencyMs } = await bench.drive(server, { connections: 1, requests: [request], until });
      if (round === 0) continue;
      directMs.push(median(times.flat()));
      serverMs.push(latencyMs.p50);
    }
    measured.push({ name, ...compare(directMs, serverMs) });
  }
  return {
    rows: measured.map((one) => ({ what: one.name, ...timeColumns(one) })),
    goals: measured.map(({ name, ratios }) => atMost(`${name}, of DuckDB's time`, median(ratios), 1.3)),
    details: measured,
  };
}
