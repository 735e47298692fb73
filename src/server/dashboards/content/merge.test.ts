import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import type { MergeConflict } from '#contract/records/history.ts';
import { isContainer, parentsOf } from '#shared/sections/structure.ts';
import { watchCpuTime } from '../../../../tests/support/cpu-time.ts';
import { applyEdits, contentEdits, dashboardContent } from '../../../../tests/support/dashboards/edits.ts';
import { roundsOr } from '../../../../tests/support/rounds.ts';
import { widgetParts, type DashboardContent } from './content.ts';
import { isSameJson } from '../../records/fields.ts';
import { applyDelta, deltaBetween } from './delta.ts';
import { mergeContents } from './merge.ts';

/** A base, and the edits that two people make to it at the same time. */
const twoEdits = fc
  .tuple(dashboardContent, contentEdits, contentEdits)
  .map(([base, mine, theirs]) => ({ base, mine: applyEdits(base, mine), theirs: applyEdits(base, theirs) }));

const find = ({ widgets }: DashboardContent, id: string): Widget | undefined =>
  widgets.find((widget) => widget.id === id);

const idsOf = (...contents: DashboardContent[]): Set<string> =>
  new Set(contents.flatMap(({ widgets }) => widgets.map(({ id }) => id)));

const overlaps = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

/** Whether the merge has moved a layout: it is the same except further down. */
const isMovedDown = (layout: WidgetLayout, from: WidgetLayout): boolean =>
  layout.y > from.y && isSameJson({ ...layout, y: from.y }, from);

const rounds = roundsOr(1_000);
const holds = (
  property: (edits: { base: DashboardContent; mine: DashboardContent; theirs: DashboardContent }) => void,
) => fc.assert(fc.property(twoEdits, property), { numRuns: rounds });

