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
