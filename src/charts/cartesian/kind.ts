import { cartesianFields } from '#shared/visualizations/cartesian.ts';
import type { ColumnChoice, OfKind, Roles } from '../kind.ts';

export type Cartesian = OfKind<'bar' | 'line' | 'area' | 'combo'>;

/** How a series of a combo chart is shown. */
export type Shape = 'bar' | 'line' | 'area';

type Series = OfKind<'bar'>['series'][number];

type CommonSettings = Pick<
  OfKind<'bar'>,
  | 'stacking'
  | 'xAxis'
  | 'yAxis'
  | 'rightAxis'
  | 'sort'
  | 'thresholds'
  | 'referenceLines'
  | 'dataLabels'
  | 'hasLegend'
>;

/** The rules that bar, line, area and combo charts have in common. */
export const cartesianKind = {
  fields: cartesianFields,
  size: { w: 6, h: 5 },

  roles: ({ x, splitBy, series }: Cartesian): Roles => ({ category: x, split: splitBy, measures: series }),

  create({
    before,
    category,
    split,
    measures,
  }: ColumnChoice): (CommonSettings & Pick<OfKind<'bar'>, 'x' | 'series' | 'splitBy'>) | undefined {
    if (category === undefined || measures.length === 0) return undefined;
    const splitBy = split === undefined ? {} : { splitBy: split };
    if (!isCartesian(before)) {
      return { x: category, series: measures.map((field) => ({ field })), ...splitBy };
    }
    const series = before.series.filter(({ field }) => measures.includes(field)).map(withoutShape);
    return { ...commonSettings(before), x: category, series, ...splitBy };
  },
};

const cartesianKinds: ReadonlySet<string> = new Set(['bar', 'line', 'area', 'combo']);

const isCartesian = (visualization: ColumnChoice['before']): visualization is Cartesian =>
  cartesianKinds.has(visualization.kind);

function withoutShape({ shape: _, ...series }: Series & { readonly shape?: Shape }): Series {
  return series;
}

function commonSettings(before: Cartesian): CommonSettings {
  const { stacking, xAxis, yAxis, rightAxis, sort, thresholds, referenceLines, dataLabels, hasLegend } =
    before;
  return {
    ...(stacking && { stacking }),
    ...(xAxis && { xAxis }),
    ...(yAxis && { yAxis }),
    ...(rightAxis && { rightAxis }),
    ...(sort && { sort }),
    ...(thresholds && { thresholds }),
    ...(referenceLines && { referenceLines }),
    ...(dataLabels && { dataLabels }),
    ...(hasLegend !== undefined && { hasLegend }),
  };
}
