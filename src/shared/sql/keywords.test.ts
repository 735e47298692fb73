import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { makePostgresqlSource } from '../../../tests/support/data-sources/postgresql-source.ts';
import { quoteIfNeeded } from './names.ts';

/** Returns queries that use a name wherever generated queries use names. */
function queriesWith(keyword: string): readonly string[] {
  const name = quoteIfNeeded(keyword);
  return [
    `SELECT ${name}, count(*) FILTER (WHERE ${name} > 0) AS counted
    FROM (SELECT 1 AS ${name}) AS rows_of_it GROUP BY 1 HAVING count(${name}) > 0 ORDER BY ${name} DESC`,
    `WITH ${name} AS (SELECT 1 AS ${name})
    SELECT ${name}.${name}, other.${name} AS second, lag(${name}.${name}) OVER (ORDER BY ${name}.${name}) AS third
    FROM ${name} LEFT JOIN ${name} AS other ON ${name}.${name} = other.${name}`,
  ];
}

test('every keyword of DuckDB can be used as a name', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll('SELECT keyword_name FROM duckdb_keywords()');
  const failed: string[] = [];
  for (const [keyword] of reader.getRows()) {
    for (const sql of queriesWith(String(keyword)))
      await connection.run(sql).catch(() => failed.push(String(keyword)));
  }
  connection.closeSync();
  instance.closeSync();
  assert.deepEqual([...new Set(failed)], []);
});

test('every keyword of PostgreSQL can be used as a name', async (context) => {
  const { admin } = await makePostgresqlSource({ after: (cleanUp) => context.after(cleanUp) });
  const { rows } = await admin.query<{ word: string }>('SELECT word FROM pg_get_keywords()');
  const failed: string[] = [];
  for (const { word } of rows) {
    for (const sql of queriesWith(word)) await admin.query(sql).catch(() => failed.push(word));
  }
  assert.deepEqual([...new Set(failed)], []);
});