describe('a merge of two edits', () => {
  test('is one edit if the other changes nothing', () => {
    holds(({ base, mine }) => {
      assert.deepEqual(mergeContents(base, mine, base), { merged: mine, conflicts: [] });
      assert.deepEqual(mergeContents(base, base, mine), { merged: mine, conflicts: [] });
      assert.deepEqual(mergeContents(base, mine, mine), { merged: mine, conflicts: [] });
    });
  });

  test('keeps what only one side changed', () => {
    holds(({ base, mine, theirs }) => {
      const { merged } = mergeContents(base, mine, theirs);
      for (const [changed, unchanged] of [
        [mine, theirs],
        [theirs, mine],
      ] as const) {
        if (unchanged.name === base.name) assert.equal(merged.name, changed.name);
        if (unchanged.description === base.description) assert.equal(merged.description, changed.description);
        for (const before of base.widgets) {
          const [one, other] = [find(changed, before.id), find(unchanged, before.id)];
          const result = find(merged, before.id);
          if (one === undefined || other === undefined) continue;
          assert.ok(result);
          for (const part of widgetParts.filter((name) => isSameJson(other[name], before[name]))) {
            if (part === 'layout' && isMovedDown(result.layout, one.layout)) continue;
            assert.deepEqual(result[part], one[part]);
          }
        }
      }
    });
  });

  test('neither loses nor duplicates a widget', () => {
    holds(({ base, mine, theirs }) => {
      const { merged } = mergeContents(base, mine, theirs);
      const expected = [...idsOf(mine, theirs)].filter((id) => {
        const [before, one, other] = [find(base, id), find(mine, id), find(theirs, id)];
        // A widget that one side removed is gone if the other side didn't change it.
        return before === undefined || (one && other) || !isSameJson(one ?? other, before);
      });
      const ids = merged.widgets.map(({ id }) => id);
      assert.deepEqual(ids.toSorted(), expected.toSorted());
    });
  });

  test('has the same result and the same conflicts if the sides are swapped', () => {
    let withoutConflicts = 0;
    holds(({ base, mine, theirs }) => {
      const one = mergeContents(base, mine, theirs);
      const other = mergeContents(base, theirs, mine);
      assert.equal(one.conflicts.length, other.conflicts.length);
      if (one.conflicts.length > 0) return;
      withoutConflicts += 1;
      assert.deepEqual(one.merged, other.merged);
    });
    assert.ok(withoutConflicts > rounds / 3, `${withoutConflicts} of ${rounds}`);
  });

  test('conflicts exactly where both sides changed the same part differently', () => {
    let conflicts = 0;
    holds(({ base, mine, theirs }) => {
      const merge = mergeContents(base, mine, theirs);
      conflicts += merge.conflicts.length;
      const differ = (a: unknown, b: unknown, c: unknown) =>
        !isSameJson(a, b) && !isSameJson(b, c) && !isSameJson(a, c);
      const expected = [
        ...(['name', 'description'] as const).filter((name) => differ(base[name], mine[name], theirs[name])),
        ...[...idsOf(mine, theirs)].flatMap((id) => {
          const [before, one, other] = [find(base, id), find(mine, id), find(theirs, id)];
          if (one && other) {
            return widgetParts
              .filter((part) => differ(before?.[part], one[part], other[part]))
              .filter((part) => part !== 'config' || !canMergeConfigs(before, one, other))
              .map((part) => `${id} ${part}`);
          }
          return before !== undefined && !isSameJson(before, one ?? other) ? [`${id} `] : [];
        }),
      ];
      assert.deepEqual(
        merge.conflicts.map((conflict) => nameOf(conflict, merge.merged)).toSorted(),
        expected.toSorted(),
      );
    });
    assert.ok(conflicts > rounds / 6, `${conflicts} conflicts`);
  });

  test('puts no widgets on top of each other that neither side put there', () => {
    let moved = 0;
    holds(({ base, mine, theirs }) => {
      const { merged } = mergeContents(base, mine, theirs);
      const gridsOf = (content: DashboardContent) => {
        const parents = parentsOf(content.widgets);
        return (id: string) => {
          const widget = find(content, id);
          return widget && parents.get(widget);
        };
      };
      const [inMerged, inMine, inTheirs] = [gridsOf(merged), gridsOf(mine), gridsOf(theirs)];
      const overlapped = (
        content: DashboardContent,
        gridOf: typeof inMine,
        one: string,
        other: string,
      ): boolean => {
        const [first, second] = [find(content, one), find(content, other)];
        return (
          first !== undefined &&
          second !== undefined &&
          gridOf(one) === gridOf(other) &&
          overlaps(first.layout, second.layout)
        );
      };
      const onGrid = merged.widgets.filter((widget) => !isContainer(widget));
      for (const [index, one] of onGrid.entries()) {
        if (![mine, theirs].some((side) => isSameJson(find(side, one.id)?.layout, one.layout))) moved += 1;
        for (const other of onGrid.slice(index + 1)) {
          if (!overlapped(merged, inMerged, one.id, other.id)) continue;
          const isOfOneSide =
            overlapped(mine, inMine, one.id, other.id) || overlapped(theirs, inTheirs, one.id, other.id);
          assert.ok(isOfOneSide, JSON.stringify({ base, mine, theirs, one, other }));
        }
      }
    });
    assert.ok(moved > rounds / 40, `${moved} widgets moved`);
  });

  test('is fast for many widgets with any layouts', () => {
    const many = 20_000;
    const widgets = (idPrefix: string, layoutOf: (index: number) => WidgetLayout): Widget[] =>
      Array.from({ length: many }, (_, index) => ({
        id: `${idPrefix}${index}`,
        reportId: 'r',
        layout: layoutOf(index),
        config: {},
      }));
    const base = { name: 'Big', widgets: [] };
    for (const [mine, theirs] of [
      [() => ({ x: 0, y: 0, w: 12, h: 1 }), () => ({ x: 0, y: 0, w: 12, h: 1 })],
      [
        (index: number) => ({ x: index % 12, y: index, w: 1, h: 1e15 }),
        () => ({ x: -5, y: -1e300, w: 1e300, h: 1e300 }),
      ],
      [
        (index: number) => ({ x: 0, y: index * 2, w: 12, h: 2 }),
        (index: number) => ({ x: 0, y: index * 2 + 1, w: 12, h: 2 }),
      ],
    ] as const) {
      const cpuMs = watchCpuTime();
      const { merged } = mergeContents(
        base,
        { name: 'Big', widgets: widgets('a', mine) },
        { name: 'Big', widgets: widgets('b', theirs) },
      );
      assert.equal(merged.widgets.length, 2 * many);
      assert.ok(cpuMs() < 1_500, `${cpuMs()} ms`);
    }
  });

  test('keeps numbers in layouts near the largest number', () => {
    const many = 2_000;
    const side = (prefix: string, last: readonly Widget[]): DashboardContent => ({
      name: 'Far',
      widgets: [
        ...last,
        ...Array.from({ length: many }, (_, index) => ({
          id: `${prefix}${index}`,
          reportId: 'r',
          layout: { x: 0, y: 0, w: 12, h: 1 },
          config: {},
        })),
      ],
    });
    const far = { id: 'far', reportId: 'r', layout: { x: 0, y: 1.7e308, w: 12, h: 1.7e308 }, config: {} };
    const { merged } = mergeContents({ name: 'Far', widgets: [] }, side('a', []), side('b', [far]));
    assert.deepEqual(
      merged.widgets.filter(({ layout }) => !Object.values(layout).every(Number.isInteger)),
      [],
    );
  });
});

