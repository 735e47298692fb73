import { Type, type TSchema } from 'typebox';
import type { Fields } from '#shared/visualizations/fields.ts';
import { formatKinds } from '#shared/visualizations/format.ts';

/** The name of a column that the query returns. */
export const Field = Type.String({ minLength: 1, maxLength: 200 });
export const Text = Type.String({ maxLength: 1000 });

/** How a value is formatted; `auto` depends on its type. Formats follow the reader's locale. */
export const ValueFormat = Type.Object({
  kind: Type.Enum([...formatKinds]),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      'x-expected': 'a three-letter code, such as EUR',
      description: 'An ISO 4217 code, for the kind `currency`',
    }),
  ),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  isCompact: Type.Optional(
    Type.Boolean({ description: 'Whether to shorten numbers, such as 1,200,000 to 1.2 M' }),
  ),
  prefix: Type.Optional(Text),
  suffix: Type.Optional(Text),
});

/** `#rrggbb`, or the number of a color in the palette of the theme, counted from 1. */
export const Color = Type.String({
  pattern: '^(#[0-9a-fA-F]{6}|[1-9]|1[0-2])$',
  'x-expected': '#rrggbb or a number from 1 to 12',
});

/** The color of values from `from` up to the next threshold. */
export const Threshold = Type.Object({ from: Type.Number(), color: Color, label: Type.Optional(Text) });
export const Thresholds = Type.Array(Threshold, { maxItems: 20 });

const maxReferenceLines = 10;

/** A number, or one that is computed from the values that the chart shows. */
const ReferenceValue = Type.Union([
  Type.Number(),
  Type.Object({
    statistic: Type.Enum(['average', 'median', 'min', 'max', 'percentile']),
    percentile: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Default: 90' })),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The series of this column; by default, all series of the axis, or their totals if they are stacked',
      }),
    ),
  }),
]);

/** A line at a value of the y-axis, or a band up to a second value. */
export const ReferenceLine = Type.Object({
  value: ReferenceValue,
  to: Type.Optional(ReferenceValue),
  label: Type.Optional(Type.String({ maxLength: 100 })),
  axis: Type.Optional(Type.Enum(['left', 'right'], { description: 'Default: `left`' })),
  color: Type.Optional(Color),
});
export const ReferenceLines = Type.Array(ReferenceLine, {
  maxItems: maxReferenceLines,
  description: 'Lines and bands at values of the y-axis, such as goals and averages',
});

const SimpleValue = Type.Union([
  Type.Number(),
  Type.Object({
    statistic: Type.Enum(['average', 'median', 'min', 'max', 'percentile']),
    percentile: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Default: 90' })),
  }),
]);

/** A line or band in a chart that has neither several series nor a right axis. */
const ValueLine = Type.Object({
  value: SimpleValue,
  to: Type.Optional(SimpleValue),
  label: Type.Optional(Type.String({ maxLength: 100 })),
  color: Type.Optional(Color),
});

export const ValueLines = Type.Array(ValueLine, {
  maxItems: maxReferenceLines,
  description: 'Lines and bands at values of the y-axis, such as goals and averages',
});

/** Lines and bands at numbers of the x-axis or the y-axis. */
export const valueLinesOn = (axis: 'x' | 'y') =>
  Type.Array(
    Type.Object({
      ...ValueLine.properties,
      axis: Type.Optional(Type.Enum(['x', 'y'], { description: `Default: \`${axis}\`` })),
    }),
    {
      maxItems: maxReferenceLines,
      description: 'Lines and bands at numbers of an axis, such as goals and averages',
    },
  );

/** Which values of a series are written beside its points or bars. */
export const DataLabels = Type.Enum(['none', 'all', 'last', 'extremes'], {
  description:
    'Which values are written in the chart: all, the last, or the smallest and the largest of each series. Default: `none`',
});

export const Axis = Type.Object({
  title: Type.Optional(Text),
  scale: Type.Optional(Type.Enum(['auto', 'linear', 'log', 'time', 'category'])),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  format: Type.Optional(ValueFormat),
});

export const Sort = Type.Object({ field: Field, direction: Type.Enum(['ascending', 'descending']) });

/** One measure of a chart. */
export const Series = Type.Object({
  field: Field,
  label: Type.Optional(Text),
  color: Type.Optional(Color),
  axis: Type.Optional(Type.Enum(['left', 'right'])),
  format: Type.Optional(ValueFormat),
});

/** Defines a kind of visualization: the schema of its settings, and which of them name columns. */
export const defineKind = <const Kind extends string, Rest extends Record<string, TSchema>>(
  kind: Kind,
  fields: Fields,
  settings: Rest,
) => ({
  fields,
  schema: Type.Object({ kind: Type.Literal(kind), title: Type.Optional(Text), ...settings }),
});
