import type { EChartsOption } from 'echarts';
import { t } from '#shared/language/messages.ts';
import type { Chart, TooltipContent } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { nodeIndex } from '../drawing/graph-parts.ts';
import { colorAt, restColor, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow, type Mark } from '../marks/mark.ts';
import { exactSum } from '../values/exact-sum.ts';
import { createFormatter, currentFormatter, type Formatter } from '../values/formats.ts';
import { findColumn, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';
import { createStepFormatter } from '../values/time-steps.ts';
import { graphOf, maxNodes, sizeOf, type Flow, type Graph, type Link, type Node } from './graph.ts';

/** More nodes than this have the same color. */
const maxColors = 12;
/** Thinner links than this share of the thickest have the same thickness; their texts have the values. */
const minShare = 1e-9;

interface Columns {
  readonly source: ResultColumn;
  readonly target: ResultColumn;
  readonly measure: ResultColumn;
}

/** Returns a Sankey diagram: a band for each pair of a source and a target, as thick as the sum of its rows. */
export function sankeyChart(
  visualization: OfKind<'sankey'>,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const source = findColumn(result, visualization.source);
  const target = findColumn(result, visualization.target);
  const measure = findColumn(result, visualization.value);
  if (source === undefined || target === undefined || measure === undefined) return emptyChart;
  const { flows, omitted } = flowsOf(result, { source, target, measure });
  const graph = graphOf(flows, visualization.hasSeparateSides === true);
  const write = createFormatter(measure, visualization.format);
  const sumOf = (rows: Flow['rows']) => write(exactSum(rows.map((row) => row[measure.index])));
  const notes = notesOf(graph, omitted, result.rows.length, sumOf);
  if (graph.links.length === 0) return { ...emptyChart, notes };
  const texts = new Map(graph.links.map((link) => [link, sumOf(link.rows)]));
  const marks = marksOf({ source, target, measure }, write);
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        if (part === undefined) return undefined;
        const node = graph.nodes[nodeIndex(part.dataIndex)];
        if (node !== undefined) return nodeContent(node, sumOf);
        const link = graph.links[part.dataIndex];
        return link && linkContent(link, graph, measure.name, texts.get(link) ?? '');
      },
    },
    option: {
      ...frameOption(theme),
      ...sankeyOption(graph, theme, colors),
    },
    indexesOf: () => [...graph.links.keys(), ...[...graph.nodes.keys()].map(nodeIndex)],
    markAt: (_, dataIndex) => {
      const node = graph.nodes[nodeIndex(dataIndex)];
      if (node !== undefined) return marks.ofNode(node);
      const link = graph.links[dataIndex];
      return link && marks.ofLink(link);
    },
    notes,
  };
}

/** Returns the sums by source and target, and how many rows have none. */
function flowsOf(
  { rows }: ResultRows,
  { source, target, measure }: Columns,
): { readonly flows: readonly Flow[]; readonly omitted: number } {
  const valid = rows.filter(
    (row) =>
      row[source.index] !== null && row[target.index] !== null && (toNumber(row[measure.index]) ?? 0) > 0,
  );
  const writeSource = createStepFormatter(
    source,
    valid.map((row) => row[source.index]),
  );
  const writeTarget = createStepFormatter(
    target,
    valid.map((row) => row[target.index]),
  );
  const named = valid.map((row) => ({
    row,
    source: writeSource(row[source.index]),
    target: writeTarget(row[target.index]),
  }));
  const groups = Map.groupBy(named, (one) => JSON.stringify([one.source, one.target]));
  const flows = [...groups.values()].flatMap((same): Flow[] => {
    const [first] = same;
    if (first === undefined) return [];
    const value = same.reduce((sum, { row }) => sum + (toNumber(row[measure.index]) ?? 0), 0);
    return [{ source: first.source, target: first.target, value, rows: same.map(({ row }) => row) }];
  });
  return { flows, omitted: rows.length - valid.length };
}

const arrow = ({ source, target }: Pick<Flow, 'source' | 'target'>): string => `${source} → ${target}`;

const maxNamed = 3;

function notesOf(
  { circular, nodes, nameCount }: Graph,
  omitted: number,
  rowCount: number,
  sumOf: (rows: Flow['rows']) => string,
): string[] {
  const combined = nodes.reduce((sum, node) => sum + (node.combined ?? 0), 0);
  const named = circular.slice(0, maxNamed).map((flow) => `${arrow(flow)} (${sumOf(flow.rows)})`);
  return [
    ...(omitted > 0
      ? [
          t(
            '{omitted} of {rowCount} rows not shown: the source, the target or the value is missing, or the value is not positive.',
            { omitted, rowCount },
          ),
        ]
      : []),
    ...(circular.length > 0
      ? [
          circular.length > maxNamed
            ? t('Not shown, because they lead back to where they came from: {named} and {more} more.', {
                named: named.join(', '),
                more: circular.length - maxNamed,
              })
            : t('Not shown, because they lead back to where they came from: {named}.', {
                named: named.join(', '),
              }),
        ]
      : []),
    ...(combined > 0
      ? [
          t('The largest {count} of {nameCount} names are shown. The others are combined as Other.', {
            count: maxNodes - 3,
            nameCount,
          }),
        ]
      : []),
  ];
}

