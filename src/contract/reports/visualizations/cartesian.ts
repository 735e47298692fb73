import { Type } from 'typebox';
import { cartesianFields } from '#shared/visualizations/cartesian.ts';
import { Axis, DataLabels, defineKind, Field, ReferenceLines, Series, Sort, Thresholds } from './parts.ts';

/** The settings of charts over a category or a time on the x-axis; `splitBy` makes a series of each value of a column. */
const cartesian = {
  x: Field,
  series: Type.Array(Series, { minItems: 1, maxItems: 20 }),
  splitBy: Type.Optional(Field),
  stacking: Type.Optional(Type.Enum(['none', 'stacked', 'percent'])),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
  rightAxis: Type.Optional(Axis),
  sort: Type.Optional(Sort),
  thresholds: Type.Optional(Thresholds),
  referenceLines: Type.Optional(ReferenceLines),
  dataLabels: Type.Optional(DataLabels),
  hasLegend: Type.Optional(Type.Boolean()),
};

export const bar = defineKind('bar', cartesianFields, {
  ...cartesian,
  isHorizontal: Type.Optional(Type.Boolean()),
});

export const line = defineKind('line', cartesianFields, {
  ...cartesian,
  isSmooth: Type.Optional(Type.Boolean()),
  gaps: Type.Optional(Type.Enum(['gap', 'zero', 'connect'])),
});

export const area = defineKind('area', cartesianFields, {
  ...cartesian,
  isSmooth: Type.Optional(Type.Boolean()),
});

export const combo = defineKind('combo', cartesianFields, {
  ...cartesian,
  series: Type.Array(
    Type.Object({
      ...Series.properties,
      shape: Type.Optional(Type.Enum(['bar', 'line', 'area'], { description: 'Default: `bar`' })),
    }),
    { minItems: 1, maxItems: 20 },
  ),
  stacking: Type.Optional(
    Type.Enum(['none', 'stacked'], {
      description: 'Stacks the bars of an axis, and its areas, but not its lines',
    }),
  ),
  isSmooth: Type.Optional(Type.Boolean()),
});