/**
 * Whether the configs of a widget can be merged: apart from its parent, only one side changed the settings; or it is a tab or
 * section, whose settings are independent.
 */
function canMergeConfigs(base: Widget | undefined, one: Widget, other: Widget): boolean {
  if (base === undefined) return false;
  const widgets = [base, one, other];
  const names = [...new Set(widgets.flatMap(({ config }) => Object.keys(config)))];
  const conflicts = (group: readonly string[]) =>
    new Set(
      widgets.map(({ config }) =>
        JSON.stringify(
          group.filter((name) => Object.hasOwn(config, name)).map((name) => [name, config[name]]),
        ),
      ),
    ).size === 3;
  const groups = widgets.every(isContainer)
    ? names.map((name) => [name])
    : [['parent'], names.filter((name) => name !== 'parent')];
  return !groups.some(conflicts);
}

/** Returns the name of what conflicts, found by its pointer. */
function nameOf({ pointer, widgetId = '' }: MergeConflict, { widgets }: DashboardContent): string {
  const [, index, part = ''] = /^\/widgets\/(\d+)\/?(.*)$/.exec(pointer) ?? [];
  if (index === undefined) return pointer.slice(1);
  assert.equal(widgets[Number(index)]?.id, widgetId);
  return `${widgetId} ${part}`;
}

describe('a delta', () => {
  test('turns one content into the other, and is empty if they are equal', () => {
    holds(({ base, mine, theirs }) => {
      const stored = JSON.parse(JSON.stringify(deltaBetween(mine, theirs))) as ReturnType<
        typeof deltaBetween
      >;
      assert.deepEqual(applyDelta(mine, stored), theirs);
      assert.deepEqual(applyDelta(theirs, deltaBetween(theirs, base)), base);
      assert.deepEqual(deltaBetween(mine, mine), {});
    });
  });

  test('is applied to more widgets than a call can have arguments', () => {
    const widgets = Array.from({ length: 200_000 }, (_, index) => ({
      id: `w${index}`,
      reportId: 'r',
      layout: { x: 0, y: index, w: 1, h: 1 },
      config: {},
    }));
    const [from, to] = [
      { name: 'Big', widgets: widgets.slice(0, -1) },
      { name: 'Big', widgets },
    ];
    assert.equal(applyDelta(from, deltaBetween(from, to)).widgets.length, widgets.length);
  });
});

describe('a merge of annotations', () => {
  const head = { name: 'Board' };
  const annotated = (config: Widget['config']): DashboardContent => ({
    ...head,
    widgets: [{ id: 'a', reportId: 'builtin:annotations', layout: { x: 0, y: 0, w: 0, h: 0 }, config }],
  });
  const release = { from: '2026-01-31', text: 'Release' };
  const sale = { from: '2026-02-01', text: 'Sale' };
  const base = annotated({ release, sale });

  test('keeps what two people change in different annotations', () => {
    const mine = annotated({ release: { ...release, color: '3' }, outage: sale });
    const theirs = annotated({ release, sale, party: sale });
    const { merged, conflicts } = mergeContents(base, mine, theirs);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(
      merged.widgets.map(({ config }) => config),
      [{ release: { ...release, color: '3' }, outage: sale, party: sale }],
    );
  });

  test('asks if two people change the same annotation', () => {
    const mine = annotated({ release: { ...release, text: 'Release 2' }, sale });
    const theirs = annotated({ release: { ...release, text: 'Release 3' }, sale });
    assert.deepEqual(
      mergeContents(base, mine, theirs).conflicts.map(({ pointer }) => pointer),
      ['/widgets/0/config'],
    );
  });
});
