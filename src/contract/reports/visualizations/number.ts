import { Type } from 'typebox';
import { numberFields } from '#shared/visualizations/number.ts';
import { defineKind, Field, Text, Thresholds, ValueFormat } from './parts.ts';

export const number = defineKind('number', numberFields, {
  value: Field,
  comparison: Type.Optional(
    Type.Object({
      field: Field,
      label: Type.Optional(Text),
      isLessBetter: Type.Optional(Type.Boolean()),
      showAs: Type.Optional(Type.Enum(['difference', 'percent', 'value'])),
    }),
  ),
  format: Type.Optional(ValueFormat),
  thresholds: Type.Optional(Thresholds),
});
