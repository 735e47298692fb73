import { extentOf } from '../values/result-values.ts';
import { labelFormatter } from './data-labels.ts';
import type { Cartesian } from './kind.ts';
import { placeLines, type PlacedLine } from './reference-lines.ts';
import type { ChartSeries } from './series-points.ts';
import { percentOf, shapeOf } from './shapes.ts';

/** The lines of an axis that has any, and the extent of its values without them. */
interface LinesOfSide {
  readonly side: 0 | 1;
  readonly placed: readonly PlacedLine[];
  readonly span: readonly [number, number];
}

/** Returns the reference lines of each axis. Without values, there is no axis, and there are no lines. */
export function linesOfSides(visualization: Cartesian, series: readonly ChartSeries[]): LinesOfSide[] {
  const { referenceLines = [], stacking = 'none', yAxis, rightAxis } = visualization;
  if (referenceLines.length === 0) return [];
  return (['left', 'right'] as const).flatMap((name, side): LinesOfSide[] => {
    const shown = series.filter(({ description }) => (description.axis ?? 'left') === name);
    const axis = name === 'left' ? yAxis : rightAxis;
    const isPercent = stacking === 'percent';
    const totals = stacking === 'stacked' ? totalsOf(visualization, shown) : valuesOf(shown);
    const extent = extentOf([...valuesOf(shown), ...totals]);
    if (extent === undefined) return [];
    const placed = placeLines(
      referenceLines.filter((line) => (line.axis ?? 'left') === name),
      {
        of: (field) =>
          field === undefined
            ? totals
            : valuesOf(shown.filter(({ description }) => description.field === field)),
        format: isPercent
          ? percentOf
          : labelFormatter({ type: 'double' }, axis?.format ?? shown[0]?.description.format),
        isLog: axis?.scale === 'log',
      },
    );
    const isFromZero = shown.some((one) => shapeOf(visualization, one) !== 'line');
    const span = [
      isFromZero ? Math.min(extent.min, 0) : extent.min,
      isFromZero ? Math.max(extent.max, 0) : extent.max,
    ] as const;
    return placed.length === 0 ? [] : [{ side: side === 1 ? 1 : 0, placed, span: isPercent ? [0, 1] : span }];
  });
}

const valuesOf = (series: readonly ChartSeries[]): number[] =>
  series.flatMap(({ points }) => points.flatMap(({ y }) => y ?? []));

/** Returns the totals of stacked series by position, and the values of the lines of a combo chart, which aren't stacked. */
function totalsOf(visualization: Cartesian, series: readonly ChartSeries[]): number[] {
  const isLine = (one: ChartSeries) =>
    visualization.kind === 'combo' && shapeOf(visualization, one) === 'line';
  const totals = new Map<string, number>();
  for (const one of series.filter((each) => !isLine(each))) {
    for (const { position, y } of one.points) {
      const key = `${shapeOf(visualization, one)} ${position}`;
      totals.set(key, (totals.get(key) ?? 0) + (y ?? 0));
    }
  }
  return [...totals.values(), ...valuesOf(series.filter(isLine))];
}

/** Returns a position on the base axis at which a series has a value. */
export const positionWithValue = (series: readonly ChartSeries[]): number => {
  for (const { points } of series) {
    const point = points.find(({ y }) => y !== null);
    if (point !== undefined) return point.position;
  }
  return 0;
};
