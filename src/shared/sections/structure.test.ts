import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';
import {
  parentsOf,
  sectionWidgetId,
  structureOf,
  tabWidgetId,
  widgetsInOrder,
  type Structure,
} from './structure.ts';

type Config = Readonly<Record<string, unknown>>;

interface Stored {
  readonly id: string;
  readonly reportId: string;
  readonly layout: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly config: Config;
}

const widget = (id: string, config: Config = {}, y = 0, x = 0): Stored => ({
  id,
  reportId: 'report',
  layout: { x, y, w: 6, h: 4 },
  config,
});
const tab = (id: string, config: Config, y = 0): Stored => ({
  ...widget(id, config, y),
  reportId: tabWidgetId,
});
const section = (id: string, config: Config, y = 0): Stored => ({
  ...widget(id, config, y),
  reportId: sectionWidgetId,
});

/** Returns a structure in short: `widgets; [section: widgets]; <tab: widgets; [section: widgets]>`. */
function outline({ widgets, sections, tabs }: Structure<Stored>): string {
  const idsOf = (each: readonly Stored[]) => each.map(({ id }) => id).join(' ');
  const sectionsOf = (each: Structure<Stored>['sections']) =>
    each.map((one) => `[${one.key}: ${idsOf(one.widgets)}]`).join('');
  return [
    idsOf(widgets),
    sectionsOf(sections),
    ...tabs.map((one) => `<${one.key}: ${idsOf(one.widgets)}${sectionsOf(one.sections)}>`),
  ].join(';');
}

describe('the structure of a dashboard', () => {
  const cases: readonly [what: string, widgets: readonly Stored[], expected: string][] = [
    ['without tabs and sections is one grid in reading order', [widget('b', {}, 1), widget('a')], 'a b;'],
    [
      'has widgets in sections, sections in tabs, and widgets in tabs',
      [
        tab('1', { key: 'costs', title: 'Costs' }, 1),
        tab('2', { key: 'sales' }, 0),
        section('3', { key: 'month', parent: 'costs' }, 1),
        section('4', { key: 'year', parent: 'costs' }, 0),
        section('5', { key: 'top' }),
        widget('a', { parent: 'month' }),
        widget('b', { parent: 'costs' }),
        widget('c', { parent: 'top' }),
        widget('d'),
      ],
      'd;[top: c];<sales: >;<costs: b[year: ][month: a]>',
    ],
    [
      'has widgets of unknown parents at the top',
      [
        widget('a', { parent: 'gone' }),
        widget('b', { parent: 7 }),
        section('s', { key: 'k', parent: 'gone' }),
      ],
      'a b;[k: ]',
    ],
    [
      'has no section in a section, and no tab in anything',
      [
        section('1', { key: 'one', parent: 'two' }),
        section('2', { key: 'two', parent: 'one' }),
        section('3', { key: 'self', parent: 'self' }),
        tab('4', { key: 'tab', parent: 'one' }),
        widget('a', { parent: 'one' }),
      ],
      ';[one: a][two: ][self: ];<tab: >',
    ],
    [
      'gives the first of two tabs or sections with one key what names it, and the other its ID',
      [
        section('1', { key: 'k' }),
        tab('2', { key: 'k' }),
        widget('a', { parent: 'k' }),
        widget('b', { parent: '2' }),
      ],
      ';[k: a];<2: b>',
    ],
    [
      'gives tabs without a valid key their ID',
      [
        tab('1', {}),
        tab('2', { key: '' }),
        tab('3', { key: 'x'.repeat(65) }),
        tab('4', { key: ['k'] }),
        tab('5', { key: '1' }),
        widget('a', { parent: '2' }),
      ],
      ';;<1-0: >;<2: a>;<3: >;<4: >;<1: >',
    ],
  ];
  for (const [what, widgets, expected] of cases) {
    test(what, () => assert.equal(outline(structureOf(widgets)), expected));
  }

  test('has the titles and settings of sections, as far as they are valid', () => {
    const { sections } = structureOf([
      section('1', { key: 'a', title: ' Costs ', isCollapsed: true, repeat: { filter: 'country' } }, 0),
      section('2', { key: 'b', title: 7, isCollapsed: 'yes', repeat: { filter: '' } }, 1),
      section('3', { key: 'c', title: 'x'.repeat(300), repeat: 'country' }, 2),
    ]);
    assert.deepEqual(
      sections.map(({ widget: _widget, widgets: _widgets, ...rest }) => rest),
      [
        { key: 'a', title: 'Costs', isCollapsed: true, repeatedBy: 'country' },
        { key: 'b', title: '', isCollapsed: false },
        { key: 'c', title: 'x'.repeat(200), isCollapsed: false },
      ],
    );
  });

  test('has each widget once, whatever the configs are', () => {
    const key = fc.constantFrom<unknown>('a', 'b', 'c', '', 7, null, '__proto__', 'constructor');
    const any = fc.record({
      id: fc.constantFrom('a', 'b', '1', '2', '3', '4'),
      reportId: fc.constantFrom(tabWidgetId, sectionWidgetId, 'report'),
      layout: fc.record({ x: fc.nat(3), y: fc.nat(3), w: fc.nat(3), h: fc.nat(3) }),
      config: fc.record({ key, parent: key, title: key, repeat: key }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), (widgets) => {
        const structure = structureOf(widgets);
        const { sections, tabs } = structure;
        const containers = [...sections, ...tabs, ...tabs.flatMap((one) => one.sections)];
        assert.deepEqual(
          new Set([...widgetsInOrder(structure), ...containers.map((one) => one.widget)]),
          new Set(widgets),
        );
        assert.equal(new Set(containers.map((one) => one.key)).size, containers.length);
        const parents = parentsOf(widgets);
        for (const one of containers) assert.ok(one.widgets.every((each) => parents.get(each) === one.key));
      }),
      { numRuns: 500 },
    );
  });

  test('is computed quickly for very many tabs and sections', () => {
    const cpuMs = watchCpuTime();
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    const { tabs } = structureOf([
      ...many.map((index) => tab(`t${index}`, { key: `t${index}` })),
      ...many.map((index) => section(`s${index}`, { key: 'same', parent: `t${index}` })),
      ...many.map((index) => widget(`w${index}`, { parent: `s${index}` })),
    ]);
    assert.equal(tabs.length, 20_000);
    assert.ok(cpuMs() < 1_000, `${cpuMs()} ms`);
  });
});
