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
  [
    'a custom column that is used twice',
    {
      customColumns: [{ name: 'net', formula: 'round([amount] / 1.19, 2)' }],
      filters: [{ formula: '[net] > 100 and not is_empty([region])' }],
      groups: [{ column: region }],
      measures: [{ name: 'Net revenue', aggregate: 'formula', formula: 'sum([net])' }],
      limit: 10,
    },
    `WITH orders_with_net AS (
  SELECT
    *,
    round(amount / 1.19, 2) AS net
  FROM orders
)
SELECT
  region,
  sum(net) AS "Net revenue"
FROM orders_with_net
WHERE net > 100
  AND NOT (region IS NULL OR region = '')
GROUP BY 1
ORDER BY 1
LIMIT 10`,
    `WITH orders_with_net AS (
  SELECT
    *,
    round((amount / 1.19)::NUMERIC, 2)::FLOAT8 AS net
  FROM orders
)
SELECT
  region,
  sum(net) AS "Net revenue"
FROM orders_with_net
WHERE net > 100
  AND NOT (region IS NULL OR region = '')
GROUP BY 1
ORDER BY 1
LIMIT 10`,
  ],
  [
    'the change from the previous month in each region',
    {
      groups: [{ column: orderedOn, granularity: 'month', name: 'month' }, { column: region }],
      measures: [
        { name: 'revenue', aggregate: 'sum', column: amount },
        { name: 'growth', aggregate: 'sum', column: amount, comparison: 'percent_change' },
      ],
    },
    `WITH orders_by_month_and_region AS (
  SELECT
    date_trunc('month', ordered_on)::DATE AS month,
    region,
    sum(amount) AS revenue
  FROM orders
  GROUP BY 1, 2
)
SELECT
  month,
  region,
  revenue,
  CASE WHEN lag(month) OVER periods = month - INTERVAL '1 month' THEN revenue / nullif(lag(revenue) OVER periods, 0) - 1 END AS growth
FROM orders_by_month_and_region
WINDOW periods AS (PARTITION BY region ORDER BY month)
ORDER BY 1, 2`,
  ],
  [
    'the regions with many orders, by ranges of their amounts and weeks that start on Sunday',
    {
      weekStart: 'sunday',
      filters: [
        { column: region, operator: 'is', values: ['North', 'South'], isOptional: true },
        { column: orderedOn, operator: 'between', from: '2026-01-01', to: '2026-01-31', parameter: 'day' },
        { column: amount, operator: 'in_group', binWidth: 10, value: 20 },
      ],
      groups: [
        { column: amount, binWidth: 0.1, name: 'Amount' },
        { column: orderedOn, granularity: 'week', name: 'week' },
      ],
      measures: [
        { name: 'median', aggregate: 'median', column: amount },
        { name: 'orders', aggregate: 'count' },
      ],
      resultFilters: [{ column: { name: 'orders' }, operator: 'between', from: 5 }],
    },
    `SELECT
  floor(amount * 10) / 10 AS "Amount",
  date_trunc('week', ordered_on + 1)::DATE - 1 AS week,
  median(amount::DOUBLE) AS median,
  count(*) AS orders
FROM orders
WHERE ({{region}} IS NULL OR region = ANY ({{region}}))
  AND ordered_on BETWEEN {{day_from}} AND {{day_to}}
  AND amount >= {{amount}}
  AND amount < {{amount}} + 10
GROUP BY 1, 2
HAVING count(*) >= {{orders_from}}
ORDER BY 1, 2`,
    `SELECT
  floor(amount * 10) / 10 AS "Amount",
  date_trunc('week', ordered_on + 1)::DATE - 1 AS week,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median,
  count(*) AS orders
FROM orders
WHERE ({{region}} IS NULL OR region = ANY ({{region}}))
  AND ordered_on BETWEEN {{day_from}} AND {{day_to}}
  AND amount >= {{amount}}
  AND amount < {{amount}} + 10
GROUP BY 1, 2
HAVING count(*) >= {{orders_from}}
ORDER BY 1, 2`,
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

test('every fault of a structure is reported, with its place', () => {
  const generated = generateQuery(
    {
      table: { ...orders, schema: 'public' },
      joins: [
        { kind: 'left', table: orders, as: 'Orders', on: [{ left: { name: 'nothing' }, right: 'id' }] },
      ],
      customColumns: [
        { name: 'region', formula: '1 +' },
        { name: 'x', formula: '[region] + 1' },
      ],
      filters: [
        { column: { table: 'nowhere', name: 'id' }, operator: 'is', values: [1] },
        { column: amount, operator: 'contains', text: 'x' },
        { column: orderedOn, operator: 'between', from: '2026-02-30' },
        { column: region, operator: 'is', values: [], parameter: '1st' },
        { column: orderedOn, operator: 'relative', direction: 'this', count: 2, unit: 'hour' },
      ],
      groups: [{ column: amount, granularity: 'month' }],
      measures: [
        { name: '', aggregate: 'sum', column: region },
        { name: 'Count', aggregate: 'count', comparison: 'change' },
        { name: 'count', aggregate: 'count' },
      ],
      resultFilters: [{ column: { name: 'missing' }, operator: 'is_empty' }],
      sort: [{ name: 'missing' }],
      limit: 0.5,
      timeZone: 'Europe/Atlantis',
    },
    'postgresql',
  );
  assert.deepEqual(
    'faults' in generated && generated.faults.map(({ pointer, message }) => `${pointer} ${message}`),
    [
      '/timeZone The time zone “Europe/Atlantis” doesn’t exist.',
      '/limit The limit must be a whole number from 1 to 1,000,000.',
      '/joins/0/as Another table of the query is also called “Orders”.',
      '/joins/0/on/0/left The column “nothing” doesn’t exist.',
      '/customColumns/0/name There is already a column “region”.',
      '/customColumns/0/formula The formula isn’t complete: a value is missing here.',
      '/customColumns/1/formula “+” needs numbers, not text. Use concat to join texts.',
      '/filters/0/column The column “nowhere.id” doesn’t exist.',
      '/filters/1/operator The filter “contains” doesn’t fit a column of the type decimal.',
      '/filters/2/from The value must be a date such as 2026-01-31.',
      '/filters/3/parameter The name of a parameter has up to 63 letters, digits and _, and doesn’t start with a digit.',
      '/filters/4/count With “this”, the count is 1.',
      '/filters/4/unit A date has no time: choose days or a longer unit.',
      '/groups/0/granularity Only dates and times have units such as months.',
      '/measures/0/name Enter a name.',
      '/measures/0/column A column of the type text has no sum.',
      '/measures/2/name Another column of the result is also called “count”.',
      '/measures/1/comparison Group the rows by dates or times to compare periods.',
      '/sort/0/name The result has no column “missing”.',
      '/resultFilters/0/column The column “missing” doesn’t exist.',
    ],
  );
});
