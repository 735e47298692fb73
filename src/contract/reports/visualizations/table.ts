import { Type } from 'typebox';
import { tableFields } from '#shared/visualizations/table.ts';
import { defineKind, Field, Sort, Text, Thresholds, ValueFormat } from './parts.ts';

export const table = defineKind('table', tableFields, {
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        field: Field,
        label: Type.Optional(Text),
        format: Type.Optional(ValueFormat),
        thresholds: Type.Optional(Thresholds),
      }),
      { maxItems: 500, description: 'Defaults to all columns, as the query returns them' },
    ),
  ),
  sort: Type.Optional(Sort),
  hasTotals: Type.Optional(Type.Boolean()),
});
