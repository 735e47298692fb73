import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { MarkValues } from '#shared/query-builder/drill/marks.ts';
import { rowsBehind } from '#shared/query-builder/drill/rows.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { Group, QueryStructure } from '#shared/query-builder/structure.ts';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine, type QueryEngine } from '../../engine/query-engine.ts';

const sandbox = await testSandbox();

/** Rows around the edges of groups: midnights, ends of months and years, the change of clocks, negative numbers, and nulls. */
const rows = `SELECT region, amount::DECIMAL(10, 2) AS amount, day::DATE AS day, moment::TIMESTAMPTZ AS moment FROM (VALUES
  ('north', '10.5', '2026-03-01', '2026-03-29 00:59:59+00'),
  ('north', '-0.5', '2026-02-28', '2026-03-29 01:00:00+00'),
  ('south', '0', '2025-12-31', '2025-10-26 00:30:00+00'),
  ('south', '10', '2026-01-01', '2025-10-26 01:30:00+00'),
  ('', '9.99', '2026-03-31', '2025-12-31 22:59:59.999999+00'),
  ('it''s "odd" {{x}}', '-10', '2026-04-01', '2025-12-31 23:00:00+00'),
  (NULL, NULL, NULL, NULL),
  (NULL, '10.5', '2026-03-01', '2024-02-29 12:00:00+00')
) AS v (region, amount, day, moment)`;

const [region, amount, day, moment] = ['region', 'amount', 'day', 'moment'].map((name) => ({ name })) as [
  { name: string },
  { name: string },
  { name: string },
  { name: string },
];
const group = fc.oneof(
  fc.constant<Group>({ column: region }),
  fc
    .constantFrom(undefined, 0.5, 1, 10)
    .map((binWidth): Group => ({ column: amount, ...(binWidth !== undefined && { binWidth }) })),
  fc
    .constantFrom('day', 'week', 'month', 'quarter', 'year', 'day_of_week', 'month_of_year', undefined)
    .map((granularity): Group => ({ column: day, ...(granularity && { granularity }) })),
  fc
    .constantFrom('minute', 'hour', 'day', 'week', 'month', 'year', 'hour_of_day', undefined)
    .map((granularity): Group => ({ column: moment, ...(granularity && { granularity }) })),
);
const structures = fc.record({
  groups: fc.uniqueArray(group, { maxLength: 3, selector: ({ column }) => column.name }),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  weekStart: fc.constantFrom('monday', 'sunday', 'saturday'),
  filters: fc.constantFrom([], [{ column: region, operator: 'is_not', values: ['south'] } as const]),
});

type Source = Parameters<QueryEngine['run']>[0]['source'];

/** The row of a table of `rows` on each engine. */
const sources = {
  duckdb: (context: TestContext): Promise<Source> => makeFilesSource(context, { sales: rows }),
  postgresql: async (context: TestContext): Promise<Source> =>
    (await makePostgresqlSource(context, `CREATE TABLE sales AS ${rows}`)).source,
} as const;

describe('the number of the rows behind a count is the count', () => {
  for (const [dialect, open] of [
    ['duckdb', sources.duckdb],
    ['postgresql', sources.postgresql],
  ] as const) {
    test(`with ${dialect}`, async (context) => {
      const engine = createQueryEngine({ sandbox });
      context.after(() => engine.close());
      const source = await open(context);

      async function run(structure: QueryStructure): Promise<{ names: string[]; rows: unknown[][] }> {
        const generated = generateQuery(structure, dialect);
        assert.ok('query' in generated, JSON.stringify(generated));
        const { sql, parameters, columns } = generated.query;
        const bound = parameters.map(({ name, type, default: value }) => ({ name, type, value }));
        const { rowsJson } = await engine.run({ organizationId: 'one', source, sql, parameters: bound });
        return {
          names: columns.map(({ name }) => name),
          rows: JSON.parse(Buffer.from(rowsJson).toString()) as unknown[][],
        };
      }

      await fc.assert(
        fc.asyncProperty(structures, async (choice) => {
          const structure: QueryStructure = {
            ...choice,
            table: {
              schema: dialect === 'duckdb' ? 'main' : 'public',
              name: 'sales',
              columns: [
                { name: 'region', type: 'text' },
                { name: 'amount', type: 'decimal' },
                { name: 'day', type: 'date' },
                { name: 'moment', type: 'instant' },
              ],
            },
            measures: [{ name: 'n', aggregate: 'count' }],
          };
          const { names, rows } = await run(structure);
          const marks = rows.map((row): MarkValues =>
            Object.fromEntries(names.slice(0, -1).map((name, index) => [name, row[index]])),
          );
          const counts = rows.map((row) => Number(row.at(-1)));
          const countBehind = async (chosen: readonly MarkValues[]) => {
            const drilled = rowsBehind(structure, dialect, chosen);
            assert.ok('structure' in drilled, JSON.stringify([structure, chosen, drilled]));
            return (await run(drilled.structure)).rows.length;
          };
          const [first] = marks;
          if (first !== undefined) assert.equal(await countBehind([first]), counts[0]);
          const total = counts.reduce((sum, count) => sum + count, 0);
          assert.equal(await countBehind(marks), total, 'all marks');
          if (marks.length > 2)
            assert.equal(await countBehind(marks.slice(1)), total - (counts[0] ?? 0), 'all but the first');
        }),
        { numRuns: 60 },
      );
    });
  }
});
