import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { endAll } from '../support/endings.ts';
import { openTpchOffice, type TpchOffice } from './office.ts';
import { readTpchQueries, type TpchQuery } from './queries.ts';

interface Result {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

const queries = await readTpchQueries();

describe('the queries of TPC-H', () => {
  let office: TpchOffice;
  const endings: (() => unknown)[] = [];
  before(async () => {
    office = await openTpchOffice({ after: (work) => void endings.push(work as () => unknown) });
  });
  after(() => endAll(endings));

  test('are 22', () => assert.equal(queries.length, 22));

  for (const query of queries) {
    test(`${query.name} has the same result in PostgreSQL and in uploaded files`, async () => {
      const expected = await runReport(office, office.postgresql, query);
      assert.ok(expected.rows.length > 0 && expected.rows.flat().every((value) => value !== null));
      const values = Object.fromEntries(query.parameters.map(({ name, default: value }) => [name, value]));
      const parquet = await runReport(office, office.parquet, query, values);
      assert.deepEqual(typesOf(parquet), typesOf(expected));
      assert.deepEqual(differences(parquet, expected), []);
      const csv = await runReport(office, office.csv, query);
      // CSV doesn't distinguish exact amounts from measurements.
      const detected = typesOf(expected).map(([name, type]) => [name, type === 'decimal' ? 'double' : type]);
      assert.deepEqual(typesOf(csv), detected);
      assert.deepEqual(differences(csv, expected), []);
    });
  }
});

/** Runs a query as a report, twice, since the second run reuses the prepared statement. Parameters without a value have their defaults. */
async function runReport(
  { server, owner, organizationId }: TpchOffice,
  dataSourceId: string,
  { name, sql, parameters }: TpchQuery,
  values: object = {},
): Promise<Result> {
  const created = await server.call('POST /api/reports', {
    as: owner,
    body: { organizationId, name, dataSourceId, query: sql, parameters },
  });
  assert.equal(created.status, 201, created.text);
  const run = () =>
    server.call(`POST /api/reports/${created.body.id}/run`, {
      as: owner,
      body: { parameters: values, isForced: true },
    });
  await run();
  const ran = await run();
  assert.equal(ran.status, 200, ran.text);
  assert.deepEqual([ran.body.rowCount, ran.body.isCutOff], [ran.body.rows.length, false]);
  return ran.body;
}

const typesOf = ({ columns }: Result): string[][] => columns.map(({ name, type }) => [name, type]);

/** Returns the values of a result that differ from the expected ones. Doubles may differ by rounding errors. */
function differences({ columns, rows }: Result, expected: Result): unknown[] {
  if (rows.length !== expected.rows.length) return [{ rows: rows.length, expected: expected.rows.length }];
  return rows.flatMap((row, index) =>
    row.flatMap((value, columnIndex) => {
      const wanted = expected.rows[index]?.[columnIndex];
      const type = columns[columnIndex]?.type;
      const isSame =
        type === 'double'
          ? Math.abs(Number(value) - Number(wanted)) <= 1e-9 * Math.abs(Number(wanted))
          : type === 'decimal' || type === 'integer'
            ? Number(value) === Number(wanted)
            : value === wanted;
      return isSame ? [] : [{ row: index, column: columns[columnIndex]?.name, value, wanted }];
    }),
  );
}
