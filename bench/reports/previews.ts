import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { previewReport } from '../load/requests.ts';
import type { Bench } from '../section.ts';
import type { Part } from './part.ts';
import { compareQueries } from './queries.ts';
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

/** Measures the previews of queries that group all orders. */
export function measurePreviews(subject: ReportServer, bench: Bench): Promise<Part> {
  const { account, dataSourceId } = subject;
  const queries = Object.entries(structures).map(([name, steps]) => {
    const generated = generateQuery({ table, ...steps }, 'duckdb');
    if ('faults' in generated) throw new Error(`${name} has a fault.`);
    const { sql: query } = generated.query;
    return { name, query, count, request: previewReport(account, { name, dataSourceId, query }) };
  });
  return compareQueries(subject, bench, queries);
}
