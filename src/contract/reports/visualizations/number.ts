import { Type } from 'typebox';
import { numberFields } from '#shared/visualizations/number.ts';
import { gaugeFields } from '#shared/visualizations/kind-fields.ts';
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
  trend: Type.Optional(
    Type.Object({
      by: Field,
      hasSparkline: Type.Optional(Type.Boolean({ description: 'Default: true' })),
      compareWith: Type.Optional(
        Type.Enum(['previous', 'first', 'none'], {
          description: 'The row to compare with, unless there is a `comparison`. Default: `previous`',
        }),
      ),
      showAs: Type.Optional(Type.Enum(['difference', 'percent', 'value'])),
      isLessBetter: Type.Optional(Type.Boolean()),
    }),
  ),
  format: Type.Optional(ValueFormat),
  thresholds: Type.Optional(Thresholds),
});

export const gauge = defineKind('gauge', gaugeFields, {
  value: Field,
  min: Type.Optional(
    Type.Number({ description: 'The start of the scale. Default: 0, or less for a negative value' }),
  ),
  max: Type.Optional(Type.Number({ description: 'The end of the scale; chosen by the data if omitted' })),
  target: Type.Optional(Type.Number({ description: 'The value to reach' })),
  targetField: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The column with the value to reach' }),
  ),
  format: Type.Optional(ValueFormat),
  thresholds: Type.Optional(Thresholds),
});
