import { Type } from 'typebox';
import { stepFields } from '#shared/visualizations/kind-fields.ts';
import { Color, DataLabels, defineKind, Field, Sort, Text, ValueFormat, ValueLines } from './parts.ts';

export const funnel = defineKind('funnel', stepFields, {
  category: Field,
  value: Field,
  format: Type.Optional(ValueFormat),
  sort: Type.Optional(Sort),
});

export const waterfall = defineKind('waterfall', stepFields, {
  category: Field,
  value: Field,
  format: Type.Optional(ValueFormat),
  sort: Type.Optional(Sort),
  hasTotal: Type.Optional(Type.Boolean({ description: 'Whether a last bar shows the total. Default: true' })),
  totalLabel: Type.Optional(Text),
  increaseColor: Type.Optional(Color),
  decreaseColor: Type.Optional(Color),
  dataLabels: Type.Optional(DataLabels),
  referenceLines: Type.Optional(ValueLines),
});
