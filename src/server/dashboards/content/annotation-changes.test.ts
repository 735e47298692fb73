import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { describeChanges } from './changes.ts';

const layout = { x: 0, y: 0, w: 0, h: 0 };
const annotated = (config: Widget['config']): Widget => ({
  id: 'a',
  reportId: 'builtin:annotations',
  layout,
  config,
});
const release = { from: '2026-01-31', text: 'Release' };
const sale = { from: '2026-02-01', text: 'Sale' };

for (const [name, before, after, words] of [
  ['adding the first annotation', [], [annotated({ release })], 'Annotations: added “Release”.'],
  [
    'changing, adding and removing',
    [annotated({ release, sale })],
    [annotated({ release: { ...release, color: '3' }, party: sale })],
    'Annotations: added “Sale”, changed “Release”, removed “Sale”.',
  ],
  ['removing the widget', [annotated({ release })], [], 'Annotations: removed “Release”.'],
  ['changing what is no annotation', [annotated({})], [annotated({ a: 1 })], 'Annotations: changed.'],
] as const) {
  test(`${name} is described in words`, () => {
    const changes = describeChanges(
      { name: 'Board', widgets: [...before] },
      { name: 'Board', widgets: [...after] },
    );
    assert.deepEqual(
      changes.map(({ summary }) => summary),
      [words],
    );
  });
}
