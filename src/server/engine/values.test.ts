import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from './query-engine.ts';
import type { SourceDescription } from './source-description.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox });
const cleanUps: (() => Promise<void>)[] = [];
after(async () => {
  await engine.close();
  for (const cleanUp of cleanUps) await cleanUp();
});
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };

/** SQL of a value, its type, its type in the source, and the JSON that is sent. */
type Case = readonly [sql: string, type: string, sourceType: string, json: string];

const duckdbCases: Case[] = [
  ['NULL', 'integer', 'INTEGER', 'null'],
  ['true', 'boolean', 'BOOLEAN', 'true'],
  ['NULL::BOOLEAN', 'boolean', 'BOOLEAN', 'null'],
  ['42', 'integer', 'INTEGER', '42'],
  ['9007199254740992', 'integer', 'BIGINT', '9007199254740992'],
  ['9007199254740993', 'integer', 'BIGINT', '"9007199254740993"'],
  ['(-9223372036854775808)::BIGINT', 'integer', 'BIGINT', '"-9223372036854775808"'],
  [
    '170141183460469231731687303715884105727',
    'integer',
    'HUGEINT',
    '"170141183460469231731687303715884105727"',
  ],
  ['18446744073709551615::UBIGINT', 'integer', 'UBIGINT', '"18446744073709551615"'],
  ['1.10', 'decimal', 'DECIMAL(3,2)', '1.10'],
  ['-0.05', 'decimal', 'DECIMAL(3,2)', '-0.05'],
  ['12345678901234567.89', 'decimal', 'DECIMAL(19,2)', '"12345678901234567.89"'],
  ['0.1::DOUBLE', 'double', 'DOUBLE', '0.1'],
  ['1e300::DOUBLE', 'double', 'DOUBLE', '1e+300'],
  ['3.14::FLOAT', 'double', 'FLOAT', '3.14'],
  ["'NaN'::DOUBLE", 'double', 'DOUBLE', '"NaN"'],
  ["'-Infinity'::DOUBLE", 'double', 'DOUBLE', '"-Infinity"'],
  [`'a "b" \\ é 😀' || chr(10)`, 'text', 'VARCHAR', JSON.stringify('a "b" \\ é 😀\n')],
  ["''", 'text', 'VARCHAR', '""'],
  ["'a'::ENUM ('a', 'b')", 'text', 'ENUM', '"a"'],
  ["DATE '2024-02-29'", 'date', 'DATE', '"2024-02-29"'],
  ["DATE '0044-03-15 (BC)'", 'date', 'DATE', '"-000043-03-15"'],
  ["DATE '12024-02-29'", 'date', 'DATE', '"+012024-02-29"'],
  ["'infinity'::DATE", 'date', 'DATE', '"infinity"'],
  ["TIME '23:59:59.5'", 'time', 'TIME', '"23:59:59.5"'],
  ["TIMETZ '12:00:00+05:30'", 'time', 'TIME WITH TIME ZONE', '"12:00:00+05:30"'],
  ["TIMESTAMP '1969-12-31 23:59:59.999999'", 'datetime', 'TIMESTAMP', '"1969-12-31T23:59:59.999999"'],
  [
    "TIMESTAMP_NS '2024-02-29 12:00:00.123456789'",
    'datetime',
    'TIMESTAMP_NS',
    '"2024-02-29T12:00:00.123456789"',
  ],
  ["TIMESTAMPTZ '2024-02-29 12:00:00+02'", 'instant', 'TIMESTAMP WITH TIME ZONE', '"2024-02-29T10:00:00Z"'],
  ["INTERVAL '14 months 3 days 04:05:06.7'", 'interval', 'INTERVAL', '"P1Y2M3DT4H5M6.7S"'],
  ["INTERVAL '-1 second'", 'interval', 'INTERVAL', '"PT-1S"'],
  ["INTERVAL '0 days'", 'interval', 'INTERVAL', '"PT0S"'],
  ["'6f9619ff-8b86-d011-b42d-00c04fc964ff'::UUID", 'uuid', 'UUID', '"6f9619ff-8b86-d011-b42d-00c04fc964ff"'],
  ["'\\x00\\xFFa'::BLOB", 'bytes', 'BLOB', '"AP9h"'],
  [`'{"a": [1, null]}'::JSON`, 'json', 'JSON', '{"a": [1, null]}'],
  ['[1, NULL, 3]', 'list', 'INTEGER[]', '[1,null,3]'],
  ['[[9007199254740993], []]', 'list', 'BIGINT[][]', '[["9007199254740993"],[]]'],
  ['[1, 2]::INTEGER[2]', 'list', 'INTEGER[2]', '[1,2]'],
  [
    "{'a': 1, 'b \"c\"': DATE '2024-02-29', 'd': NULL}",
    'struct',
    'STRUCT("a" INTEGER, "b ""c""" DATE, "d" INTEGER)',
    '{"a":1,"b \\"c\\"":"2024-02-29","d":null}',
  ],
  ["MAP {'k': [1.5]}", 'struct', 'MAP(VARCHAR, DECIMAL(2,1)[])', '{"k":[1.5]}'],
  ['union_value(a := 5)', 'json', 'UNION("a" INTEGER)', '5'],
  ["'101'::BIT", 'other', 'BIT', '"101"'],
];

