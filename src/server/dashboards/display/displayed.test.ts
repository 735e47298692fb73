import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { toDisplayed } from './displayed.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const widget = (id: string, reportId: string, config: Widget['config'] = {}): Widget => ({
  id,
  reportId,
  layout,
  config: { ...config, hidden: 'hidden' },
});

test('a display gets of each widget only what its page shows', () => {
  const widgets = [
    widget('w1', 'r1', { title: 'Sales', parent: 't', filters: { region: 'area', other: 'hidden' } }),
    widget('w2', 'r2', { title: 'hidden', filters: { region: 'hidden' } }),
    widget('tab', 'builtin:tab', { key: 't', title: 'Tab' }),
    widget('empty', 'builtin:tab', { key: 'e', title: 'hidden' }),
    widget('text', 'builtin:text', { text: 'Hello', title: 3 }),
    widget('image', 'builtin:image', { image: '{{Sales > logo}}', url: 'javascript:hidden' }),
    widget('notes', 'builtin:annotations', { n: { from: '2026-01-01', text: 'hidden' } }),
    widget('unknown', 'builtin:hidden'),
    widget('filters', 'builtin:filters', {
      filters: [
        {
          name: 'region',
          kind: 'select',
          default: 'north',
          values: { reportId: 'hidden', column: 'hidden' },
        },
      ],
    }),
  ];
  const displayed = toDisplayed(widgets, ({ id }) => id === 'w2');
  assert.deepEqual(displayed, [
    { id: 'w2', layout, config: {} },
    { id: 'text', builtIn: 'builtin:text', layout, config: { text: 'Hello' } },
    {
      id: 'image',
      builtIn: 'builtin:image',
      layout,
      config: { image: '{{Sales > logo}}', description: '', fit: 'whole' },
    },
    { id: 'tab', builtIn: 'builtin:tab', layout, config: { key: 't', title: 'Tab' } },
    { id: 'w1', layout, config: { title: 'Sales', filters: { region: 'area' }, parent: 't' } },
    {
      id: 'filters',
      builtIn: 'builtin:filters',
      layout,
      config: { filters: [{ name: 'region', kind: 'select', default: 'north' }] },
    },
  ]);
  assert.ok(!JSON.stringify(displayed).includes('hidden'));
});
