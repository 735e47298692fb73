import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch, stringifySearch } from './search.ts';

const searches = [
  { text: '', search: {} },
  { text: '?a=1', search: { a: '1' } },
  {
    text: '?a=007&b=true&c=12345678901234567890',
    search: { a: '007', b: 'true', c: '12345678901234567890' },
  },
  { text: '?a=x&a=y', search: { a: ['x', 'y'] } },
  { text: '?a=', search: { a: '' } },
  { text: '?a=%7B%22b%22%3A1%7D+%26+%3D', search: { a: '{"b":1} & =' } },
];

for (const { text, search } of searches) {
  test(`the query “${text}” is the same after parsing and formatting`, () => {
    assert.deepEqual(parseSearch(text), search);
    assert.equal(stringifySearch(search), text);
  });
}

test('values that can’t be texts are left out of the query', () => {
  assert.equal(stringifySearch({ a: undefined, b: null, c: {}, d: 5, e: false }), '?d=5&e=false');
});
