import { Type } from 'typebox';
import { scatterFields } from '#shared/visualizations/scatter.ts';
import { Axis, defineKind, Field, valueLinesOn } from './parts.ts';

export const scatter = defineKind('scatter', scatterFields, {
  x: Field,
  y: Field,
  size: Type.Optional(Field),
  color: Type.Optional(Field),
  label: Type.Optional(Field),
  hasTrendLine: Type.Optional(
    Type.Boolean({ description: 'Whether a straight line is fitted to the points by least squares' }),
  ),
  hasDataLabels: Type.Optional(
    Type.Boolean({
      description: 'Whether the labels of points are written beside them, or else their y values',
    }),
  ),
  referenceLines: Type.Optional(valueLinesOn('y')),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});
