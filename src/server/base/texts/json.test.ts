import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseJson } from './json.ts';

const backslash = String.raw`{"a":0,"\\":1}`;
const newline = String.raw`{"a":0,"\n":1}`;

test('an escaped key is read as it is written', () => {
  parseJson(backslash);
  assert.deepEqual(Object.keys(parseJson(newline) as object), ['a', '\n']);
});

test('JSON.parse still misreads it: if this fails, parseJson can be removed', () => {
  JSON.parse(backslash);
  assert.deepEqual(Object.keys(JSON.parse(newline) as object), ['a', '\\']);
});
