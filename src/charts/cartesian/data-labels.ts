import type { Cartesian, Shape } from './kind.ts';
import type { ChartSeries } from './series-points.ts';
import { isHorizontalBar, percentOf } from './shapes.ts';
import type { OfKind } from '../kind.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { textColorOn, type ChartTheme } from '../drawing/palette.ts';
import { t } from '#shared/language/messages.ts';
import type { Column } from '#contract/data-sources/data-sources.ts';

export type DataLabels = NonNullable<OfKind<'bar'>['dataLabels']>;

/** With more points, most labels would cover each other. */
export const maxLabels = 500;

/** Returns the indexes of the points of a series that have a label. */
export function labelledPoints(labels: DataLabels, values: readonly (number | null)[]): ReadonlySet<number> {
  const known = values.flatMap((value, index) => (value === null ? [] : [index]));
  if (labels === 'none') return new Set();
  if (labels === 'all') return new Set(known.length > maxLabels ? [] : known);
  if (labels === 'last') return new Set(known.slice(-1));
  let [smallest, largest] = [known[0], known[0]];
  for (const index of known) {
    if (valueAt(values, index) < valueAt(values, smallest)) smallest = index;
    if (valueAt(values, index) > valueAt(values, largest)) largest = index;
  }
  return new Set([smallest, largest].filter((index) => index !== undefined));
}

const valueAt = (values: readonly (number | null)[], index: number | undefined): number =>
  values[index ?? 0] ?? 0;

/** Whether a series has so many points that none can be labelled. */
export const hasTooManyLabels = (labels: DataLabels, pointCount: number): boolean =>
  labels === 'all' && pointCount > maxLabels;

export const tooManyLabels = (): string => t('Too many values to label each of them.');

/** Numbers from this size on are shortened, unless their format says how they are written. */
const minShortened = 10_000;

/** Returns a function that writes a label, which is short, such as `12.3K`. */
export function labelFormatter(column: Pick<Column, 'type'>, format: ValueFormat | undefined): Formatter {
  const plain = createFormatter(column, format);
  if (format?.decimals !== undefined || format?.isCompact === true) return plain;
  const kind = format?.kind === undefined || format.kind === 'auto' ? 'number' : format.kind;
  if (kind !== 'number' && kind !== 'currency') return plain;
  const short = createFormatter(column, { ...format, kind, isCompact: true });
  return (value) => (Math.abs(Number(value)) >= minShortened ? short(value) : plain(value));
}

/** Returns the style of labels: beside their points, or in the middle of a bar that is part of a stack. */
const labelStyle = (theme: ChartTheme, background: string | undefined): object => ({
  fontSize: 11,
  ...(background === undefined
    ? { color: theme.text, textBorderColor: theme.surface, textBorderWidth: 2 }
    : { color: textColorOn(background, theme), textBorderColor: background, textBorderWidth: 2 }),
});

/** Returns a function that returns the label of a point; undefined if it has none. */
export function labelsOf(
  visualization: Cartesian,
  { points, column, description }: ChartSeries,
  shape: Shape,
  stackColor: string | undefined,
  theme: ChartTheme,
): (index: number) => object | undefined {
  const { dataLabels = 'none' } = visualization;
  const shown = labelledPoints(
    dataLabels,
    points.map(({ y, row }) => (row === undefined ? null : y)),
  );
  if (shown.size === 0) return () => undefined;
  const isInside = shape === 'bar' && stackColor !== undefined;
  const write = labelFormatter(column, description.format);
  const style = labelStyle(theme, isInside ? stackColor : undefined);
  const [smallest] = dataLabels === 'extremes' ? shown : [];
  const isHorizontal = isHorizontalBar(visualization);
  return (index) => {
    const { y, row } = points[index] ?? {};
    if (!shown.has(index) || row === undefined) return undefined;
    const text = visualization.stacking === 'percent' ? percentOf(y) : write(row[column.index]);
    const isBelow = shape === 'bar' ? (y ?? 0) < 0 : index === smallest;
    const beside = isHorizontal ? (isBelow ? 'left' : 'right') : isBelow ? 'bottom' : 'top';
    return { ...style, show: true, position: isInside ? 'inside' : beside, formatter: () => text };
  };
}