function nodeContent(node: Node, sumOf: (rows: Flow['rows']) => string): TooltipContent {
  const side = (label: string, links: readonly Link[]) =>
    links.length === 0 ? [] : [{ label, value: sumOf(links.flatMap(({ rows }) => rows)) }];
  return { title: node.name, lines: [...side(t('In'), node.inflow), ...side(t('Out'), node.outflow)] };
}

function linkContent(link: Link, { nodes }: Graph, label: string, text: string): TooltipContent {
  const shareOf = (of: readonly Link[]) => share(link.value / of.reduce((sum, { value }) => sum + value, 0));
  const [from, to] = [nodes[link.from], nodes[link.to]];
  return {
    title: arrow(link),
    lines: [
      { label, value: text },
      { label: t('Of {source}', { source: link.source }), value: shareOf(from?.outflow ?? []) },
      { label: t('Of {target}', { target: link.target }), value: shareOf(to?.inflow ?? []) },
    ],
  };
}

const share = currentFormatter({ type: 'double' }, { kind: 'percent', decimals: 1 });

function marksOf(
  { source, target, measure }: Columns,
  write: Formatter,
): { readonly ofLink: (link: Link) => Mark | undefined; readonly ofNode: (node: Node) => Mark | undefined } {
  const markOf = (fields: readonly ResultColumn[], rows: Flow['rows'], key: string, name: string) => {
    const [row] = rows;
    if (row === undefined) return undefined;
    const text = write(exactSum(rows.map((one) => one[measure.index])));
    return { ...markOfRow(fields, [measure], row), key, rows, name: `${name} · ${text}` };
  };
  return {
    ofLink: (link) =>
      markOf([source, target], link.rows, JSON.stringify([link.source, link.target]), arrow(link)),
    // The rows that leave a node stand for it, or those that end there.
    ofNode: ({ name, inflow, outflow }) => {
      const rows = (outflow.length > 0 ? outflow : inflow).flatMap((link) => link.rows);
      const isSource = outflow.length > 0;
      return markOf([isSource ? source : target], rows, JSON.stringify([isSource, name]), name);
    },
  };
}

/** The widths of a chart in pixels from which on labels have more space. */
const widths = [0, 300, 400, 520, 680, 900, 1200];
const nodeWidthPx = 12;
const labelGapPx = 6;
/** That of wide letters, so that the longest name fits. */
const letterWidthPx = 8;

/** Returns how much space the labels have if the chart is at least this wide: nearly all that is between two columns of nodes. */
function labelWidthAt(width: number, columns: number): number {
  const whole = Math.max(width, 220) / columns;
  return Math.round(Math.min(Math.max(whole - nodeWidthPx - 2 * labelGapPx, 36), 200));
}

function sankeyOption(
  graph: Graph,
  theme: ChartTheme,
  colors: ValueColors,
): Pick<EChartsOption, 'media' | 'series'> {
  const { columns, rows } = sizeOf(graph);
  const largest = graph.nodes.toSorted((a, b) => sizeOfNode(b) - sizeOfNode(a));
  const colored = new Set(
    largest.flatMap(({ name, combined }) => (combined === undefined ? [name] : [])).slice(0, maxColors),
  );
  const indexes = colors.indexesOf([...colored]);
  const colorOf = ({ name, combined }: Node) =>
    combined === undefined && colored.has(name) ? colorAt(theme, indexes.get(name) ?? 0) : restColor(theme);
  const thickest = Math.max(...graph.links.map(({ value }) => value));
  const ends = graph.nodes.filter(({ outflow }) => outflow.length === 0);
  const longestEnd = Math.max(...ends.map(({ name }) => name.length)) * letterWidthPx;
  const layoutAt = (width: number) => {
    const label = labelWidthAt(width, columns);
    return { right: Math.min(label, longestEnd) + labelGapPx + 2, label: { width: label } };
  };
  return {
    media: widths.map((minWidth, index) => ({
      query: { minWidth, ...(index + 1 < widths.length && { maxWidth: (widths[index + 1] ?? 0) - 1 }) },
      option: { series: [layoutAt(minWidth)] },
    })),
    series: [
      {
        type: 'sankey',
        animation: false,
        draggable: false,
        left: 0,
        top: 4,
        bottom: 4,
        ...layoutAt(680),
        nodeWidth: nodeWidthPx,
        // Between many nodes, the gaps would fill the chart.
        nodeGap: Math.max(1, Math.min(12, Math.round(110 / rows))),
        emphasis: { focus: 'adjacency' },
        blur: { lineStyle: { opacity: 0.08 } },
        itemStyle: { borderWidth: 0 },
        lineStyle: { color: 'source', opacity: theme.isDark ? 0.4 : 0.32, curveness: 0.5 },
        label: {
          position: 'right',
          distance: labelGapPx,
          color: theme.text,
          fontSize: 12,
          overflow: 'truncate',
          width: labelWidthAt(680, columns),
        },
        labelLayout: { hideOverlap: true },
        // Names come from data: the same name can be on both sides, and none is read as a template.
        data: graph.nodes.map((node, index) => ({
          name: String(index),
          itemStyle: { color: colorOf(node) },
          label: { formatter: () => node.name },
        })),
        links: graph.links.map(({ from, to, value }) => ({
          source: String(from),
          target: String(to),
          // The largest doubles would add up to infinity.
          value: Math.max(value / thickest, minShare),
        })),
      },
    ],
  };
}

const sizeOfNode = ({ inflow, outflow }: Node): number =>
  Math.max(...[inflow, outflow].map((links) => links.reduce((sum, { value }) => sum + value, 0)));
