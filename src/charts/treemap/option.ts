import { t } from '#shared/language/messages.ts';
import type { Chart } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { colorAt, restColor, textColorOn, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter, currentFormatter } from '../values/formats.ts';
import { namedValues } from '../values/named-values.ts';
import { findColumn, type ResultRows } from '../values/result-values.ts';

/** More rectangles than this are too small to point at. The smallest are combined. */
const maxRectangles = 300;
/** More groups than this have the same colors. */
const maxGroups = 12;

interface Rectangle {
  readonly name: string;
  readonly group: string;
  readonly value: number;
  readonly text: string;
  readonly rows: readonly (readonly unknown[])[];
  readonly isRest: boolean;
}

/**
 * Returns a treemap: a rectangle for each row, whose area is proportional to its value. A group has a color, and its rectangles
 * are beside each other. Missing, negative and zero values are left out.
 */
export function treemapChart(
  visualization: OfKind<'treemap'>,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const named = namedValues(visualization, result);
  if (named === undefined) return emptyChart;
  const { category, measure, format } = named;
  const groupColumn = visualization.group === undefined ? undefined : findColumn(result, visualization.group);
  const writeGroup = groupColumn && createFormatter(groupColumn);
  const valid = named.items
    .filter(({ value }) => value > 0)
    .map(({ name, value, text, row }): Rectangle => {
      const group = groupColumn && writeGroup ? writeGroup(row[groupColumn.index]) : name;
      return { name, group, value, text, rows: [row], isRest: false };
    })
    .toSorted((a, b) => b.value - a.value);
  const rectangles = withRest(valid, format);
  const groups = [
    ...Map.groupBy(
      rectangles.filter(({ isRest }) => !isRest),
      ({ group }) => group,
    ),
  ];
  const total = rectangles.reduce((sum, { value }) => sum + value, 0);
  const colored = groups.slice(0, groupColumn === undefined ? 0 : maxGroups).map(([name]) => name);
  const indexes = colors.indexesOf(colored);
  const colorOf = ({ group, isRest }: Rectangle) => {
    if (isRest) return restColor(theme);
    if (groupColumn === undefined) return colorAt(theme, 0);
    const index = indexes.get(group);
    return index === undefined ? restColor(theme) : colorAt(theme, index);
  };
  const ordered = [...groups.flatMap(([, of]) => of), ...rectangles.filter(({ isRest }) => isRest)];
  const omitted = result.rows.length - valid.length;
  const tree = treeOf(ordered, groupColumn !== undefined, (one) => {
    const color = colorOf(one);
    return {
      name: one.name,
      value: one.value,
      itemStyle: { color },
      label: {
        color: textColorOn(color, theme),
        // Also readable on a pattern.
        textBorderColor: color,
        textBorderWidth: 2,
        formatter: () => `${one.name}\n${one.text}`,
      },
    };
  });
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const one = ordered[tree.indexes.get(part?.dataIndex ?? -1) ?? -1];
        if (one === undefined) return undefined;
        const title = groupColumn === undefined || one.isRest ? one.name : `${one.group} · ${one.name}`;
        return { title, lines: [{ label: share(one.value / total), value: one.text }] };
      },
    },
    option: {
      ...frameOption(theme),
      series: [
        {
          type: 'treemap',
          animation: false,
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          label: { position: 'insideTopLeft', overflow: 'truncate', fontSize: 12, lineHeight: 15 },
          itemStyle: { borderColor: theme.surface, borderWidth: 0, gapWidth: 1 },
          levels: [{ itemStyle: { gapWidth: 3 } }, { itemStyle: { gapWidth: 1 } }],
          data: tree.nodes,
        },
      ],
    },
    ...(groupColumn !== undefined && {
      legend: {
        items: colored.map((name) => ({ name, color: colorAt(theme, indexes.get(name) ?? 0) })),
        isStatic: true,
      },
    }),
    indexesOf: () => [...tree.indexes.keys()],
    markAt: (_, dataIndex) => {
      const one = ordered[tree.indexes.get(dataIndex) ?? -1];
      const [row] = one?.rows ?? [];
      if (one === undefined || row === undefined) return undefined;
      const fields = groupColumn === undefined ? [category] : [groupColumn, category];
      const mark = { ...markOfRow(fields, [measure], row), key: JSON.stringify(row) };
      return one.isRest
        ? { ...mark, key: one.name, rows: one.rows, name: `${one.name} · ${one.text}` }
        : mark;
    },
    notes:
      omitted > 0
        ? [
            t('{omitted} of {count} rows not shown: the value is missing or not positive.', {
              omitted,
              count: result.rows.length,
            }),
          ]
        : [],
  };
}

const share = currentFormatter({ type: 'double' }, { kind: 'percent', decimals: 1 });

function withRest(sorted: readonly Rectangle[], format: (value: unknown) => string): readonly Rectangle[] {
  if (sorted.length <= maxRectangles) return sorted;
  const rest = sorted.slice(maxRectangles - 1);
  const value = rest.reduce((sum, one) => sum + one.value, 0);
  const name = t('Other ({count})', { count: rest.length });
  const rows = rest.flatMap((one) => one.rows);
  return [
    ...sorted.slice(0, maxRectangles - 1),
    { name, group: name, value, text: format(value), rows, isRest: true },
  ];
}

/** Returns the nodes of the groups, and which rectangle each of ECharts' indexes is: it numbers groups and rectangles from the root, which is 0. */
function treeOf<Node>(
  ordered: readonly Rectangle[],
  isGrouped: boolean,
  toNode: (one: Rectangle) => Node,
): {
  readonly nodes: (Node | { name: string; children: Node[] })[];
  readonly indexes: ReadonlyMap<number, number>;
} {
  const indexes = new Map<number, number>();
  let next = 1;
  let at = 0;
  const add = (one: Rectangle): Node => {
    indexes.set(next++, at++);
    return toNode(one);
  };
  if (!isGrouped) return { nodes: ordered.map(add), indexes };
  const groups = [...Map.groupBy(ordered, ({ group }) => group)];
  const nodes = groups.map(([name, of]) => {
    next += 1;
    return { name, children: of.map(add) };
  });
  return { nodes, indexes };
}
