import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPostgresVariables } from './variables.ts';

const cases: Readonly<Record<string, ReturnType<typeof toPostgresVariables>>> = {
  'postgres://u:p%2Cw%40@one:5433/db': {
    PGHOST: 'one',
    PGPORT: '5433',
    PGUSER: 'u',
    PGPASSWORD: 'p,w@',
    PGDATABASE: 'db',
    PGTARGETSESSIONATTRS: 'any',
  },
  'postgres://u@one:1,[::1]/db?sslmode=verify-full&sslrootcert=/a%20b': {
    PGHOST: 'one,::1',
    PGPORT: '1,5432',
    PGUSER: 'u',
    PGDATABASE: 'db',
    PGTARGETSESSIONATTRS: 'read-write',
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: '/a b',
  },
  'postgresql:///db?host=/var/run/postgresql': {
    PGHOST: '/var/run/postgresql',
    PGPORT: '5432',
    PGDATABASE: 'db',
    PGTARGETSESSIONATTRS: 'any',
  },
  'not a URL': {},
};

for (const [url, expected] of Object.entries(cases))
  test(`PostgreSQL's programs connect to ${url} by variables`, () => {
    assert.deepEqual(toPostgresVariables(url), expected);
  });
