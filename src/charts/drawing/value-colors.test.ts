import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValueColors } from './value-colors.ts';

const regions = ['North', 'South', 'East', 'West', 'Central', 'Overseas'];

test('values that are shown together have different colors, whatever their order', () => {
  const colors = createValueColors().indexesOf(regions);
  assert.equal(new Set(colors.values()).size, regions.length);
  assert.deepEqual(createValueColors().indexesOf(regions.toReversed()), colors);
  const many = createValueColors().indexesOf(Array.from({ length: 12 }, (_, index) => `v${index}`));
  assert.equal(new Set(many.values()).size, 12);
});

test('a value keeps its color when others are filtered out, and in another chart', () => {
  const shared = createValueColors();
  const all = shared.indexesOf(regions);
  for (const region of regions) {
    assert.deepEqual([...shared.indexesOf([region])], [[region, all.get(region)]]);
  }
  const mixed = shared.indexesOf(['Mars', 'West', 'North']);
  assert.deepEqual([mixed.get('West'), mixed.get('North')], [all.get('West'), all.get('North')]);
  assert.equal(new Set(mixed.values()).size, 3);
});

test('more values than colors share them', () => {
  const colors = createValueColors().indexesOf(Array.from({ length: 40 }, (_, index) => `v${index}`));
  assert.deepEqual(new Set(colors.values()), new Set(Array.from({ length: 12 }, (_, index) => index)));
});

test('the colors do not depend on which chart was first', () => {
  const charts = [regions, ['Mars', 'Venus', 'North'], ['red', 'green', 'blue', 'West']];
  const colorsAfter = (order: readonly (readonly string[])[]) => {
    const shared = createValueColors();
    for (const values of order) shared.indexesOf(values);
    return shared.indexesOf([...new Set(charts.flat())]);
  };
  assert.deepEqual(colorsAfter(charts.toReversed()), colorsAfter(charts));
});

test('values of one chart differ even if the dashboard has more values than colors', () => {
  const charts = ['a', 'b', 'c', 'd'].map((chart) =>
    Array.from({ length: 9 }, (_, index) => `${chart}${index}`),
  );
  const shared = createValueColors();
  for (const values of charts) shared.indexesOf(values);
  for (const values of charts) assert.equal(new Set(shared.indexesOf(values).values()).size, 9);
});

test('charts hear of it when a new chart changes their colors, and only then', async () => {
  const shared = createValueColors();
  let changes = 0;
  const unsubscribe = shared.subscribe(() => (changes += 1));
  const values = Array.from({ length: 12 }, (_, index) => `w${index}`);
  const before = values.slice(6).map((value) => shared.indexesOf([value]).get(value));
  for (const value of values) shared.indexesOf([value]);
  await Promise.resolve();
  const after = values.slice(6).map((value) => shared.indexesOf([value]).get(value));
  assert.notDeepEqual(after, before);
  const count = changes;
  assert.ok(count > 0);
  assert.equal(shared.version(), count);
  shared.indexesOf(values);
  await Promise.resolve();
  assert.equal(changes, count);
  unsubscribe();
});