const postgresqlCases: Case[] = [
  ['NULL', 'text', 'text', 'null'],
  ['true', 'boolean', 'bool', 'true'],
  ['42', 'integer', 'int4', '42'],
  ['9223372036854775807', 'integer', 'int8', '"9223372036854775807"'],
  ['1.10::numeric(10,2)', 'decimal', 'numeric(10,2)', '1.10'],
  ['1200::numeric(2,-2)', 'decimal', 'numeric(2,-2)', '1200'],
  ['0.001::numeric(2,3)', 'decimal', 'numeric(2,3)', '0.001'],
  ['12345678901234567890.123456789', 'decimal', 'numeric', '"12345678901234567890.123456789"'],
  ["'NaN'::numeric", 'decimal', 'numeric', '"NaN"'],
  ['0.1::float8', 'double', 'float8', '0.1'],
  ['3.14::float4', 'double', 'float4', '3.14'],
  ["'Infinity'::float8", 'double', 'float8', '"Infinity"'],
  [`E'a "b" \\\\ é 😀\\n'`, 'text', 'text', JSON.stringify('a "b" \\ é 😀\n')],
  ["'a'::varchar(5)", 'text', 'varchar(5)', '"a"'],
  ["'a'::mood", 'text', 'mood', '"a"'],
  ["'a'::word", 'text', 'text', '"a"'],
  ["DATE '2024-02-29'", 'date', 'date', '"2024-02-29"'],
  ["DATE '0044-03-15 BC'", 'date', 'date', '"-000043-03-15"'],
  ["DATE '12024-02-29'", 'date', 'date', '"+012024-02-29"'],
  ["'-infinity'::date", 'date', 'date', '"-infinity"'],
  ["TIME '23:59:59.5'", 'time', 'time', '"23:59:59.5"'],
  ["TIMETZ '12:00:00+05:30'", 'time', 'timetz', '"12:00:00+05:30"'],
  ["TIMETZ '12:00:00+02'", 'time', 'timetz', '"12:00:00+02:00"'],
  ["TIMESTAMP '1969-12-31 23:59:59.999999'", 'datetime', 'timestamp', '"1969-12-31T23:59:59.999999"'],
  ["TIMESTAMPTZ '2024-02-29 12:00:00+02'", 'instant', 'timestamptz', '"2024-02-29T10:00:00Z"'],
  ["INTERVAL '14 months 3 days 04:05:06.7'", 'interval', 'interval', '"P1Y2M3DT4H5M6.7S"'],
  ["INTERVAL '0'", 'interval', 'interval', '"PT0S"'],
  ["'6f9619ff-8b86-d011-b42d-00c04fc964ff'::uuid", 'uuid', 'uuid', '"6f9619ff-8b86-d011-b42d-00c04fc964ff"'],
  ["'\\x00ff61'::bytea", 'bytes', 'bytea', '"AP9h"'],
  [`'{"a": [1, null]}'::jsonb`, 'json', 'jsonb', '{"a": [1, null]}'],
  ['ARRAY[1, NULL, 3]', 'list', 'int4[]', '[1,null,3]'],
  [`ARRAY[ARRAY['a,"b"', 'NULL'], ARRAY[NULL, '']]`, 'list', 'text[]', '[["a,\\"b\\"","NULL"],[null,""]]'],
  ["'[2:3]={9223372036854775807,1}'::int8[]", 'list', 'int8[]', '["9223372036854775807",1]'],
  ["'{}'::date[]", 'list', 'date[]', '[]'],
  [`ROW(1, 'a "b", (c)', NULL)::thing`, 'struct', 'thing', '{"id":1,"name":"a \\"b\\", (c)","at":null}'],
  [`ARRAY[ROW(1, '', '2024-02-29')::thing]`, 'list', 'thing[]', '[{"id":1,"name":"","at":"2024-02-29"}]'],
  ["'[1,5)'::int4range", 'other', 'int4range', '"[1,5)"'],
  ["'192.168.0.1'::inet", 'other', 'inet', '"192.168.0.1"'],
];

const kinds: [string, Case[], () => Promise<SourceDescription>][] = [
  ['DuckDB', duckdbCases, () => makeFilesSource(context, {})],
  [
    'PostgreSQL',
    postgresqlCases,
    async () => {
      const sql = `
        CREATE TYPE mood AS ENUM ('a', 'b');
        CREATE DOMAIN word AS text CHECK (VALUE <> '');
        CREATE TYPE thing AS (id int, name text, at date);`;
      return (await makePostgresqlSource(context, sql)).source;
    },
  ],
];

