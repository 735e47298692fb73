import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationWidgetId } from '#shared/annotations/annotations.ts';
import type { DraftContent } from '../draft/content.ts';
import { formOf, toAnnotationOf, withAnnotation, withoutAnnotation } from './draft-annotations.ts';

const layout = { x: 0, y: 0, w: 0, h: 0 };
const contentOf = (...configs: Readonly<Record<string, unknown>>[]): DraftContent => ({
  name: 'Board',
  description: '',
  widgets: configs.map((config, index) => ({
    key: `w${index}`,
    reportId: annotationWidgetId,
    layout,
    config,
  })),
});
const release = { from: '2026-01-31', text: 'Release' };
const sale = { from: '2026-02-01', text: 'Sale' };

test('the first annotation adds a widget, which stays when the last is removed', () => {
  const added = withAnnotation(contentOf(), 'w0', { key: 'a', ...release });
  assert.deepEqual(added, contentOf({ a: release }));
  assert.deepEqual(withoutAnnotation(added, 'a'), contentOf({}));
});

test('an annotation is replaced, and two widgets become one', () => {
  const before = contentOf({ a: release }, { a: sale, b: sale });
  const changed = withAnnotation(before, 'new', { key: 'b', ...release });
  assert.deepEqual(changed, contentOf({ a: release, b: release }));
});

test('what people enter becomes an annotation, and the same again when they edit it', () => {
  const forms = [
    { text: 'Release', day: '2026-01-31', time: '', endDay: '', endTime: '', color: undefined },
    { text: 'Sale', day: '2026-01-31', time: '', endDay: '2026-02-03', endTime: '', color: '3' },
    { text: 'Outage', day: '2026-01-31', time: '09:30', endDay: '2026-01-31', endTime: '11:00', color: '1' },
  ];
  for (const form of forms) {
    const result = toAnnotationOf(form, 'a');
    assert.ok('annotation' in result);
    assert.deepEqual(formOf(result.annotation), form);
  }
});

const valid = { text: 'Release', day: '2026-01-31', time: '', endDay: '', endTime: '', color: undefined };
for (const [what, form, fault] of [
  ['without a text', { ...valid, text: ' ' }, 'text'],
  ['without a date', { ...valid, day: '' }, 'day'],
  ['that ends before it starts', { ...valid, endDay: '2026-01-30' }, 'endDay'],
  ['that ends at a time of no day', { ...valid, endTime: '10:00' }, 'endDay'],
] as const) {
  test(`an annotation ${what} is refused`, () => {
    const result = toAnnotationOf(form, 'a');
    assert.equal('fault' in result && result.fault, fault);
  });
}
