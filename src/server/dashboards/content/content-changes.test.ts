import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { describeChanges } from './changes.ts';

const widget = (reportId: string, config: Widget['config']): Widget => ({
  id: 'w',
  reportId,
  layout: { x: 0, y: 0, w: 6, h: 4 },
  config,
});
const text = (value: unknown) => widget('builtin:text', { text: value });

/** Returns the changes from one widget to another, in words. */
const wordsOf = (before: Widget[], after: Widget[]): string[] =>
  describeChanges({ name: 'Board', widgets: before }, { name: 'Board', widgets: after }).map(
    ({ summary }) => summary,
  );

test('widgets without a report are named by what they show', () => {
  assert.deepEqual(wordsOf([], [text('# Welcome\nto all')]), ['Text “Welcome” added at column 1, row 1.']);
  assert.deepEqual(wordsOf([text('Old')], [text('New')]), ['Text “Old”: changed setting “text”.']);
  assert.deepEqual(wordsOf([widget('builtin:heading', { text: 'Costs' })], []), [
    'Heading “Costs” removed from column 1, row 1.',
  ]);
  assert.deepEqual(wordsOf([], [text(7)]), ['Text added at column 1, row 1.']);
  assert.deepEqual(wordsOf([], [widget('builtin:divider', {})]), ['Divider added at column 1, row 1.']);
});
