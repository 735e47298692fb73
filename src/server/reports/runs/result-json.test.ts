import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toResultJson } from './result-json.ts';

const facts = { columns: [], computedAt: 0, sequence: 1, sizeBytes: 0, isFromCache: true };
const faults = [{ pointer: '/x', code: 'column', message: 'is not a column' }];

describe('the JSON of a result', () => {
  test('is a string if the result is small', () => {
    const result = { ...facts, json: '{"rows":[[1]]', release: () => {} };
    assert.deepEqual(toResultJson({ result, faults: [] }), '{"rows":[[1]],"isFromCache":true,"faults":[]}');
    assert.deepEqual(
      toResultJson({ result, faults }, '{"result":', '}\n'),
      `{"result":{"rows":[[1]],"isFromCache":true,"faults":${JSON.stringify(faults)}}}\n`,
    );
  });

  test('is split into pieces if the result is large, and releases the result once it is read or abandoned', () => {
    const text = 'x'.repeat(600_000);
    let released = 0;
    const release = (): void => void (released += 1);
    const result = { ...facts, json: [Buffer.from('{"rows":"'), Buffer.from(`${text}"`)], release };
    const json = toResultJson({ result, faults: [] }, '{"result":', '}');
    assert.ok(typeof json !== 'string');
    const pieces = [...json].map((piece) => Buffer.from(piece));
    assert.ok(pieces.every(({ length }) => length <= 256 * 1024));
    assert.deepEqual(JSON.parse(Buffer.concat(pieces).toString()), {
      result: { rows: text, isFromCache: true, faults: [] },
    });
    assert.equal(released, 1);
    for (const piece of toResultJson({ result, faults: [] })) if (piece.length > 0) break;
    assert.equal(released, 2);
  });
});
