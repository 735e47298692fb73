import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { watchCpuTime } from '../../../../tests/support/cpu-time.ts';
import { AtriumError } from '../../base/errors.ts';
import { parseJsonBody } from './json-body.ts';

/** Returns the code and the faults of a refused text. */
function refusal(text: string | Buffer): string[] {
  try {
    parseJsonBody(Buffer.from(text));
  } catch (error) {
    assert.ok(error instanceof AtriumError);
    return [error.code, ...(error.faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`)];
  }
  assert.fail(`accepted: ${text.toString().slice(0, 80)}`);
}

describe('a JSON body', () => {
  test('is the value that was serialized, whatever it is', () => {
    const storable = fc
      .jsonValue()
      .filter(
        (value) =>
          !JSON.stringify(value).includes('\\u0000') && !/__proto__|constructor/.test(JSON.stringify(value)),
      );
    fc.assert(
      fc.property(storable, fc.nat(3), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        // The text is compared, since JSON.parse itself may read escaped names wrong.
        assert.equal(JSON.stringify(parseJsonBody(Buffer.from(text))), JSON.stringify(value));
      }),
    );
  });

  test('may have quotes, colons, braces and escapes in its strings', () => {
    const value = { 'a:{"b': '\\"}{][:,', '\\': ['\\\\"', ':'], deep: { ':': '\u{1F600}' } };
    assert.deepEqual(parseJsonBody(Buffer.from(JSON.stringify(value))), value);
  });

  test('distinguishes escaped keys, whatever keys were read before', () => {
    const texts = [
      '{"zz":0,"\\\\":1}',
      '{"zz":0,"\\n":1}',
      '{"zz":0,"\\"":1}',
      '{"zz":0,"\\u000a":{"\\t":[{"\\r":2}]}}',
    ];
    const names = texts.map((text) => Object.keys(parseJsonBody(Buffer.from(text)) as object)[1]);
    assert.deepEqual(names, ['\\', '\n', '"', '\n']);
    const text = '{ "b" : "\\"a\\":1", "\\"a\\"" : { "\\\\" :[ {"\\/":"\\\\" } ] } }';
    assert.deepEqual(parseJsonBody(Buffer.from(text)), { b: '"a":1', '"a"': { '\\': [{ '/': '\\' }] } });
  });

  test('that is not JSON is malformed, and its text is not repeated', () => {
    for (const text of [
      '',
      '{',
      '{"a":1,}',
      "{'a':1}",
      '{"secret-canary"}',
      'NaN',
      '"\u0001"',
      '{"a":1} x',
    ]) {
      assert.deepEqual(refusal(text), ['malformed_json'], text);
    }
    assert.throws(
      () => parseJsonBody(Buffer.from('{"clientSecret":"canary" "x"}')),
      (error: Error) => !error.message.includes('canary') && error.cause === undefined,
    );
  });

  test('that is not UTF-8 is malformed', () => {
    assert.deepEqual(refusal(Buffer.from([0x22, 0xc3, 0x28, 0x22])), ['malformed_json']);
    assert.deepEqual(refusal(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), ['malformed_json']);
  });

  test('that no database could store has a fault for each place', () => {
    const text = '{"a~/b":"\\u0000","list":["\\ud800",1e999,{"\\udc00x":1}],"ok":"\\ud83d\\ude00"}';
    assert.deepEqual(refusal(text), [
      'invalid_body',
      '/a~0~1b text',
      '/list/0 text',
      '/list/1 number',
      '/list/2/\ufffdx text',
    ]);
  });

  test('with a duplicate key is refused, at any depth and in any notation', () => {
    for (const text of ['{"a":1,"a":1}', '{"x":[{"name":1,"n\\u0061me":2}]}', '{"":1,"":2}']) {
      assert.deepEqual(refusal(text), ['invalid_body', ' duplicate_member'], text);
    }
  });

  test('that could reach a prototype is refused, and nothing else with such a key', () => {
    const text = '{"config":{"__proto__":{"admin":true},"constructor":{"prototype":{}},"\\u005f_proto__":1}}';
    assert.deepEqual(refusal(text.replace(',"\\u005f_proto__":1', '')), [
      'invalid_body',
      '/config/__proto__ forbidden_member',
      '/config/constructor forbidden_member',
    ]);
    assert.deepEqual(refusal('{"\\u005f_proto__":1}'), ['invalid_body', '/__proto__ forbidden_member']);
    const harmless = { constructor: 'a builder', prototype: 1, list: [{ constructor: { name: 'x' } }] };
    assert.deepEqual(parseJsonBody(Buffer.from(JSON.stringify(harmless))), harmless);
    assert.equal(({} as Record<string, unknown>)['admin'], undefined);
  });

  test('may have a hundred levels and no more', () => {
    const nested = (depth: number) =>
      ['[', '{"a":', '1', '}', ']'].map((text) => (text === '1' ? text : text.repeat(depth / 2))).join('');
    assert.ok(parseJsonBody(Buffer.from(nested(100))));
    assert.deepEqual(refusal(nested(102)), ['malformed_json']);
  });

  test('of 100,000 levels is refused before it is parsed', () => {
    const body = Buffer.from('{"a":'.repeat(100_000));
    const before = process.memoryUsage().heapUsed;
    const cpuMs = watchCpuTime();
    for (let round = 0; round < 20; round += 1) assert.deepEqual(refusal(body), ['malformed_json']);
    assert.ok(cpuMs() < 1_000, `${cpuMs()} ms`);
    // The text itself has 500 kB per round; a parsed value would have tens of megabytes.
    assert.ok(process.memoryUsage().heapUsed - before < 40_000_000);
  });

  test('with very many faults lists a hundred', () => {
    assert.equal(refusal(`[${'1e999,'.repeat(50_000)}0]`).length, 101);
  });
});
