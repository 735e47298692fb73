import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomId } from './random-id.ts';

test('a random ID is created without randomUUID, which plain http has only on localhost', (context) => {
  context.mock.method(crypto, 'randomUUID', () => assert.fail('called randomUUID'));
  const ids = Array.from({ length: 100 }, randomId);
  assert.equal(new Set(ids).size, 100);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});
