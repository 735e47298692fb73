import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Selection } from '#shared/explore/axes.ts';
import { numberAxis, timeAxis } from '#shared/explore/plan.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import { resultReport } from './result-report.ts';
import { structureOf } from './table-report.ts';

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'amount', type: 'double' },
  { name: 'region', type: 'text' },
  { name: 'isOpen', type: 'boolean' },
  { name: 'seen', type: 'instant' },
  { name: 'day', type: 'date' },
] as const;
const table = { schema: 'main', name: 'orders', columns };
const selections: readonly Selection[] = [
  { kind: 'number', column: 'id', from: 10, to: 20 },
  { kind: 'number', column: 'amount', from: 0.5, to: 1.5 },
  { kind: 'values', column: 'region', values: ['north', null] },
  { kind: 'values', column: 'isOpen', values: [true] },
  { kind: 'time', column: 'seen', from: '2026-01-01T06:00:00', to: '2026-01-02T00:00:00' },
  { kind: 'time', column: 'day', from: '2026-01-01', to: '2026-02-01' },
];
const timeZone = 'Europe/Berlin';
const amounts = numberAxis('amount', { min: 0, max: 10, isInteger: false });

function generated(part: Partial<Parameters<typeof structureOf>[1]>) {
  const result = generateQuery(structureOf(table, { selections: [], timeZone, ...part }), 'duckdb');
  assert.ok('query' in result, JSON.stringify(result));
  const { sql, parameters } = result.query;
  return { sql, values: Object.fromEntries(parameters.map(({ name, default: value }) => [name, value])) };
}

test('the selected rows of a table become a built report, in which the end of a range is excluded', () => {
  const { sql, values } = generated({ selections });
  assert.match(sql, /id BETWEEN \{\{id_from\}\} AND \{\{id_to\}\}/);
  assert.match(sql, /amount >= \{\{amount_from\}\}\s+AND amount < \{\{amount_to\}\}/);
  assert.match(sql, /region = \{\{region\}\} OR region IS NULL/);
  assert.deepEqual(values, {
    id_from: 10,
    id_to: 19,
    amount_from: 0.5,
    amount_to: 1.5,
    region: 'north',
    isOpen: true,
    seen_from: '2026-01-01T06:00:00',
    seen_to: '2026-01-02T00:00:00',
    day_from: '2026-01-01',
    day_to: '2026-01-31',
  });
});

test('a chart of a table becomes a report with a row for each bar', () => {
  assert.match(generated({ chart: amounts }).sql, /count\(\*\) AS rows/);
  const times = timeAxis('day', { min: 0, max: 86_400 * 900, type: 'date' });
  assert.match(generated({ chart: times }).sql, /date_trunc\('month', day\)/);
  assert.match(
    generated({ chart: { kind: 'values', column: 'region', values: [] } }).sql,
    /ORDER BY rows DESC/,
  );
});

test('the selected rows of a report’s result become SQL with parameters of their own names', () => {
  const report = {
    query: 'SELECT * FROM t WHERE a = {{amount_from}}; -- all',
    parameters: [{ name: 'amount_from', type: 'number' as const, default: 1 }],
  };
  const { query, parameters } = resultReport(report, {
    columns,
    selections: selections.slice(1),
    timeZone,
    chart: amounts,
  });
  assert.equal(
    query,
    `SELECT
  floor(amount / 0.5) * 0.5 AS amount,
  count(*) AS rows
FROM (
SELECT * FROM t WHERE a = {{amount_from}}
) AS result
WHERE amount >= {{amount_from_2}} AND amount < {{amount_to}}
  AND (CAST(region AS text) = ANY ({{region}}) OR region IS NULL)
  AND "isOpen" = {{isOpen}}
  AND (seen AT TIME ZONE 'Europe/Berlin') >= {{seen_from}} AND (seen AT TIME ZONE 'Europe/Berlin') < {{seen_to}}
  AND day >= {{day_from}} AND day < {{day_to}}
GROUP BY 1
ORDER BY 1`,
  );
  assert.deepEqual(
    parameters.map(({ name, type, default: value }) => [name, type, value]),
    [
      ['amount_from', 'number', 1],
      ['amount_from_2', 'number', 0.5],
      ['amount_to', 'number', 1.5],
      ['region', 'list', ['north']],
      ['isOpen', 'boolean', true],
      ['seen_from', 'datetime', '2026-01-01T06:00:00'],
      ['seen_to', 'datetime', '2026-01-02T00:00:00'],
      ['day_from', 'date', '2026-01-01'],
      ['day_to', 'date', '2026-02-01'],
    ],
  );
});
