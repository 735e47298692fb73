import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { overlap } from '#shared/grid/layout.ts';
import { isContainer, keysOf, parentsOf, structureOf, type Section } from '#shared/sections/structure.ts';
import { swapWithNeighbor } from '../../view/reading-order.ts';
import {
  addSection,
  addTab,
  changeContainer,
  moveContainer,
  moveSection,
  newContainerKey,
  removeContainer,
} from './containers.ts';
import {
  addWidget,
  duplicateWidget,
  moveWidget,
  removeWidget,
  tidyUp,
  type DraftContent,
  type DraftWidget,
} from './content.ts';
import { widgetsOnGrid } from './grids.ts';
import { moveGrid, moveToGrid, placesIn } from './moving.ts';

const empty: DraftContent = { name: 'D', description: '', widgets: [] };

/** Two tabs, a section in the first, and a section above the tabs, each with a widget; and a widget above all. */
function sample(): DraftContent {
  let content = addTab(empty, 'tab1', { title: 'Costs' });
  content = addTab(content, 'tab2', { title: 'Sales' });
  content = addSection(content, 'costs-tab1', 'month', { title: 'By month' });
  content = addSection(content, '', 'top', { title: 'Top' });
  content = addWidget(content, 'a', 'report');
  content = addWidget(content, 'b', 'report', undefined, 'costs-tab1');
  content = addWidget(content, 'c', 'report', undefined, 'by-month-month');
  return addWidget(content, 'd', 'report', undefined, 'top-top');
}

/** Returns a dashboard in short: `widgets; [section: widgets]; <tab: widgets; [section: widgets]>`, by titles. */
function outline({ widgets }: DraftContent): string {
  const { widgets: top, sections, tabs } = structureOf(widgets);
  const keys = (each: readonly { readonly key: string }[]) => each.map(({ key }) => key).join(' ');
  const ofSections = (each: readonly Section<DraftContent['widgets'][number]>[]) =>
    each.map((one) => `[${one.title}: ${keys(one.widgets)}]`).join('');
  const ofTabs = tabs.map((tab) => `<${tab.title}: ${keys(tab.widgets)}${ofSections(tab.sections)}>`);
  return `${keys(top)};${ofSections(sections)};${ofTabs.join('')}`;
}

describe('tabs and sections of an edit', () => {
  const cases: readonly [what: string, change: (content: DraftContent) => DraftContent, expected: string][] =
    [
      ['are added with widgets', (content) => content, 'a;[Top: d];<Costs: b[By month: c]><Sales: >'],
      [
        'are renamed',
        (content) => changeContainer(content, 'tab1', { title: 'Money' }),
        'a;[Top: d];<Money: b[By month: c]><Sales: >',
      ],
      [
        'are reordered',
        (content) => moveContainer(content, 'tab2', 0),
        'a;[Top: d];<Sales: ><Costs: b[By month: c]>',
      ],
      [
        'stay in their order if they are moved past the end',
        (content) => moveContainer(moveContainer(content, 'tab2', 7), 'top', -1),
        'a;[Top: d];<Costs: b[By month: c]><Sales: >',
      ],
      [
        'are moved to another tab',
        (content) => moveSection(content, 'month', 'sales-tab2'),
        'a;[Top: d];<Costs: b><Sales: [By month: c]>',
      ],
      [
        'are moved out of their tab, after the sections there',
        (content) => moveSection(content, 'month', ''),
        'a;[Top: d][By month: c];<Costs: b><Sales: >',
      ],
      [
        'are removed with what is in them',
        (content) => removeContainer(content, 'tab1'),
        'a;[Top: d];<Sales: >',
      ],
      [
        'are removed, and what is in them moves to another tab',
        (content) => removeContainer(content, 'tab1', 'sales-tab2'),
        'a;[Top: d];<Sales: b[By month: c]>',
      ],
      [
        'are removed, and what is in them moves to the top level',
        (content) => removeContainer(removeContainer(content, 'top', ''), 'tab1', ''),
        'a d b;[By month: c];<Sales: >',
      ],
      [
        'are unchanged by moves to themselves, and of what is not there',
        (content) =>
          removeContainer(moveToGrid(moveContainer(content, 'a', 1), 'gone', ''), 'tab1', 'costs-tab1'),
        'a;[Top: d];<Costs: b[By month: c]><Sales: >',
      ],
      [
        'get widgets of others',
        (content) => moveToGrid(moveToGrid(content, 'a', 'sales-tab2'), 'c', ''),
        'c;[Top: d];<Costs: b[By month: ]><Sales: a>',
      ],
      [
        'get all widgets of others',
        (content) => moveGrid(moveGrid(content, 'costs-tab1', ''), '', 'by-month-month'),
        ';[Top: d];<Costs: [By month: c a b]><Sales: >',
      ],
    ];
  for (const [what, change, expected] of cases) {
    test(what, () => assert.equal(outline(change(sample())), expected));
  }

  test('have readable keys that differ even for the same title', () => {
    assert.equal(newContainerKey('Umsatz & Größe 2026', '0123456789'), 'umsatz-gro-e-2026-01234567');
    assert.equal(newContainerKey('収益', '0123456789'), '01234567');
    assert.ok(newContainerKey('x'.repeat(300), '0123456789').length <= 64);
  });

  test('keep settings that people cannot change, and lose those that are cleared', () => {
    const settings = { title: 'Month', isCollapsed: true, repeatedBy: 'country' };
    const changed = changeContainer(sample(), 'month', settings);
    const configOf = (content: DraftContent) => content.widgets.find(({ key }) => key === 'month')?.config;
    assert.deepEqual(configOf(changed), {
      key: 'by-month-month',
      parent: 'costs-tab1',
      title: 'Month',
      isCollapsed: true,
      repeat: { filter: 'country' },
    });
    assert.deepEqual(configOf(changeContainer(changed, 'month', { title: '' })), {
      key: 'by-month-month',
      parent: 'costs-tab1',
    });
  });

  test('are listed as places for widgets', () => {
    assert.deepEqual(
      placesIn(sample().widgets).map(({ key, name }) => [key, name]),
      [
        ['', 'Above the tabs'],
        ['top-top', 'Top'],
        ['costs-tab1', 'Costs'],
        ['by-month-month', 'Costs › By month'],
        ['sales-tab2', 'Sales'],
      ],
    );
  });

  test('have a widget that is dropped on their grid where it was dropped', () => {
    const content = moveToGrid(sample(), 'a', 'costs-tab1', { x: 3, y: 0, w: 6, h: 4 });
    const placed = widgetsOnGrid(content.widgets, 'costs-tab1').map(({ key, layout: { x, y } }) => [
      key,
      x,
      y,
    ]);
    assert.deepEqual(Object.fromEntries(placed.map(([key, ...at]) => [key, at])), { a: [3, 0], b: [0, 4] });
  });

  test('a widget is swapped only with widgets of its grid', () => {
    const one = addWidget(sample(), 'e', 'report', { w: 12, h: 2 }, 'costs-tab1');
    const other = swapWithNeighbor(one, 'e', -1);
    assert.equal(outline(other), 'a;[Top: d];<Costs: e b[By month: c]><Sales: >');
    assert.equal(swapWithNeighbor(one, 'a', 1), one);
  });
});

