import { Type } from 'typebox';
import { scatterFields } from '#shared/visualizations/scatter.ts';
import { Axis, defineKind, Field } from './parts.ts';

export const scatter = defineKind('scatter', scatterFields, {
  x: Field,
  y: Field,
  size: Type.Optional(Field),
  color: Type.Optional(Field),
  label: Type.Optional(Field),
  hasTrendLine: Type.Optional(
    Type.Boolean({ description: 'Whether a straight line is fitted to the points by least squares' }),
  ),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});
