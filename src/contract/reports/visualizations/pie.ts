import { Type } from 'typebox';
import { pieFields } from '#shared/visualizations/pie.ts';
import { defineKind, Field, Sort, ValueFormat } from './parts.ts';

export const pie = defineKind('pie', pieFields, {
  category: Field,
  value: Field,
  isDonut: Type.Optional(Type.Boolean()),
  maxSlices: Type.Optional(Type.Integer({ minimum: 2, maximum: 50 })),
  dataLabels: Type.Optional(
    Type.Enum(['none', 'share', 'value'], {
      description: 'What is written in the slices that are large enough. Default: `none`',
    }),
  ),
  format: Type.Optional(ValueFormat),
  sort: Type.Optional(Sort),
});
