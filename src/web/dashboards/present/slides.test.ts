import assert from 'node:assert/strict';
import { test } from 'node:test';
import { structureOf } from '#shared/sections/structure.ts';
import { readPresentSearch } from './search.ts';
import { slidesOf } from './slides.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const container = (kind: string, key: string, parent?: string) => ({
  id: key,
  reportId: `builtin:${kind}`,
  layout,
  config: { key, title: key, ...(parent !== undefined && { parent }) },
});
const widget = (id: string, parent?: string) => ({
  id,
  reportId: 'r',
  layout,
  config: parent === undefined ? {} : { parent },
});

test('a presentation has a slide for each grid with widgets, in reading order', () => {
  const structure = structureOf([
    widget('a'),
    container('tab', 'Costs'),
    container('tab', 'Sales'),
    container('section', 'Empty', 'Costs'),
    container('section', 'Month', 'Sales'),
    widget('b', 'Sales'),
    widget('c', 'Month'),
  ]);
  assert.deepEqual(
    slidesOf(structure).map(({ titles, widgets }) => [titles.join(' · '), widgets.map(({ id }) => id)]),
    [
      ['', ['a']],
      ['Sales', ['b']],
      ['Sales · Month', ['c']],
    ],
  );
});

test('the interval of a presentation is from 5 seconds to an hour', () => {
  for (const [given, seconds] of [
    ['5', '5'],
    ['3600', '3600'],
    ['4', undefined],
    ['3601', undefined],
    ['1e2', undefined],
    ['30.5', undefined],
    [30, undefined],
  ] as const) {
    assert.equal(readPresentSearch({ 'present-every': given })['present-every'], seconds);
  }
  assert.deepEqual(readPresentSearch({ region: 'north', 'open-tab': 'x' }), { region: 'north' });
});
