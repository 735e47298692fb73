import { Type } from 'typebox';
import { pivotFields } from '#shared/visualizations/kind-fields.ts';
import { defineKind, Field, Text, ValueFormat } from './parts.ts';

export const pivot = defineKind('pivot', pivotFields, {
  rows: Type.Array(Field, { minItems: 1, maxItems: 5, description: 'The columns whose values become rows' }),
  columns: Type.Optional(
    Type.Array(Field, { maxItems: 3, description: 'The columns whose values become columns' }),
  ),
  values: Type.Array(
    Type.Object({
      field: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The column of numbers; only `count` has none',
        }),
      ),
      aggregate: Type.Enum(['sum', 'count', 'average', 'min', 'max'], {
        description:
          'How the numbers of a cell are combined; `count` counts the rows, or the numbers of its column',
      }),
      label: Type.Optional(Text),
      format: Type.Optional(ValueFormat),
    }),
    { minItems: 1, maxItems: 10, description: 'What the cells show' },
  ),
  hasTotals: Type.Optional(
    Type.Boolean({ description: 'Whether there are totals of all rows and of all columns. Default: true' }),
  ),
  hasSubtotals: Type.Optional(
    Type.Boolean({
      description: 'Whether each group of rows has a total, if there are several `rows`. Default: true',
    }),
  ),
});
