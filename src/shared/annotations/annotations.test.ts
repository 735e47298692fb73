import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsOfWidgets, annotationWidgetId, maxAnnotations } from './annotations.ts';

const widget = (config: Readonly<Record<string, unknown>>) => ({ reportId: annotationWidgetId, config });
const note = { from: '2026-01-31', text: 'Release' };

test('the annotations of a dashboard are those of all widgets that have any, the earliest first', () => {
  const widgets = [
    widget({ b: { from: '2026-02-01T09:30:00Z', text: 'Outage', color: '4' }, a: note }),
    { reportId: 'report', config: { c: note } },
    widget({ a: { ...note, text: 'Other' }, d: { from: '2026-01-01', to: '2026-01-05', text: 'Sale' } }),
  ];
  assert.deepEqual(annotationsOfWidgets(widgets), [
    { key: 'd', from: '2026-01-01', to: '2026-01-05', text: 'Sale' },
    { key: 'a', ...note },
    { key: 'b', from: '2026-02-01T09:30:00Z', text: 'Outage', color: '4' },
  ]);
});

const invalid: readonly [what: string, value: unknown][] = [
  ['null', null],
  ['a text', 'Release'],
  ['no text', { from: '2026-01-31' }],
  ['an empty text', { from: '2026-01-31', text: ' ' }],
  ['a long text', { from: '2026-01-31', text: 'x'.repeat(301) }],
  ['no time', { text: 'Release' }],
  ['a day that does not exist', { from: '2026-02-30', text: 'Release' }],
  ['a time without a zone', { from: '2026-01-31T10:00:00', text: 'Release' }],
  ['a long time', { from: `2026-01-31${'0'.repeat(100_000)}`, text: 'Release' }],
  ['a number', { from: 5, text: 'Release' }],
];

for (const [what, value] of invalid) {
  test(`${what} is no annotation`, () => {
    assert.deepEqual(annotationsOfWidgets([widget({ a: value, b: note })]), [{ key: 'b', ...note }]);
  });
}

test('an end before the start and an unknown color are left out', () => {
  const value = { ...note, to: '2026-01-30', color: '13' };
  assert.deepEqual(annotationsOfWidgets([widget({ a: value })]), [{ key: 'a', ...note }]);
});

test('at most a hundred annotations are shown', () => {
  const config = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`note ${index}`, note]));
  assert.equal(annotationsOfWidgets([widget(config), widget({ more: note })]).length, maxAnnotations);
});
