import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { createGuard } from './guard.ts';
import { QueryFailure } from '../../failure.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
const guard = createGuard(['sales', 'Year to date', 'duckdb_settings.csv']);
before(async () => {
  instance = await DuckDBInstance.create(':memory:', { errors_as_json: 'true' });
  connection = await instance.connect();
});
after(() => {
  connection.closeSync();
  instance.closeSync();
});

/** For each query, the error message, and the part of the query that the error points to. */
const refused: Record<string, readonly [message: RegExp, at?: string]> = {
  "SELECT 1, json_serialize_plan('SELECT 1')": [
    /^The function json_serialize_plan cannot be used: it takes SQL, or a query plan, as a value\.$/,
    'json_serialize_plan',
  ],
  "SELECT 'é', ('SELECT 1').json_serialize_plan()": [/json_serialize_plan/, 'json_serialize_plan'],
  'SELECT sales.name.json_serialize_plan() FROM sales': [/json_serialize_plan/],
  "SELECT list_transform(['SELECT 1'], x -> json_serialize_plan(x))": [/json_serialize_plan/],
  "SELECT [json_serialize_plan(x) FOR x IN ['SELECT 1']]": [/json_serialize_plan/],
  "SELECT sum(1) FILTER (WHERE json_serialize_plan('SELECT 1') IS NULL)": [/json_serialize_plan/],
  "SELECT 1 ORDER BY json_serialize_plan('SELECT 1')": [/json_serialize_plan/],
  "SELECT row_number() OVER (ORDER BY json_serialize_plan('SELECT 1'))": [/json_serialize_plan/],
  "FROM sales SELECT * REPLACE (json_serialize_plan('SELECT 1') AS a)": [/json_serialize_plan/],
  "PIVOT sales ON id IN (1) USING first(json_serialize_plan('SELECT 1'))": [/json_serialize_plan/],
  "VALUES (json_serialize_plan('SELECT 1'))": [/json_serialize_plan/],
  "SUMMARIZE SELECT json_serialize_plan('SELECT 1')": [/json_serialize_plan/],
  "SELECT current_setting('temp_directory')": [/describes the server/],
  'SELECT x OVER (ORDER BY 1)': [/syntax error/],
  'SELECT nextval(1) OVER ()': [/nextval/],
  'SELECT pg_catalog.pg_get_viewdef(1)': [/catalog of PostgreSQL/],
  'SELECT system.main.version()': [/version/],
  'SELECT lenght(name) FROM sales': [
    /^The function lenght does not exist\. Did you mean length\?$/,
    'lenght',
  ],
  "SELECT zzzz('')": [/^The function zzzz does not exist\.$/],
  'SELECT 1 OPERATOR(main.@@) 2': [/The function .* does not exist/],
  "FROM read_csv('a.csv')": [/it reads files\. Upload the file/, 'read_csv'],
  'FROM lower(1)': [/^The function lower can only be used in SELECT\.$/],
  "SELECT json_each('{}')": [/^The function json_each can only be used in FROM\.$/],
  'FROM histogram(sales, id)': [/aggregate function histogram/],
  'FROM arrow_scan(1, 2, 3)': [/memory by its address/],
  'FROM range((SELECT count(*) FROM read_csv(1)))': [/read_csv/],
  'SELECT 1::POINTER': [/The type POINTER does not exist or cannot be used/, '::POINTER'],
  "SELECT POINTER '1'": [/POINTER/],
  'SELECT TRY_CAST(1 AS "pointer")': [/pointer/],
  'SELECT NULL::STRUCT(a INTEGER, b MAP(VARCHAR, POINTER[3])[])': [/POINTER/],
  'SELECT NULL::UNION(a POINTER)': [/POINTER/],
  'SELECT NULL::sales.mood': [/mood/],
  "SELECT 'INTEGER'::TYPE": [/The type TYPE cannot be used/],
  "SELECT 'POINT(0 0)'::GEOMETRY": [/GEOMETRY/],
  'SELECT [1]::VARIANT[]': [/VARIANT/],
  'SELECT 1::intger': [/Did you mean integer\?/],
  "SELECT json_transform('1', '\"POINTER\"')": [/it takes a type as a value\. Use CAST/],
  'SELECT sum(id) EXPORT_STATE FROM sales': [/export_state/],
  "SELECT list_aggregate([1], 'reservoir_quantile')": [/name of an aggregate function/],
  "SELECT list_aggregate([1], 'su' || 'm')": [/name of an aggregate function/],
  "SELECT main.list_aggregate('sum', name) FROM sales": [/name of an aggregate function/],
  "SELECT regexp_extract('a', 'a', NULL::VARCHAR[])": [/third argument of regexp_extract/],
  "SELECT name.regexp_extract('a', NULL::VARCHAR[]) FROM sales": [/third argument of regexp_extract/],
  'SELECT name COLLATE "a.csv" FROM sales': [/^The collation a\.csv does not exist\.$/],
  'PIVOT sales ON id IN mood USING sum(id)': [/pivot_enum/],
  'FROM sales AT (VERSION => 1)': [/at_clause/],
  'FROM seles': [/^The table seles does not exist\. Did you mean sales\?$/, 'seles'],
  "FROM 'a.csv'": [/The table a\.csv does not exist/],
  'WITH "a.csv" AS (SELECT 1) FROM "a.csv"': [/The table a\.csv does not exist/],
  'FROM (WITH duckdb_databases AS (SELECT 1) FROM duckdb_databases), duckdb_databases': [
    /The table duckdb_databases does not exist/,
  ],
  'WITH pg_settings AS (SELECT 1) FROM pg_settings': [/The table pg_settings does not exist/],
  'FROM pg_catalog.pg_settings': [/The schema pg_catalog does not exist/],
  'FROM information_schema.character_sets': [/character_sets/],
  'FROM t0.main.sales': [/The schema t0 does not exist/],
  'SHOW DATABASES': [/Only SHOW TABLES/],
  'SHOW VARIABLES': [/Only SHOW TABLES/],
  'SHOW ALL TABLES': [/Only SHOW TABLES/],
  'SHOW TABLES FROM system': [/Only SHOW TABLES/],
  'DESCRIBE duckdb_settings': [/The table duckdb_settings does not exist/],
  'SUMMARIZE pragma_database_list': [/The table pragma_database_list does not exist/],
  'SELECT * INTO more FROM sales': [/SELECT INTO/],
  'EXPLAIN SELECT 1': [/Only SELECT/],
  'CALL pragma_version()': [/Only SELECT/],
};

