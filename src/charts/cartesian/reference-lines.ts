import type { LineSeriesOption } from 'echarts';
import { t } from '#shared/language/messages.ts';
import { quantile } from '../box-plot/quartiles.ts';
import type { OfKind } from '../kind.ts';
import { resolveColor, type ChartTheme } from '../drawing/palette.ts';
import type { Formatter } from '../values/formats.ts';

export type ReferenceLine = NonNullable<OfKind<'bar'>['referenceLines']>[number];
type ReferenceValue = ReferenceLine['value'];
type Statistic = Exclude<ReferenceValue, number>;

/** The values of an axis that statistics are computed from. */
export interface AxisValues {
  /** Returns the values of the series that show a column; those of all series, or the totals of stacked ones, without a column. */
  readonly of: (field: string | undefined) => readonly number[];
  readonly format: Formatter;
  readonly isLog: boolean;
}

/** A line at a number, or a band between two. */
export interface PlacedLine {
  readonly from: number;
  readonly to: number | undefined;
  /** Its label with its value, such as `Goal: 1,000`. */
  readonly text: string;
  readonly color: string | undefined;
}

/** Returns the lines of an axis by their numbers. Those without a number, such as the average of no values, are left out. */
export function placeLines(
  lines: readonly Pick<ReferenceLine, 'value' | 'to' | 'label' | 'color'>[],
  values: AxisValues,
): readonly PlacedLine[] {
  return lines.flatMap(({ value, to: end, label, color }): PlacedLine[] => {
    const from = numberOf(value, values);
    const to = end === undefined ? undefined : numberOf(end, values);
    if (from === undefined || (end !== undefined && to === undefined)) return [];
    // A logarithmic axis has no place for these.
    if (values.isLog && (from <= 0 || (to !== undefined && to <= 0))) return [];
    const [low, high] = to === undefined || from <= to ? [from, to] : [to, from];
    const number = high === undefined ? values.format(low) : `${values.format(low)} – ${values.format(high)}`;
    const name = label ?? (typeof value === 'number' || end !== undefined ? undefined : nameOf(value));
    return [
      { from: low, to: high, text: name === undefined || name === '' ? number : `${name}: ${number}`, color },
    ];
  });
}

function numberOf(value: ReferenceValue, values: AxisValues): number | undefined {
  if (typeof value === 'number') return value;
  const numbers = Float64Array.from(values.of(value.field)).toSorted();
  if (numbers.length === 0) return undefined;
  switch (value.statistic) {
    case 'average':
      // Not the sum, which is infinite for huge numbers.
      return numbers.reduce((mean, number, index) => mean + (number / (index + 1) - mean / (index + 1)), 0);
    case 'median':
      return quantile(numbers, 0.5);
    case 'min':
      return numbers[0];
    case 'max':
      return numbers.at(-1);
    case 'percentile':
      return quantile(numbers, (value.percentile ?? defaultPercentile) / 100);
  }
}

const defaultPercentile = 90;

/** Returns the label of a statistic that has none of its own. */
function nameOf({ statistic, percentile = defaultPercentile }: Statistic): string {
  switch (statistic) {
    case 'average':
      return t('Average');
    case 'median':
      return t('Median');
    case 'min':
      return t('Minimum');
    case 'max':
      return t('Maximum');
    case 'percentile':
      return t('Percentile {percentile}', { percentile });
  }
}

/**
 * Returns an invisible series that draws the lines of an axis. It has points at their values, so that the axis reaches them, with
 * some space for the labels. It isn't in the legend, so that the lines stay when a series is hidden.
 */
export function linesSeries(
  lines: readonly PlacedLine[],
  {
    position,
    side,
    isHorizontal,
    span,
    theme,
  }: {
    /** A position on the base axis that has values. */
    readonly position: number;
    readonly side: 0 | 1;
    readonly isHorizontal: boolean;
    /** The smallest and the largest value of the axis without the lines. */
    readonly span: readonly [number, number];
    readonly theme: ChartTheme;
  },
): LineSeriesOption {
  const ends = lines.flatMap(({ from, to }) => [from, to ?? from]);
  const [low, high] = [Math.min(span[0], ...ends), Math.max(span[1], ...ends)];
  const margin = high > span[1] && high > 0 ? high / 16 - low / 16 : 0;
  const point = (value: number) => (isHorizontal ? [value, position] : [position, value]);
  const key = isHorizontal ? 'xAxis' : 'yAxis';
  const label = {
    color: theme.text,
    backgroundColor: theme.surface,
    padding: [1, 3],
    borderRadius: 2,
    fontSize: 11,
  };
  const colorOf = ({ color }: PlacedLine) => (color === undefined ? theme.text : resolveColor(color, theme));
  const places = labelPlaces(lines, high - low);
  return {
    type: 'line',
    animation: false,
    silent: true,
    symbol: 'none',
    lineStyle: { opacity: 0 },
    tooltip: { show: false },
    z: 4,
    ...(side === 1 && (isHorizontal ? { xAxisIndex: 1 } : { yAxisIndex: 1 })),
    data: [...ends, high + margin].filter(Number.isFinite).map(point),
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      data: lines.map((line) => ({
        [key]: line.to ?? line.from,
        // The label of a band is that of an invisible line, because the area itself is behind the bars.
        lineStyle: { color: colorOf(line), type: 'dashed', width: line.to === undefined ? 1.5 : 0 },
        label: {
          ...label,
          show: true,
          formatter: () => line.text,
          position: line.to === undefined ? (places.get(line) ?? 'insideEndTop') : 'insideStartBottom',
        },
      })),
    },
    markArea: {
      silent: true,
      animation: false,
      data: lines.flatMap((line) =>
        line.to === undefined
          ? []
          : [[{ [key]: line.from, itemStyle: { color: colorOf(line), opacity: 0.16 } }, { [key]: line.to }]],
      ),
    },
  };
}

const places = ['insideEndTop', 'insideStartTop', 'insideMiddleTop'] as const;

/** Labels that are closer to each other than this share of the axis would overlap. */
const minGap = 0.09;

/** Returns where the label of each line is, so that those of lines next to each other are at different ends. */
function labelPlaces(
  lines: readonly PlacedLine[],
  span: number,
): ReadonlyMap<PlacedLine, (typeof places)[number]> {
  const taken = new Map<(typeof places)[number], number>();
  return new Map(
    lines
      .toSorted((a, b) => a.from - b.from)
      .map((line) => {
        const free = places.find((place) => {
          const before = taken.get(place);
          return before === undefined || (line.from - before) / span >= minGap;
        });
        const place = free ?? places[0];
        taken.set(place, line.from);
        return [line, place] as const;
      }),
  );
}
