import { Type } from 'typebox';
import { heatMapFields } from '#shared/visualizations/heat-map.ts';
import { Axis, defineKind, Field, Thresholds, ValueFormat } from './parts.ts';

export const heatMap = defineKind('heatMap', heatMapFields, {
  x: Field,
  y: Field,
  value: Field,
  format: Type.Optional(ValueFormat),
  hasDataLabels: Type.Optional(
    Type.Boolean({ description: 'Whether the values are written in the cells that are large enough' }),
  ),
  thresholds: Type.Optional(Thresholds),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});
