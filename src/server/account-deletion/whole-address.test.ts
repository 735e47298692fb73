import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceAddress, replaceInJson } from './whole-address.ts';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';

test('an address is replaced where it is whole, whatever is around it', () => {
  const cases: readonly (readonly [text: string, replaced: string])[] = [
    ['bob@evil.example', 'X'],
    ['Bob@Evil.example.', 'X.'],
    ['to bob@evil.example, ada@evil.example', 'to X, ada@evil.example'],
    ['<bob@evil.example>', '<X>'],
    ['**bob@evil.example**', '**X**'],
    ["'bob@evil.example'", "'X'"],
    ['=bob@evil.example', '=X'],
    ['mailto:bob@evil.example?subject=x', 'mailto:X?subject=x'],
    ['Questions to:\nbob@evil.example', 'Questions to:\nX'],
  ];
  for (const [text, replaced] of cases) assert.equal(replaceAddress(text, 'bob@evil.example', 'X'), replaced);
  for (const longer of [
    'nbob@evil.example',
    'n.bob@evil.example',
    "o'bob@evil.example",
    'n*bob@evil.example',
    '*nbob@evil.example',
    'bob@evil.example.org',
    'bob@evil.example-two',
    'ébob@evil.example',
  ])
    assert.equal(replaceAddress(longer, 'bob@evil.example', 'X'), longer);
  assert.equal(replaceAddress("'bob@evil.example", "'bob@evil.example", 'X'), 'X');
});

test('an address in JSON is replaced in the strings, not across an escape', () => {
  const value = { text: 'to\nbob@evil.example', list: [{ a: 'nbob@evil.example', n: 1, none: null }] };
  const json = JSON.stringify(value);
  assert.deepEqual(JSON.parse(replaceInJson(json, 'bob@evil.example', 'X')), { ...value, text: 'to\nX' });
  assert.deepEqual(JSON.parse(replaceInJson(json, 'nbob@evil.example', 'X')), {
    ...value,
    list: [{ a: 'X', n: 1, none: null }],
  });
  assert.equal(replaceInJson('{ "a":  "b" }', 'bob@evil.example', 'X'), '{ "a":  "b" }');
});

test('an address is found in a long text in a time that grows with its length', () => {
  const cpuMs = watchCpuTime();
  for (const part of ["*'=", 'a', 'a@', '=bob@evil.example'])
    replaceAddress(part.repeat(100_000), 'bob@evil.example', 'X');
  assert.ok(cpuMs() < 2_000, `${cpuMs()} ms`);
});
