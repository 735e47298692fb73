import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeIn } from './failed-place.ts';

test('the place of a failure is shown with the lines around it, and the name there', () => {
  const query = 'SELECT region,\n  amont\nFROM sales\nGROUP BY 1\nORDER BY 2';
  assert.deepEqual(placeIn(query, 2, 3), {
    line: 2,
    column: 3,
    excerpt: '1: SELECT region,\n2:   amont\n     ^\n3: FROM sales\n4: GROUP BY 1',
    name: 'amont',
  });
  assert.equal(placeIn(query, 6, 1), undefined);
  assert.equal(placeIn(query, 5, undefined)?.excerpt, '3: FROM sales\n4: GROUP BY 1\n5: ORDER BY 2');
  const names: readonly [query: string, column: number, name: string | undefined][] = [
    ['SELECT s.amont', 8, 'amont'],
    ['SELECT "a ""b"""."c d", 1', 8, 'c d'],
    ['SELECT 😀, é_1$ x', 11, 'é_1$'],
    ['SELECT 1 +', 10, undefined],
    ['SELECT "open', 8, undefined],
    ['SELECT a', 99, undefined],
  ];
  for (const [text, column, name] of names) assert.equal(placeIn(text, 1, column)?.name, name, text);
  const long = `SELECT ${'x, '.repeat(10_000)}amont`;
  const { excerpt = '', name } = placeIn(long, 1, long.length - 4) ?? {};
  assert.ok(excerpt.length < 400);
  assert.equal(name, 'amont');
  const [shown = '', mark = ''] = excerpt.split('\n');
  assert.equal(shown.indexOf('amont'), mark.indexOf('^'));
});
