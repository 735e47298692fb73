import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsWithNames } from './change-words.ts';

test('reports are told by their names, and what only looks like one is left', () => {
  const id = '01a1feec-0325-7000-8188-5a8423f9b2e3';
  const words = `Widget of report “${id}” now shows report “${id}”; “${id}” and “revenue” stay.`;
  assert.equal(
    wordsWithNames({ words }, () => '$& Flights'),
    `Widget of report “$& Flights” now shows report “$& Flights”; “${id}” and “revenue” stay.`,
  );
});
