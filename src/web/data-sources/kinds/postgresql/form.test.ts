import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputOf, losesPassword, typedFrom } from './form.ts';

const rest = { host: 'db.example', port: 5432, database: 'sales', user: 'reader', tls: 'verify' } as const;
const stored = { ...rest, hasPassword: true };

test('an empty password is not sent', () => {
  const typed = typedFrom(stored);
  const connectionOf = (values: typeof typed) => inputOf(values).connection;
  assert.deepEqual(connectionOf(typed), rest);
  assert.deepEqual(connectionOf({ ...typed, port: '6432', password: 'x' }), {
    ...rest,
    port: 6432,
    password: 'x',
  });
});

test('another server or a less secure connection deletes the stored password, unless there is a new one', () => {
  const typed = typedFrom(stored);
  assert.equal(losesPassword(stored, typed), false);
  assert.equal(losesPassword(stored, { ...typed, tls: 'require' }), true);
  assert.equal(losesPassword({ ...stored, tls: 'off' }, typed), false);
  assert.equal(losesPassword(stored, { ...typed, host: 'evil.example' }), true);
  assert.equal(losesPassword(stored, { ...typed, host: 'evil.example', password: 'new' }), false);
  assert.equal(losesPassword({ ...stored, hasPassword: false }, { ...typed, port: 1 }), false);
});
