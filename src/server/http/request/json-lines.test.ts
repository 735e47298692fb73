import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AtriumError } from '../../base/errors.ts';
import { parseJsonLines } from './json-lines.ts';

const parse = (text: string): unknown => parseJsonLines(Buffer.from(text), 'documents');

/** Returns the message and the faults of a refused text. */
function refusal(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    assert.ok(error instanceof AtriumError);
    return [error.message, ...(error.faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`)];
  }
  assert.fail(`accepted: ${text}`);
}

describe('NDJSON', () => {
  test('is a value per line, whatever ends the lines', () => {
    for (const text of ['{"a":1}\n[2]\n', '{"a":1}\n[2]', '\n \t{"a":1}\r\n\r\n[2]\r\n\n'])
      assert.deepEqual(parse(text), [{ a: 1 }, [2]]);
    for (const text of ['', '\n', ' \r\n']) assert.deepEqual(parse(text), []);
    // U+2028 ends no line of JSON.
    assert.deepEqual(parse('"a\u2028b"'), ['a\u2028b']);
  });

  test('is refused with the line that is no JSON, or every fault of every value', () => {
    assert.deepEqual(refusal('1\n\n{"a":\n'), [
      'Line 3: The body is not valid JSON: it ends too early or contains an invalid character.',
    ]);
    assert.deepEqual(refusal('1\n{"__proto__":1}\n2\n["\\u0000"]'), [
      'A line is not I-JSON (RFC 7493).',
      '/documents/1/__proto__ forbidden_member',
      '/documents/3/0 text',
    ]);
    assert.equal(refusal('{"a":1,"a":2}\n'.repeat(500)).length, 101);
  });
});