test('whatever people do, no widget is lost, keys are unique, and widgets of a grid never begin to overlap', () => {
  const pick = fc.nat(30);
  const action = fc.record({
    kind: fc.constantFrom(
      'tab',
      'section',
      'widget',
      'move',
      'resize',
      'moveAll',
      'reorder',
      'moveSection',
      'moveOut',
      'delete',
      'duplicate',
      'remove',
      'tidyUp',
      'swap',
    ),
    one: pick,
    other: pick,
    x: fc.nat(11),
    y: fc.nat(8),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let content = empty;
      for (const [index, { kind, one, other, x, y }] of actions.entries()) {
        const places = placesIn(content.widgets);
        const place = places[one % places.length]?.key ?? '';
        const elsewhere = places[other % places.length];
        const onGrids = content.widgets.filter((widget) => !isContainer(widget));
        const widget = onGrids[one % Math.max(1, onGrids.length)]?.key ?? 'none';
        const containers = content.widgets.filter(isContainer);
        const container = containers[one % Math.max(1, containers.length)];
        const isTab = container?.reportId === 'builtin:tab';
        const count = () => content.widgets.filter((each) => !isContainer(each)).length;
        const before = count();
        const key = `k${index}`;
        const layout = { x: Math.min(x, 6), y, w: 6, h: 3 };
        const parents = parentsOf(content.widgets);
        const isIn = (each: DraftWidget, top: DraftWidget | undefined): boolean => {
          const parent = containers.find(({ config }) => config['key'] === parents.get(each));
          return parent !== undefined && (parent === top || isIn(parent, top));
        };
        const tabOrTop = elsewhere === undefined || elsewhere.kind === 'section' ? '' : elsewhere.key;
        const change = (): DraftContent => {
          switch (kind) {
            case 'tab':
              return addTab(content, key, { title: 'Tab' });
            case 'section':
              return addSection(content, tabOrTop, key, { title: 'Section' });
            case 'widget':
              return addWidget(content, key, 'report', { w: (x % 6) + 1, h: (y % 4) + 1 }, place);
            case 'move':
              return moveToGrid(content, widget, elsewhere?.key ?? '', x % 2 === 0 ? layout : undefined);
            case 'resize':
              return moveWidget(content, widget, layout);
            case 'moveAll':
              return moveGrid(content, place, elsewhere?.key ?? '');
            case 'reorder':
              return moveContainer(content, container?.key ?? '', y);
            case 'moveSection':
              return container === undefined || isTab
                ? content
                : moveSection(content, container.key, tabOrTop);
            case 'moveOut':
              return container === undefined || keysOf(content.widgets).get(container) === tabOrTop
                ? content
                : removeContainer(content, container.key, tabOrTop);
            case 'delete':
              return removeContainer(content, container?.key ?? '');
            case 'duplicate':
              return duplicateWidget(content, widget, key);
            case 'remove':
              return removeWidget(content, widget);
            case 'tidyUp':
              return tidyUp(content);
            case 'swap':
              return swapWithNeighbor(content, widget, x % 2 === 0 ? 1 : -1);
          }
        };
        content = change();
        const difference = count() - before;
        if (kind === 'widget') assert.equal(difference, 1);
        else if (kind === 'duplicate') assert.equal(difference, onGrids.length === 0 ? 0 : 1);
        else if (kind === 'remove') assert.equal(difference, onGrids.length === 0 ? 0 : -1);
        else if (kind !== 'delete') assert.equal(difference, 0, kind);
        else assert.ok(onGrids.every((each) => content.widgets.includes(each) || isIn(each, container)));

        const keys = content.widgets.map((each) => each.key);
        assert.equal(new Set(keys).size, keys.length);
        const named = [...keysOf(content.widgets)];
        assert.ok(named.every(([{ config }, own]) => config['key'] === own));
        for (const { key: parent } of placesIn(content.widgets)) {
          const there = widgetsOnGrid(content.widgets, parent);
          for (const each of there) {
            assert.ok(
              there.every((neighbor) => neighbor === each || !overlap(neighbor.layout, each.layout)),
              kind,
            );
          }
        }
      }
    }),
    { numRuns: 200 },
  );
});
