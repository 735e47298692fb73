import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { sectionWidgetId, structureOf, tabWidgetId, widgetsInOrder } from '#shared/sections/structure.ts';
import { applyEdits, contentEdits } from '../../../../tests/support/dashboards/edits.ts';
import type { DashboardContent } from './content.ts';
import { mergeContents } from './merge.ts';

const widget = (id: string, parent?: string, y = 0, config: Widget['config'] = {}): Widget => ({
  id,
  reportId: 'report',
  layout: { x: 0, y, w: 6, h: 4 },
  config: { ...(parent !== undefined && { parent }), ...config },
});
const tab = (id: string, key: string, title = key): Widget => ({
  id,
  reportId: tabWidgetId,
  layout: { x: 0, y: 0, w: 12, h: 1 },
  config: { key, title },
});
const section = (id: string, key: string, parent?: string): Widget => ({
  ...widget(id, parent, 0, { key, title: key }),
  reportId: sectionWidgetId,
});
const content = (...widgets: readonly Widget[]): DashboardContent => ({ name: 'Sales', widgets });

const costs = tab('1', 'costs');
const sales = tab('2', 'sales');

/** Where each widget of a content is: its grid, row and ID. */
const placesOf = ({ widgets }: DashboardContent): string[] => {
  const { widgets: above, sections, tabs } = structureOf(widgets);
  const of = (grid: string, each: readonly Widget[]) =>
    each.map(({ id, layout }) => `${grid} ${layout.y} ${id}`);
  return [
    ...of('top', above),
    ...[...sections, ...tabs, ...tabs.flatMap((one) => one.sections)].flatMap((one) =>
      of(one.key, one.widgets),
    ),
  ];
};

describe('a merge of dashboards with tabs and sections', () => {
  test('neither conflicts nor moves anything when two people edit two tabs', () => {
    /** Returns the edits of a tab: all widgets that they add or change stay on it. */
    const within = (before: readonly Widget[], key: string) => (edits: Parameters<typeof applyEdits>[1]) =>
      applyEdits(
        content(...before),
        edits.filter(({ kind }) => kind === 'add' || kind === 'change' || kind === 'remove'),
      ).widgets.map((each) => ({ ...each, reportId: 'report', config: { ...each.config, parent: key } }));
    const inCosts = [widget('a', 'costs'), widget('b', 'costs', 4)];
    const inSales = [widget('c', 'sales'), widget('d', 'sales', 4)];
    const base = content(costs, sales, ...inCosts, ...inSales);
    fc.assert(
      fc.property(
        contentEdits.map(within(inCosts, 'costs')),
        contentEdits.map(within(inSales, 'sales')),
        (mine, theirs) => {
          const { merged, conflicts } = mergeContents(
            base,
            content(costs, sales, ...mine, ...inSales),
            content(costs, sales, ...inCosts, ...theirs),
          );
          assert.deepEqual(conflicts, []);
          const sorted = (widgets: readonly Widget[]) =>
            widgets.toSorted((one, other) => (one.id < other.id ? -1 : 1));
          assert.deepEqual(sorted(merged.widgets), sorted([costs, sales, ...mine, ...theirs]));
        },
      ),
    );
  });

  const before = content(
    costs,
    sales,
    widget('a', 'costs'),
    section('3', 'month', 'sales'),
    widget('b', 'month'),
  );
  const cases: readonly [
    what: string,
    mine: DashboardContent,
    theirs: DashboardContent,
    places: readonly string[],
  ][] = [
    [
      'puts a widget that was added to a removed tab at the top, below what is there',
      content(sales, section('3', 'month', 'sales'), widget('b', 'month'), widget('t')),
      content(...before.widgets, widget('new', 'costs')),
      ['top 0 t', 'top 4 new', 'month 0 b'],
    ],
    [
      'puts a widget that was added to a section of a removed tab at the top',
      content(costs, widget('a', 'costs')),
      content(...before.widgets, widget('new', 'month')),
      ['top 0 new', 'costs 0 a'],
    ],
    [
      'moves a widget to another tab although its title was changed, and below what was added there',
      content(costs, sales, widget('a', 'sales'), section('3', 'month', 'sales'), widget('b', 'month')),
      content(
        costs,
        sales,
        widget('a', 'costs', 0, { title: 'Costs' }),
        section('3', 'month', 'sales'),
        widget('b', 'month'),
        widget('c', 'sales'),
      ),
      ['sales 0 a', 'sales 4 c', 'month 0 b'],
    ],
    [
      'changes the title of a section that was collapsed and moved to another tab',
      content(
        costs,
        sales,
        widget('a', 'costs'),
        { ...section('3', 'month', 'sales'), config: { key: 'month', title: 'Months', parent: 'sales' } },
        widget('b', 'month'),
      ),
      content(
        costs,
        sales,
        widget('a', 'costs'),
        {
          ...section('3', 'month', 'costs'),
          config: { key: 'month', title: 'month', parent: 'costs', isCollapsed: true },
        },
        widget('b', 'month'),
      ),
      ['costs 0 a', 'month 0 b'],
    ],
  ];
  for (const [what, mine, theirs, places] of cases) {
    test(what, () => {
      for (const sides of [
        [mine, theirs],
        [theirs, mine],
      ] as const) {
        const { merged, conflicts } = mergeContents(before, ...sides);
        assert.deepEqual(conflicts, []);
        assert.deepEqual(placesOf(merged), places);
      }
    });
  }

  test('reports a conflict when two people move a widget to different tabs, and loses nothing', () => {
    const away = tab('4', 'away');
    const base = content(costs, sales, away, widget('a', 'costs'));
    const { merged, conflicts } = mergeContents(
      base,
      content(costs, sales, away, widget('a', 'sales')),
      content(costs, sales, away, widget('a', 'away')),
    );
    assert.deepEqual(
      conflicts.map(({ pointer, mine, theirs }) => [pointer, mine, theirs]),
      [['/widgets/3/config', { parent: 'sales' }, { parent: 'away' }]],
    );
    assert.equal(widgetsInOrder(structureOf(merged.widgets)).length, 1);
  });
});