for (const [kind, cases, makeSource] of kinds) {
  describe(`a value of ${kind}`, () => {
    let source: SourceDescription;
    before(async () => {
      source = await makeSource();
    });
    for (const [sql, type, sourceType, json] of cases) {
      it(`is sent as ${json} for ${sql}`, async () => {
        const result = await engine.run({ organizationId: 'one', source, sql: `SELECT ${sql} AS value` });
        assert.deepEqual(result.columns, [{ name: 'value', type, sourceType }]);
        assert.equal(String(Buffer.from(result.rowsJson)), `[[${json}]]`);
      });
    }

    it('is bound for each type of parameter', async () => {
      const parameters = [
        { name: 'text', type: 'text', value: "Robert'); DROP TABLE students;--" },
        { name: 'number', type: 'number', value: 7 },
        { name: 'fraction', type: 'number', value: 1.5 },
        { name: 'flag', type: 'boolean', value: false },
        { name: 'day', type: 'date', value: '2024-02-29' },
        { name: 'local', type: 'datetime', value: '2024-02-29T12:00:00' },
        { name: 'at', type: 'datetime', value: '2024-02-29T12:00:00+02:00' },
        { name: 'words', type: 'list', value: ["a'b", 'c,"d"', 'é'] },
        { name: 'none', type: 'text', value: null },
      ] as const;
      const sql = `SELECT {{text}}, {{number}}, {{fraction}}, {{flag}}, {{day}}, {{local}}, {{at}}, {{words}}, {{none}},
        'é' = ANY({{words}}), {{text}} LIMIT {{number}}`;
      const { rowsJson, columns } = await engine.run({ organizationId: 'one', source, sql, parameters });
      assert.deepEqual(JSON.parse(Buffer.from(rowsJson).toString()), [
        [
          "Robert'); DROP TABLE students;--",
          7,
          1.5,
          false,
          '2024-02-29',
          '2024-02-29T12:00:00',
          '2024-02-29T10:00:00Z',
          ["a'b", 'c,"d"', 'é'],
          null,
          true,
          "Robert'); DROP TABLE students;--",
        ],
      ]);
      assert.deepEqual(
        columns.slice(3, 8).map(({ type }) => type),
        ['boolean', 'date', 'datetime', 'instant', 'list'],
      );
    });

    it('is as exact in a parameter as in the SQL', async () => {
      const values = [0.06, -0.5, 1e20, 123456789012345.67, 0.1234567890123456, 1e-7, 2.5e300];
      for (const value of values) {
        const parameters = [{ name: 'n', type: 'number', value }] as const;
        const sql = `SELECT {{n}} = ${value}, {{n}} + 0.01 = ${value} + 0.01, {{n}} * 3 = ${value} * 3`;
        const { rowsJson } = await engine.run({ organizationId: 'one', source, sql, parameters });
        assert.equal(String(Buffer.from(rowsJson)), '[[true,true,true]]', String(value));
      }
    });

    it('is bound after strings and comments, which the engine reads like the scanner', async () => {
      const parameters = [{ name: 'a', type: 'text', value: 'x' }] as const;
      const cases: Record<string, string[]> = {
        "SELECT '\\', {{a}}": ['\\', 'x'],
        "SELECT E'\\'', {{a}}": ["'", 'x'],
        "SELECT E'b'\n'\\'', {{a}}": ["b'", 'x'],
        "SELECT E'b' -- '\n '\\'', {{a}}": ["b'", 'x'],
        "SELECT 'b'\n'\\', {{a}}": ['b\\', 'x'],
        "SELECT $é$ ' $é$, $😀$ $$ $😀$, {{a}}": [" ' ", ' $$ ', 'x'],
        'SELECT a$b$, {{a}}, 😀$b$ FROM (SELECT 1::text AS a$b$, 2::text AS 😀$b$)': ['1', 'x', '2'],
        'SELECT /* /* {{b}} */ */ {{a}} -- {{b}}\r, {{a}}': ['x', 'x'],
      };
      for (const [sql, row] of Object.entries(cases)) {
        const { rowsJson } = await engine.run({ organizationId: 'one', source, sql, parameters });
        assert.deepEqual(JSON.parse(Buffer.from(rowsJson).toString()), [row], sql);
      }
    });

    it('is null for each type of parameter if none is chosen', async () => {
      for (const type of ['text', 'number', 'boolean', 'date', 'datetime', 'list'] as const) {
        const parameters = [{ name: 'a', type, value: null }] as const;
        const sql = 'SELECT {{a}} IS NULL';
        const { rowsJson } = await engine.run({ organizationId: 'one', source, sql, parameters });
        assert.equal(String(Buffer.from(rowsJson)), '[[true]]', type);
      }
    });
  });
}
