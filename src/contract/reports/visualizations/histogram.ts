import { Type } from 'typebox';
import { histogramFields } from '#shared/visualizations/histogram.ts';
import { Axis, defineKind, Field, valueLinesOn } from './parts.ts';

export const histogram = defineKind('histogram', histogramFields, {
  value: Field,
  bins: Type.Optional(Type.Integer({ minimum: 2, maximum: 200 })),
  referenceLines: Type.Optional(valueLinesOn('x')),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});
