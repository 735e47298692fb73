import { Type } from 'typebox';
import { tableFields } from '#shared/visualizations/table.ts';
import { ruleConditions } from '#shared/visualizations/rules.ts';
import { Color, defineKind, Field, Sort, Text, Thresholds, ValueFormat } from './parts.ts';

const Rule = Type.Object({
  when: Type.Enum([...ruleConditions], {
    description: 'What is compared; text is compared without regard to case',
  }),
  value: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'What the cell is compared with; a number for `above` and the like',
    }),
  ),
  color: Color,
});

const ColorScale = Type.Object({
  low: Type.Optional(Color),
  middle: Type.Optional(Color),
  high: Color,
  min: Type.Optional(Type.Number({ description: 'The value of `low`. Default: the smallest value' })),
  max: Type.Optional(Type.Number({ description: 'The value of `high`. Default: the largest value' })),
});

export const table = defineKind('table', tableFields, {
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        field: Field,
        label: Type.Optional(Text),
        format: Type.Optional(ValueFormat),
        thresholds: Type.Optional(Thresholds),
        rules: Type.Optional(
          Type.Array(Rule, {
            maxItems: 20,
            description: 'The colors of cells; the first rule that applies counts',
          }),
        ),
        colorScale: Type.Optional(ColorScale),
        display: Type.Optional(
          Type.Enum(['text', 'bar', 'sparkline', 'link'], {
            description:
              'How the cells are shown: a bar behind a number, a small line of a list of numbers, or a link. Default: `text`',
          }),
        ),
        linkField: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'The column with the address of a link. Default: the column itself',
          }),
        ),
      }),
      { maxItems: 500, description: 'Defaults to all columns, as the query returns them' },
    ),
  ),
  sort: Type.Optional(Sort),
  hasTotals: Type.Optional(Type.Boolean()),
});
