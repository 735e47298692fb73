import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../query-engine.ts';
import type { SourceDescription } from '../source-description.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox });
after(() => engine.close());
const organizationId = 'one';

/** Values of a column that is exported as Parquet and imported again, and its type and values afterwards. */
type Case = readonly [values: readonly string[], sourceType: string, json: readonly string[]];

const postgresqlCases: Case[] = [
  [['true', 'NULL'], 'BOOLEAN', ['true', 'null']],
  [['9223372036854775807'], 'BIGINT', ['"9223372036854775807"']],
  [['1.10::numeric(10,2)', 'NULL::numeric(10,2)'], 'DECIMAL(10,2)', ['1.10', 'null']],
  [['12345678901234567890.123456789'], 'VARCHAR', ['"12345678901234567890.123456789"']],
  [["'NaN'::numeric(10,2)", '1.10::numeric(10,2)'], 'VARCHAR', ['"NaN"', '"1.10"']],
  [['1200::numeric(2,-2)'], 'DECIMAL(4,0)', ['1200']],
  [['0.001::numeric(2,3)'], 'DECIMAL(3,3)', ['0.001']],
  [["'NaN'::float8", '0.1'], 'DOUBLE', ['"NaN"', '0.1']],
  [["'a'::text", "''"], 'VARCHAR', ['"a"', '""']],
  [["DATE '12024-02-29'", "DATE '0044-03-15 BC'"], 'DATE', ['"+012024-02-29"', '"-000043-03-15"']],
  [["'infinity'::date"], 'DATE', ['"infinity"']],
  [["TIMESTAMP '12024-02-29 12:00:00.000001'"], 'TIMESTAMP', ['"+012024-02-29T12:00:00.000001"']],
  [["TIMESTAMP '294276-12-31'"], 'VARCHAR', ['"+294276-12-31T00:00:00"']],
  [["TIMESTAMPTZ '2024-02-29 12:00:00+02'"], 'TIMESTAMP WITH TIME ZONE', ['"2024-02-29T10:00:00Z"']],
  [["TIMETZ '12:00:00+05:30'"], 'VARCHAR', ['"12:00:00+05:30"']],
  [["INTERVAL '-1 second'"], 'VARCHAR', ['"PT-1S"']],
  [["'6f9619ff-8b86-d011-b42d-00c04fc964ff'::uuid"], 'UUID', ['"6f9619ff-8b86-d011-b42d-00c04fc964ff"']],
  [["'\\x00ff61'::bytea", "''"], 'BLOB', ['"AP9h"', '""']],
  [['ARRAY[1, NULL]'], 'VARCHAR', ['"[1,null]"']],
];

const duckdbCases: Case[] = [
  [['9223372036854775807::HUGEINT', 'NULL'], 'DECIMAL(38,0)', ['"9223372036854775807"', 'null']],
  [
    ['170141183460469231731687303715884105727', '1'],
    'VARCHAR',
    ['"170141183460469231731687303715884105727"', '"1"'],
  ],
  [['1::UHUGEINT'], 'DECIMAL(38,0)', ['1']],
  [['18446744073709551615::UBIGINT'], 'UBIGINT', ['"18446744073709551615"']],
  [['1.10'], 'DECIMAL(3,2)', ['1.10']],
  [["'12024-02-29'::DATE", "'infinity'::DATE"], 'DATE', ['"+012024-02-29"', '"infinity"']],
  [["TIMETZ '12:00:00+05:30'"], 'VARCHAR', ['"12:00:00+05:30"']],
  [
    ["INTERVAL '-1 second'", "INTERVAL '1 day 1 microsecond'"],
    'VARCHAR',
    ['"-00:00:01"', '"1 day 00:00:00.000001"'],
  ],
  [["'\\x00\\xFFa'::BLOB"], 'BLOB', ['"AP9h"']],
  [['[1, NULL]'], 'INTEGER[]', ['[1,null]']],
  [['[9007199254740993::HUGEINT]'], 'VARCHAR', ['"[9007199254740993]"']],
  [["{'interval': INTERVAL '-1 second'}"], 'VARCHAR', [String.raw`"{\"interval\":\"-00:00:01\"}"`]],
  [['union_value(a := 5)'], 'VARCHAR', [String.raw`"{\"a\":5}"`]],
  [["{'interval': 1}"], 'STRUCT("interval" INTEGER)', ['{"interval":1}']],
  [["'INTERVAL'::ENUM ('INTERVAL')"], 'VARCHAR', ['"INTERVAL"']],
  [["{'a': DATE '2024-02-29'}"], 'STRUCT("a" DATE)', ['{"a":"2024-02-29"}']],
];

describe('a column that is exported as Parquet and imported again', () => {
  for (const [kind, cases] of [
    ['PostgreSQL', postgresqlCases],
    ['DuckDB', duckdbCases],
  ] as const) {
    it(`has the same values as in ${kind}, and the same type if Parquet supports it`, async (context) => {
      const files = await makeFilesSource(context, {});
      const source: SourceDescription =
        kind === 'DuckDB' ? files : (await makePostgresqlSource(context)).source;
      const rowCount = Math.max(...cases.map(([values]) => values.length));
      const columns = (row: number) =>
        cases.map(([values], index) => `${values[Math.min(row, values.length - 1)]} AS c${index}`);
      const selects = Array.from({ length: rowCount }, (_, row) => `SELECT ${columns(row).join(', ')}`);
      const { body } = await engine.stream(
        { organizationId, source, sql: selects.join(' UNION ALL ') },
        'parquet',
      );
      const inputFile = join(dirname(files.tempDirectory), 'out.parquet');
      const file = join(dirname(files.tempDirectory), 'in.duckdb');
      await writeFile(inputFile, await buffer(body));
      const { tempDirectory } = files;
      const request = { organizationId, inputFile, outputFile: file, tempDirectory };
      await engine.importFile({ ...request, format: 'parquet' });
      const again = { ...files, tables: [{ name: 'again', file }] };
      for (const [index, [values, sourceType, json]] of cases.entries()) {
        const sql = `SELECT c${index} FROM again LIMIT ${values.length}`;
        const result = await engine.run({ organizationId, source: again, sql });
        const rows = String(Buffer.from(result.rowsJson));
        assert.deepEqual(
          [values, result.columns[0]?.sourceType, rows],
          [values, sourceType, `[${json.map((value) => `[${value}]`).join(',')}]`],
        );
      }
    });
  }
});
