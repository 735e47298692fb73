import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DialectName } from './dialects/dialects.ts';
import { generateQuery } from './generate.ts';
import type { QueryStructure } from './structure.ts';

const orders: QueryStructure['table'] = {
  schema: 'main',
  name: 'orders',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'region', type: 'text' },
    { name: 'amount', type: 'decimal' },
    { name: 'ordered_on', type: 'date' },
    { name: 'paid_at', type: 'instant' },
    { name: 'customer_id', type: 'integer' },
  ],
};

/** Returns the SQL of a query of orders, without the indentation of the source. */
function sqlOf(structure: Omit<QueryStructure, 'table'>, dialect: DialectName = 'duckdb'): string {
  const schema = dialect === 'duckdb' ? 'main' : 'public';
  const generated = generateQuery({ table: { ...orders, schema }, ...structure }, dialect);
  return 'query' in generated ? generated.query.sql : JSON.stringify(generated.faults);
}

const [region, amount, orderedOn, paidAt] = ['region', 'amount', 'ordered_on', 'paid_at'].map((name) => ({
  name,
})) as [{ name: string }, { name: string }, { name: string }, { name: string }];

/** The SQL for DuckDB, and for PostgreSQL where that differs. */
const cases: readonly [
  name: string,
  structure: Omit<QueryStructure, 'table'>,
  duckdb: string,
  postgresql?: string,
][] = [
  [
    'the rows of a table',
    { limit: 100 },
    'SELECT id, region, amount, ordered_on, paid_at, customer_id\nFROM orders\nLIMIT 100',
  ],
  [
    'a number of rows',
    { measures: [{ name: 'orders', aggregate: 'count' }] },
    'SELECT count(*) AS orders\nFROM orders',
  ],
  [
    'a summary by month in a region',
    {
      filters: [{ column: region, operator: 'is', values: ['North'] }],
      groups: [{ column: orderedOn, granularity: 'month', name: 'month' }],
      measures: [
        { name: 'orders', aggregate: 'count' },
        { name: 'revenue', aggregate: 'sum', column: amount },
      ],
      sort: [{ name: 'revenue', isDescending: true }],
    },
    `SELECT
  date_trunc('month', ordered_on)::DATE AS month,
  count(*) AS orders,
  sum(amount) AS revenue
FROM orders
WHERE region = {{region}}
GROUP BY 1
ORDER BY revenue DESC`,
    `SELECT
  date_trunc('month', ordered_on)::DATE AS month,
  count(*) AS orders,
  sum(amount) AS revenue
FROM orders
WHERE region = {{region}}
GROUP BY 1
ORDER BY revenue DESC NULLS LAST`,
  ],
  [
    'the last three months in a time zone',
    {
      timeZone: 'Europe/Berlin',
      filters: [{ column: paidAt, operator: 'relative', direction: 'last', count: 3, unit: 'month' }],
      groups: [{ column: paidAt, granularity: 'day' }],
    },
    `SELECT (paid_at AT TIME ZONE 'Europe/Berlin')::DATE AS paid_at
FROM orders
WHERE paid_at >= (date_trunc('month', now() AT TIME ZONE 'Europe/Berlin') - INTERVAL '3 months') AT TIME ZONE 'Europe/Berlin'
  AND paid_at < date_trunc('month', now() AT TIME ZONE 'Europe/Berlin') AT TIME ZONE 'Europe/Berlin'
GROUP BY 1
ORDER BY 1`,
  ],
];

describe('the SQL of', () => {
  for (const [name, structure, duckdb, postgresql = duckdb] of cases) {
    test(name, () => {
      assert.equal(sqlOf(structure), duckdb);
      assert.equal(sqlOf(structure, 'postgresql'), postgresql);
    });
  }
});
