import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultFacts } from './result-facts.ts';

test('a result shows its number of rows and its duration', () => {
  const facts = { rowCount: 1, isCutOff: false, durationMs: 0.4, isFromCache: false };
  assert.equal(resultFacts(facts), '1 row · 1 ms');
  assert.equal(
    resultFacts({ rowCount: 0, isCutOff: false, durationMs: 2_340, isFromCache: true }),
    '0 rows · from the cache (took 2.3 s)',
  );
  assert.match(
    resultFacts({ rowCount: 500, isCutOff: true, durationMs: 12_000, isFromCache: false }),
    /^The first 500 rows; there are more · 12 s$/,
  );
});