const allowed = [
  'FROM sales',
  'FROM main."SALES" AS s SELECT s.id, s.name.upper(), name.regexp_extract(\'a\', 1), * EXCLUDE (id)',
  'FROM "year to date"',
  'FROM "duckdb_settings.csv"',
  'FROM information_schema.columns',
  'SHOW TABLES',
  'DESCRIBE sales',
  'SUMMARIZE sales',
  'WITH RECURSIVE a(n) USING KEY (n) AS (SELECT 1 UNION SELECT n + 1 FROM recurring.a WHERE n < 3) FROM a',
  'WITH big AS MATERIALIZED (FROM sales WHERE id > 3) SELECT count(*) FROM big JOIN sales USING (id)',
  'PIVOT sales ON id IN (1, 2) USING sum(id) GROUP BY name',
  'UNPIVOT sales ON COLUMNS(* EXCLUDE name) INTO NAME n VALUE v',
  "SELECT COLUMNS('i.*'), COLUMNS(c -> c LIKE 'n%') FROM sales",
  'SELECT DISTINCT ON (name) * FROM sales ORDER BY ALL LIMIT 10% OFFSET 1',
  'SELECT name, sum(id) FROM sales GROUP BY GROUPING SETS ((name), ()) HAVING sum(id) > 1 QUALIFY true',
  'FROM sales TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)',
  'FROM sales a ASOF JOIN sales b ON a.id >= b.id POSITIONAL JOIN sales c SEMI JOIN sales d ON true',
  'SELECT lag(id, 1, 0 IGNORE NULLS) OVER w, sum(id) OVER (w ROWS 3 PRECEDING EXCLUDE TIES) FROM sales WINDOW w AS (ORDER BY id)',
  'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id), quantile_cont(id, [0.1, 0.9]), median(id), mode(id) FROM sales',
  "SELECT string_agg(name, ', ' ORDER BY name DESC) FILTER (WHERE id > 1), list(DISTINCT name), histogram(id) FROM sales",
  'SELECT list_transform([1, 2], x -> x + 1), [x * 2 FOR x IN [1] IF x > 0], list_reduce([1, 2], lambda a, b: a + b)',
  "SELECT list_aggregate([1], 'sum'), list_sum([1]), [3, 1].list_sort('DESC'), [1, 2][1], [1, 2][1:], list_zip([1], ['a'])",
  "SELECT {'a': 1}.a, {'a': 1}['a'], MAP {'k': 1}['k'], row(1, 2), struct_pack(a := 1), (1, 2), ARRAY[1]",
  "SELECT '{\"a\": [1]}'::JSON ->> '$.a[0]', json_extract('{}', '$'), '{\"a\": 1}'::JSON::STRUCT(a INTEGER), to_json(1)",
  "SELECT date_trunc('month', now()), extract(year FROM DATE '2024-01-01'), INTERVAL 3 DAY + DATE '2024-01-01', age(now())",
  "SELECT strptime('2024', '%Y'), strftime(now(), '%Y'), now() AT TIME ZONE 'Europe/Berlin', current_date, date_diff('day', now(), now())",
  "SELECT name ~ 'a', name LIKE 'a%', name NOT ILIKE 'a' ESCAPE '$', name SIMILAR TO 'a', name GLOB 'a*' FROM sales",
  "SELECT regexp_replace('a', 'a', 'b', 'g'), regexp_extract('a-b', '(a)-(b)', ['x', 'y']), regexp_extract('a', 'a', 0::BIGINT)",
  "SELECT substring('abc' FROM 1 FOR 2), trim(BOTH 'a' FROM 'aba'), position('a' IN 'ba')",
  "SELECT 'ä' COLLATE NOCASE.NOACCENT < 'b' COLLATE de, 1 IN (1, 2), 1 NOT IN (SELECT 1), 1 = ANY ([1]), EXISTS (FROM sales)",
  "SELECT 'a'::ENUM ('a', 'b'), NULL::STRUCT(a TIMESTAMPTZ, b MAP(TEXT, HUGEINT)[])[3], 1::DECIMAL(18, 3), x'00'::BLOB FROM (SELECT 1 AS x00)",
  'SELECT unnest([1, 2]), generate_series, j.value FROM generate_series(1, 3), range(3) AS r, unnest([1]) AS u(x), json_each([1]::JSON) AS j',
  "FROM range(DATE '2024-01-01', DATE '2024-02-01', INTERVAL 1 DAY) WITH ORDINALITY",
  'SELECT CASE name WHEN 1 THEN 2 ELSE 3 END, coalesce(1, 2), nullif(1, 2), ifnull(1, 2), if(true, 1, 2), TRY(1 / 0), $1, 5!, ~1, @ -1 FROM sales',
  'SELECT greatest(1, 2), 7 // 2, 7 % 2, 2 ** 3, 1 << 2, 1 & 3, 1 | 2, xor(1, 2), 1 IS DISTINCT FROM 2, 1 BETWEEN 0 AND 2',
  'FROM sales SELECT count(*), count(DISTINCT id), any_value(id), arg_max(name, id), bool_and(true), approx_quantile(id, 0.5), corr(id, id)',
  'VALUES (1, NULL), (2, 3.5) UNION ALL BY NAME SELECT 1 AS col0 EXCEPT SELECT 2 ORDER BY 1 DESC NULLS LAST',
];

