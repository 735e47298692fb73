import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatabaseUrl } from './url.ts';

const one = 'postgres://u:p%2Cw@one:5432/db';
const other = 'postgres://u:p%2Cw@other:6543/db';

const accepted: Readonly<Record<string, ReturnType<typeof parseDatabaseUrl>>> = {
  'postgres://db.example/atrium': { urls: ['postgres://db.example/atrium'], target: 'any' },
  'postgresql:///db?host=/var/run/postgresql': {
    urls: ['postgresql:///db?host=/var/run/postgresql'],
    target: 'any',
  },
  'postgres://u:p%2Cw@one:5432,other:6543/db': { urls: [one, other], target: 'read-write' },
  'postgres://u:p%2Cw@one:5432,other:6543/db?target_session_attrs=any': { urls: [one, other], target: 'any' },
  'postgres://u:p%2Cw@one:5432,other:6543/db?sslmode=verify-full&target_session_attrs=primary&sslrootcert=/a%20b':
    {
      urls: [
        `${one}?sslmode=verify-full&sslrootcert=/a%20b`,
        `${other}?sslmode=verify-full&sslrootcert=/a%20b`,
      ],
      target: 'primary',
    },
  'postgres://[::1]:1,[fe80::1],10.0.0.1/db?target_session_attrs=read-write': {
    urls: ['postgres://[::1]:1/db', 'postgres://[fe80::1]/db', 'postgres://10.0.0.1/db'],
    target: 'read-write',
  },
  'postgres://one/db?target_session_attrs=read-write': { urls: ['postgres://one/db'], target: 'read-write' },
};

for (const [text, expected] of Object.entries(accepted))
  test(`${text} is read`, () => assert.deepEqual(parseDatabaseUrl(text), expected));

for (const text of [
  '',
  'db.example',
  'mysql://db.example/atrium',
  'postgres://one,/db',
  'postgres://,one/db',
  'postgres://one,,other/db',
  'postgres://one:99999,other/db',
  'postgres://one:port,other/db',
  'postgres://one, other/db',
  'postgres://one,other/db?host=third',
  'postgres://one/db?host=one,other',
  'postgres://one/db?port=1,2',
  'postgres://one,other/db?target_session_attrs=standby',
  'postgres://one,other/db?target_session_attrs=prefer-standby',
  'postgres://one,other/db?target_session_attrs=',
  'postgres://one,other/db?target_session_attrs=any&target_session_attrs=primary',
  'postgres://one,other/db#fragment',
]) {
  test(`'${text}' is refused`, () => assert.equal(parseDatabaseUrl(text), undefined));
}
