import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { previewReport } from '../load/requests.ts';
import { median, type Bench } from '../section.ts';
import { atMost, compare, timeColumns, type Part } from './part.ts';
import type { ReportServer } from './server.ts';

const count = 3;

/** What someone sees of the orders while building a query, without a filter, since DuckDB itself runs the same text. */
const structures: Readonly<Record<string, Omit<QueryStructure, 'table'>>> = {
  'preview: orders by region': {
    groups: [{ column: { name: 'region' } }],
    measures: [
      { name: 'Orders', aggregate: 'count' },
      { name: 'Total amount', aggregate: 'sum', column: { name: 'amount' } },
    ],
    sort: [{ name: 'Total amount', isDescending: true }],
    limit: 100,
  },
  'preview: orders by month and region': {
    groups: [{ column: { name: 'ordered_at' }, granularity: 'month' }, { column: { name: 'region' } }],
    measures: [{ name: 'Average amount', aggregate: 'average', column: { name: 'amount' } }],
    sort: [{ name: 'ordered_at' }],
    limit: 100,
  },
};

const table: QueryStructure['table'] = {
  schema: 'main',
  name: 'orders',
  columns: [
    { name: 'ordered_at', type: 'datetime' },
    { name: 'region', type: 'text' },
    { name: 'amount', type: 'decimal' },
  ],
};

/** Measures the previews of queries that group all orders, each separately, on a worker that has the table open. */
export async function measurePreviews(subject: ReportServer, bench: Bench): Promise<Part> {
  const { server, account, direct, dataSourceId } = subject;
  const measured = [];
  for (const [name, steps] of Object.entries(structures)) {
    const generated = generateQuery({ table, ...steps }, 'duckdb');
    if ('faults' in generated) throw new Error(`${name} has a fault.`);
    const { sql } = generated.query;
    const requests = [previewReport(account, { name, dataSourceId, query: sql })];
    const directMs: number[] = [];
    const serverMs: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      const times = await direct.do({ kind: 'time', queries: [sql], count });
      const { latencyMs } = await bench.drive(server, {
        connections: 1,
        requests,
        until: { requestCount: count },
      });
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
