import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from './content.ts';
import { dashboardDrafts } from './kind.ts';

const widget = { id: 'a', reportId: 'r', layout: { x: 0, y: 0, w: 6, h: 4 }, config: { title: '<b>' } };
const content = contentOf({ name: 'Sales', widgets: [widget] });

test('content is accepted only in the form that this version stores', () => {
  assert.equal(dashboardDrafts.isContent(content), true);
  for (const other of [
    undefined,
    null,
    [],
    { ...content, name: 1 },
    { ...content, widgets: {} },
    { ...content, widgets: [{ ...widget, key: 'a', layout: { x: 0.5 } }] },
    { ...content, widgets: [{ ...widget, key: 'a', layout: { ...widget.layout, x: 0.5 } }] },
  ]) {
    assert.equal(dashboardDrafts.isContent(other), false, JSON.stringify(other));
  }
});
