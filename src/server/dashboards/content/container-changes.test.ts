import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { describeChanges } from './changes.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const tab = (id: string, config: object, y = 0): Widget => ({
  id,
  reportId: 'builtin:tab',
  layout: { ...layout, y },
  config: { ...config },
});
const section = (id: string, config: object, y = 0): Widget => ({
  ...tab(id, config, y),
  reportId: 'builtin:section',
});
const widget = (id: string, config: object = {}): Widget => ({
  id,
  reportId: 'r',
  layout,
  config: { ...config },
});

const costs = tab('t', { key: 'costs', title: 'Costs' });
const month = section('s', { key: 'month', title: 'By month', parent: 'costs' });

const cases: readonly [
  what: string,
  from: readonly Widget[],
  to: readonly Widget[],
  summaries: readonly string[],
][] = [
  [
    'added tabs, sections and widgets',
    [],
    [costs, month, widget('w', { parent: 'month' })],
    [
      'Tab “Costs” added.',
      'Section “By month” added to tab “Costs”.',
      'Widget of report “r” added at column 1, row 1 of section “By month”.',
    ],
  ],
  [
    'removed tabs and sections, and widgets that were moved out before',
    [costs, month, widget('w', { parent: 'month' })],
    [widget('w')],
    [
      'Widget of report “r” moved out of section “By month”.',
      'Tab “Costs” removed.',
      'Section “By month” removed.',
    ],
  ],
  [
    'widgets that were moved between tabs and sections, and changed',
    [costs, month, widget('v'), widget('w', { parent: 'costs', unit: 'EUR' })],
    [
      costs,
      month,
      widget('v', { parent: 'costs', filters: {} }),
      widget('w', { parent: 'month', unit: 'USD' }),
    ],
    [
      'Widget of report “r” moved to tab “Costs”: changed which filters apply to it.',
      'Widget of report “r” moved from tab “Costs” to section “By month”: changed setting “unit”.',
    ],
  ],
  [
    'settings of tabs and sections',
    [costs, month],
    [
      tab('t', { key: 'costs', title: '' }),
      section('s', { key: 'month', title: 'Months', isCollapsed: true, repeat: { filter: 'country' } }, 3),
    ],
    [
      'Tab “Costs” no longer has a title.',
      'Section “By month” moved.',
      'Section “By month” renamed to “Months”, moved out of tab “Costs”, now collapsed at first, now repeated for each value of filter “country”.',
    ],
  ],
  [
    'what is no longer set, and what only clients of the API set',
    [
      section('s', { key: 's', isCollapsed: true, repeat: { filter: 'a' } }),
      tab('t', { key: 't', color: 1 }),
    ],
    [section('s', { key: 's' }), tab('t', { key: 't', color: 2 })],
    ['Section without a title now expanded at first, no longer repeated.', 'Tab without a title changed.'],
  ],
  [
    'parents that do not exist',
    [widget('w', { parent: 'gone' })],
    [widget('w', { parent: 7 })],
    ['Widget of report “r”: changed setting “parent”.'],
  ],
];

for (const [what, from, to, summaries] of cases) {
  test(`changes are described: ${what}`, () => {
    const changes = describeChanges({ name: 'D', widgets: [...from] }, { name: 'D', widgets: [...to] });
    assert.deepEqual(
      changes.map(({ summary }) => summary),
      summaries,
    );
  });
}
