import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddresses } from './addresses.ts';

test('addresses are found in pasted text, each once', () => {
  const text = `ada@example.com, bob@example.com;cyd@example.com
    "Dan, the man" <dan@example.com>
    Eve Adams <eve@example.com>, ADA@example.com\tfay@example.com gus`;
  assert.deepEqual(readAddresses(text), {
    addresses: [
      'ADA@example.com',
      'bob@example.com',
      'cyd@example.com',
      'dan@example.com',
      'eve@example.com',
      'fay@example.com',
    ],
    rest: ['"Dan', 'gus'],
  });
});

test('an empty list invites nobody', () => {
  assert.deepEqual(readAddresses(' \n,; '), { addresses: [], rest: [] });
});
