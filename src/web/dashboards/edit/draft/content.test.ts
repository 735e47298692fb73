import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addWidget,
  changeWidget,
  contentOf,
  duplicateWidget,
  editOf,
  moveWidget,
  removeWidget,
  type DraftContent,
} from './content.ts';

const widget = (id: string, x: number, y: number, w: number, h: number, config = {}) => ({
  id,
  reportId: `report of ${id}`,
  layout: { x, y, w, h },
  config,
});
const content = contentOf({
  name: 'Sales',
  widgets: [widget('a', 0, 0, 6, 4), widget('b', 6, 0, 6, 4), widget('c', 0, 4, 12, 2, { title: 'All' })],
});
const layoutsOf = ({ widgets }: DraftContent) =>
  Object.fromEntries(widgets.map(({ key, layout: { x, y, w, h } }) => [key, `${x},${y} ${w}×${h}`]));

test('unchanged content is saved as the server sent it, without an empty description', () => {
  assert.deepEqual(editOf(content), {
    name: 'Sales',
    widgets: content.widgets.map(({ id, reportId, layout, config }) => ({ id, reportId, layout, config })),
  });
});

test('an invalid stored layout is kept until its widget is moved', () => {
  const odd = contentOf({ name: 'Odd', widgets: [widget('a', 0, 0, 6, 4), widget('b', 20, -3, 30, 2)] });
  const moved = moveWidget(odd, 'a', { x: 0, y: 10, w: 6, h: 4 });
  assert.deepEqual(layoutsOf(moved), { a: '0,10 6×4', b: '20,-3 30×2' });
  assert.equal(moveWidget(odd, 'a', { x: 0, y: 2, w: 6, h: 4 }), odd, 'it is already shown there');
});

test('a new widget is placed in the first free slot, or else below all others', () => {
  const added = addWidget(content, 'new', 'report');
  assert.deepEqual(added.widgets.at(-1), {
    key: 'new',
    reportId: 'report',
    layout: { x: 0, y: 6, w: 6, h: 4 },
    config: {},
  });
  assert.equal(layoutsOf(addWidget(added, 'next', 'report'))['next'], '6,6 6×4');
});

test('a copy is placed directly below its widget, and the widgets there move down', () => {
  const copied = duplicateWidget(content, 'a', 'copy');
  assert.deepEqual(layoutsOf(copied), { a: '0,0 6×4', b: '6,0 6×4', c: '0,8 12×2', copy: '0,4 6×4' });
  assert.deepEqual(copied.widgets.at(-1)?.reportId, 'report of a');
  assert.equal(copied.widgets.at(-1)?.id, undefined);
});

test('a widget can be removed, and its report and title can be changed', () => {
  assert.deepEqual(Object.keys(layoutsOf(removeWidget(content, 'b'))), ['a', 'c']);
  const titled = changeWidget(content, 'a', { reportId: 'other', title: 'Mine' });
  assert.deepEqual(titled.widgets[0]?.config, { title: 'Mine' });
  assert.equal(titled.widgets[0]?.reportId, 'other');
  assert.deepEqual(changeWidget(content, 'c', { reportId: 'c', title: '' }).widgets[2]?.config, {});
});
