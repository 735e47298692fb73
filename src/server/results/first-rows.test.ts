import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { toCachedResult } from './cached-result.ts';
import { firstRows } from './first-rows.ts';

const columns: Column[] = [{ name: 'a","rows":[["b', type: 'json', sourceType: 'JSON' }];

const resultOf = (rowsJson: string, rowCount: number) =>
  toCachedResult(
    { columns, rowsJson: Buffer.from(rowsJson), rowCount, isCutOff: true, durationMs: 1 },
    { computedAt: 0, sequence: 1 },
  );

test('the first rows of a result are those of all rows, whatever is in them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }), { maxLength: 20 }),
      fc.nat(22),
      fc.constantFrom(undefined, 1, 2),
      fc.boolean(),
      (rows, maxRows, space, isInPieces) => {
        const result = resultOf(JSON.stringify(rows, undefined, space), rows.length);
        const { json } = result;
        const bytes = Buffer.from(json as string);
        const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
          bytes.subarray(index * 7, index * 7 + 7),
        );
        const found = firstRows({ columns, json: isInPieces ? pieces : json }, { maxRows, maxBytes: 1e6 });
        assert.equal(
          JSON.stringify(found),
          JSON.stringify({ columns, rows: rows.slice(0, maxRows), rowCount: rows.length, isCutOff: true }),
        );
      },
    ),
  );
});

test('the first rows of a result are limited by their bytes, and only whole ones are returned', () => {
  const rows = [['é'], ['"]'], ['\\'], [[1, { a: ']' }]]];
  const text = JSON.stringify(rows);
  for (let maxBytes = 0; maxBytes <= Buffer.byteLength(text) + 1; maxBytes += 1) {
    const found = firstRows(resultOf(text, 4), { maxRows: 10, maxBytes });
    const expected = rows.filter(
      (_, index) => Buffer.byteLength(JSON.stringify(rows.slice(0, index + 1))) - 2 <= maxBytes,
    );
    assert.deepEqual(found.rows, expected, String(maxBytes));
  }
});
