import type { SeriesOption } from 'echarts';
import { t } from '#shared/language/messages.ts';
import type { Chart } from '../drawing/chart.ts';
import { seriesOf } from '../drawing/parts.ts';
import type { ChartTheme } from '../drawing/palette.ts';
import { withSeries } from '../time/time-axis.ts';
import { extentOf } from '../values/result-values.ts';
import type { Formatter } from '../values/formats.ts';
import { linesSeries, placeLines, type PlacedLine, type ReferenceLine } from './reference-lines.ts';

/** Lines of an axis of numbers, and the values that their statistics are computed from. */
export interface LinesOfAxis {
  readonly lines: readonly Pick<ReferenceLine, 'value' | 'to' | 'label' | 'color'>[];
  readonly values: readonly number[];
  readonly format: Formatter;
  readonly isLog?: boolean;
  /** Whether the axis starts at zero. */
  readonly isFromZero?: boolean;
  /** Whether it is the x-axis. */
  readonly isAcross?: boolean;
  /** Which of two x-axes or y-axes it is. */
  readonly side?: 0 | 1;
  /** A position on the other axis that has values. */
  readonly position: number;
  /** Returns a line where the axis has its value, if that is somewhere else; undefined if it is outside of the axis. */
  readonly place?: (line: PlacedLine) => PlacedLine | undefined;
}

/** Returns a chart with reference lines. Without values, there is no axis, and there are no lines. */
export function withLines(chart: Chart, axes: readonly LinesOfAxis[], theme: ChartTheme): Chart {
  const shown: PlacedLine[] = [];
  const outside: PlacedLine[] = [];
  const added = axes.flatMap(
    ({ lines, values, format, isLog = false, isFromZero = false, isAcross = false, side = 0, ...axis }) => {
      const extent = extentOf(values);
      if (extent === undefined) return [];
      const placed = placeLines(lines, { of: () => values, format, isLog }).flatMap((line): PlacedLine[] => {
        const found = axis.place === undefined ? line : axis.place(line);
        (found === undefined ? outside : shown).push(line);
        return found === undefined ? [] : [found];
      });
      if (placed.length === 0) return [];
      const { min, max } =
        axis.place === undefined ? extent : (extentOf(placed.map(({ from }) => from)) ?? extent);
      const span = isFromZero ? ([Math.min(min, 0), Math.max(max, 0)] as const) : ([min, max] as const);
      return [linesSeries(placed, { position: axis.position, side, isHorizontal: isAcross, span, theme })];
    },
  );
  const drawn = added.reduce((before: Chart, one: SeriesOption) => withSeries(before, one), chart);
  const count = seriesOf(chart).length;
  return {
    ...drawn,
    // Some charts don't ask which series a part is in.
    markAt: (seriesIndex, dataIndex) =>
      seriesIndex < count ? chart.markAt(seriesIndex, dataIndex) : undefined,
    ...(shown.length > 0 && { descriptions: [...(chart.descriptions ?? []), describeLines(shown)] }),
    notes: [
      ...chart.notes,
      ...(outside.length > 0
        ? [t('Not shown, because they are outside of the values: {lines}.', { lines: textsOf(outside) })]
        : []),
    ],
  };
}

const textsOf = (lines: readonly PlacedLine[]): string => lines.map(({ text }) => text).join('; ');

/** Returns the sentence about lines for people who use a screen reader. */
export const describeLines = (lines: readonly PlacedLine[]): string =>
  t('Reference lines: {list}.', { list: textsOf(lines) });
