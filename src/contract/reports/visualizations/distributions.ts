import { Type } from 'typebox';
import { boxPlotFields, calendarFields, treemapFields } from '#shared/visualizations/kind-fields.ts';
import { Axis, defineKind, Field, ValueFormat, ValueLines } from './parts.ts';

export const boxPlot = defineKind('boxPlot', boxPlotFields, {
  category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The column with a box for each of its values',
    }),
  ),
  value: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The column with the values; with a `summary`, that with the medians',
  }),
  summary: Type.Optional(
    Type.Object(
      { min: Field, lowerQuartile: Field, upperQuartile: Field, max: Field },
      {
        description:
          'The columns of a result that has one row for each box; otherwise, boxes are computed from all rows',
      },
    ),
  ),
  whiskers: Type.Optional(
    Type.Enum(['tukey', 'range'], {
      description:
        'Whether values that are more than 1.5 times the height of the box away from it are points. Default: `tukey`',
    }),
  ),
  format: Type.Optional(ValueFormat),
  referenceLines: Type.Optional(ValueLines),
  yAxis: Type.Optional(Axis),
});

export const calendar = defineKind('calendar', calendarFields, {
  date: Type.String({ minLength: 1, maxLength: 200, description: 'The column of dates or times' }),
  value: Field,
  format: Type.Optional(ValueFormat),
});

export const treemap = defineKind('treemap', treemapFields, {
  category: Field,
  group: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The column by whose values the rectangles are grouped',
    }),
  ),
  value: Field,
  format: Type.Optional(ValueFormat),
});