describe('the guard of DuckDB', () => {
  for (const [sql, [message, at]] of Object.entries(refused)) {
    it(`refuses ${sql}`, async () => {
      await assert.rejects(guard(connection, sql), (error) => {
        assert.ok(error instanceof QueryFailure);
        assert.equal(error.code, 'sql_error');
        assert.match(error.message, message);
        if (at !== undefined)
          assert.equal(sql.slice(error.offset).startsWith(at), true, String(error.offset));
        return true;
      });
    });
  }

  for (const sql of allowed) {
    it(`allows ${sql}`, async () => {
      await guard(connection, sql);
    });
  }

  it('allows no pragma, no setting and no system view', async () => {
    const reader = await connection.runAndReadAll(`
      SELECT 'PRAGMA ' || function_name FROM duckdb_functions() WHERE function_type = 'pragma'
      UNION SELECT 'CALL ' || function_name || '()' FROM duckdb_functions() WHERE function_type = 'pragma'
      UNION SELECT 'SET "' || name || '" = 1' FROM duckdb_settings()
      UNION SELECT 'PRAGMA "' || name || '" = 1' FROM duckdb_settings()
      UNION SELECT 'FROM ' || view_name FROM duckdb_views() WHERE internal
      UNION SELECT 'WITH ' || view_name || ' AS (SELECT 1) FROM ' || view_name FROM duckdb_views() WHERE internal
    `);
    const statements = reader.getRows().map(([statement]) => String(statement));
    assert.ok(statements.length > 400);
    const passed: string[] = [];
    for (const statement of statements) {
      await guard(connection, statement).then(
        () => passed.push(statement),
        (error: unknown) => assert.ok(error instanceof QueryFailure),
      );
    }
    assert.deepEqual(passed, []);
  });
});
