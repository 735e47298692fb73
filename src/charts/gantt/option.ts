import { dayMs } from '#shared/dates/days.ts';
import type { CustomSeriesOption, EChartsOption } from 'echarts';
import { isTemporal } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { axisFormatter } from '../cartesian/axis-formatter.ts';
import { axisOption } from '../cartesian/axes.ts';
import type { Chart, TooltipContent } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { colorAt, restColor, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { extentOf, type ResultRows } from '../values/result-values.ts';
import { areComparable, barColumns, barsOf, maxBars, maxLanes, type Bar, type BarColumns } from './bars.ts';
import { renderBar, renderToday } from './shapes.ts';
import { positionOfNow } from './today.ts';

/** More groups than this have the same color. */
const maxGroups = 12;

/** Returns a Gantt chart: a bar for each row from its start to its end, in a line for each label. */
export function ganttChart(
  visualization: OfKind<'gantt'>,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const columns = barColumns(visualization, result);
  if (columns === undefined) return emptyChart;
  if (!areComparable(columns))
    return { ...emptyChart, notes: [t('The start and the end must both be numbers, or both times.')] };
  const shown = barsOf(columns, result, visualization.sort);
  const { bars, lanes, groups } = shown;
  const notes = notesOf(shown, result.rows.length);
  if (bars.length === 0) return { ...emptyChart, notes };
  const known = groups.slice(0, maxGroups);
  const indexes = colors.indexesOf(known);
  const colorOf = (group: string) =>
    groups.length === 0
      ? colorAt(theme, 0)
      : known.includes(group)
        ? colorAt(theme, indexes.get(group) ?? 0)
        : restColor(theme);
  const today = visualization.hasToday === false ? undefined : positionOfNow([columns.start, columns.end]);
  const range = rangeOf(bars, today);
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => contentOf(bars[part?.dataIndex ?? -1], columns, part),
    },
    option: {
      ...frameOption(theme, !isLocal(columns)),
      // Above the lines is the word for now, and beside them the slider.
      grid: { left: 4, right: 22, top: 18, bottom: 4, outerBoundsMode: 'same' },
      xAxis: {
        ...xAxisOf(columns, theme),
        ...(isTemporal(columns.start.type) && { min: range.from, max: range.to }),
      },
      yAxis: {
        ...axisOption(theme, { scale: 'category', labels: lanes, isBase: true, isBelow: false }),
        inverse: true,
      },
      ...scrolling(lanes.length, theme),
      series: [
        {
          type: 'custom',
          animation: false,
          clip: true,
          encode: { x: [1, 2], y: 0 },
          data: bars.map((bar) => ({
            value: [
              bar.lane,
              bar.start,
              bar.end ?? range.to,
              bar.progress ?? '-',
              bar.end === undefined ? 1 : 0,
            ],
            itemStyle: { color: colorOf(bar.group) },
          })),
          renderItem: renderBar(theme),
        },
        ...todaySeries(today, range, theme),
      ],
    },
    ...(isTemporal(columns.start.type) && {
      spans: {
        isUtc: !isLocal(columns),
        range: [range.from, range.to],
        spanOf: (dataIndex) => {
          const bar = bars[dataIndex];
          return bar && [bar.start, bar.end ?? range.to];
        },
      },
    }),
    ...(groups.length > 0 && {
      legend: { items: known.map((name) => ({ name, color: colorOf(name) })), isStatic: true },
    }),
    markAt: (seriesIndex, dataIndex) => {
      const row = seriesIndex === 0 ? bars[dataIndex]?.row : undefined;
      if (row === undefined) return undefined;
      const { label, start, end } = columns;
      const mark = markOfRow([label], [start, end], row);
      return { ...mark, key: JSON.stringify([label, start, end].map(({ index }) => row[index])) };
    },
    notes,
  };
}

function notesOf(
  { bars, invalid, valid, open }: ReturnType<typeof barsOf>,
  rowCount: number,
): readonly string[] {
  return [
    ...(invalid > 0
      ? [
          t(
            '{omitted} of {count, plural, one {# row} other {# rows}} not shown: the start is missing, or the end is before it.',
            {
              omitted: invalid,
              count: rowCount,
            },
          ),
        ]
      : []),
    ...(valid > bars.length
      ? [
          t('Showing {shown} of {count} bars: at most {bars}, in {lanes} lines.', {
            shown: bars.length,
            count: valid,
            bars: maxBars,
            lanes: maxLanes,
          }),
        ]
      : []),
    ...(open > 0
      ? [
          t(
            '{count, plural, one {# bar has no end and fades out} other {# bars have no end and fade out}}.',
            { count: open },
          ),
        ]
      : []),
  ];
}

function contentOf(
  bar: Bar | undefined,
  { start, end, group, progress }: BarColumns,
  part: { readonly seriesIndex: number } | undefined,
): TooltipContent | undefined {
  if (bar === undefined || part?.seriesIndex !== 0) return undefined;
  const columns = [start, end, progress].filter((column) => column !== undefined);
  const title = group === undefined ? bar.label : `${bar.group} · ${bar.label}`;
  return {
    title,
    lines: columns.map((column) => ({
      label: column.name,
      value: createFormatter(column)(bar.row[column.index]),
    })),
  };
}

/** Whether all times are instants, which are shown in the reader's zone. */
const isLocal = ({ start, end }: BarColumns): boolean => start.type === 'instant' && end.type === 'instant';

function xAxisOf(columns: BarColumns, theme: ChartTheme): ReturnType<typeof axisOption> {
  const { type } = columns.start;
  const formatter = type === 'time' ? timeOfDay : axisFormatter({ kind: 'auto' });
  const axis = axisOption(theme, {
    scale: isTemporal(type) ? 'time' : 'value',
    formatter,
    isBase: true,
    isUtc: !isLocal(columns),
  });
  return { ...axis, splitLine: { show: true, lineStyle: { color: theme.line } } };
}

const timeOfDay = (value: unknown): string =>
  createFormatter({ type: 'time' })(new Date(Number(value)).toISOString().slice(11, 16));

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns where the axis starts and ends. Bars without an end go on to now, and a little beyond the others. */
function rangeOf(bars: readonly Bar[], today: number | undefined): Range {
  const { min = 0, max = 1 } = extentOf(bars.flatMap(({ start, end }) => [start, end])) ?? {};
  const isOpen = bars.some(({ end }) => end === undefined);
  const last = isOpen && today !== undefined ? Math.max(max, today) : max;
  // A single moment has no length.
  const length = last - min > 0 ? last - min : dayMs;
  return { from: min - length * 0.02, to: last + length * (isOpen ? 0.08 : 0.02) };
}

function todaySeries(
  today: number | undefined,
  { from, to }: Range,
  theme: ChartTheme,
): CustomSeriesOption[] {
  if (today === undefined || today < from || today > to) return [];
  return [
    {
      type: 'custom',
      animation: false,
      silent: true,
      z: 5,
      encode: { x: 0, y: 1 },
      data: [[today, 0]],
      renderItem: renderToday(t('Today'), theme),
    },
  ];
}

/** The smallest height of a line whose label can be read, and what the axis takes below the lines. */
const lanePx = 18;
const axisPx = 60;
/** The heights of a chart from which on more lines are visible at once. */
const heights = [0, 140, 200, 260, 340, 420, 500, 620, 760, 900];
const narrowPx = 460;

/** Returns the options of a slider beside a chart that isn't high enough for all of its lines. */
function scrolling(laneCount: number, theme: ChartTheme): Pick<EChartsOption, 'dataZoom' | 'media'> {
  const widths = [
    { query: { maxWidth: narrowPx }, option: { yAxis: { axisLabel: { width: 84 } } } },
    { query: { minWidth: narrowPx + 1 }, option: { yAxis: { axisLabel: { width: 180 } } } },
  ];
  const sliders = heights.flatMap((minHeight, index) => {
    const visible = Math.max(3, Math.floor((minHeight - axisPx) / lanePx));
    const next = heights[index + 1];
    const query = { minHeight, ...(next !== undefined && { maxHeight: next - 1 }) };
    const isNeeded = laneCount > visible;
    const endValue = (isNeeded ? visible : laneCount) - 1;
    return [{ query, option: { dataZoom: [{ show: isNeeded, startValue: 0, endValue }] } }];
  });
  return {
    media: [...widths, ...sliders] as NonNullable<EChartsOption['media']>,
    dataZoom: [
      {
        type: 'slider',
        yAxisIndex: 0,
        // The other axis stays as it is.
        filterMode: 'none',
        right: 2,
        width: 10,
        zoomLock: true,
        brushSelect: false,
        showDetail: false,
        showDataShadow: false,
        moveHandleSize: 0,
        handleSize: 0,
        borderColor: 'transparent',
        backgroundColor: theme.line,
        fillerColor: theme.dimmed,
        startValue: 0,
        endValue: laneCount - 1,
      },
    ],
  };
}
