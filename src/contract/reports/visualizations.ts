import { Type, type Static, type TSchema } from 'typebox';

/** The name of a column that the query returns. */
const Field = Type.String({ minLength: 1, maxLength: 200 });
const Text = Type.String({ maxLength: 1000 });

/** How a value is written out; `auto` is by its type. Patterns and locales are the reader's own. */
const ValueFormat = Type.Object({
  kind: Type.Enum(['auto', 'number', 'percent', 'currency', 'date', 'datetime', 'text']),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      'x-expected': 'a code of three letters, such as EUR',
      description: 'ISO 4217, with `currency`',
    }),
  ),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  isCompact: Type.Optional(Type.Boolean({ description: '1,200,000 as 1.2 M' })),
  prefix: Type.Optional(Text),
  suffix: Type.Optional(Text),
});

/** `#rrggbb`, or the place in the palette of the theme, from 1 on. */
const Color = Type.String({
  pattern: '^(#[0-9a-fA-F]{6}|[1-9]|1[0-2])$',
  'x-expected': '#rrggbb or a number from 1 to 12',
});

/** From a value on, a colour. */
const Threshold = Type.Object({ from: Type.Number(), color: Color, label: Type.Optional(Text) });

const Axis = Type.Object({
  title: Type.Optional(Text),
  scale: Type.Optional(Type.Enum(['auto', 'linear', 'log', 'time', 'category'])),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  format: Type.Optional(ValueFormat),
});

const Sort = Type.Object({ field: Field, direction: Type.Enum(['ascending', 'descending']) });

/** One measure; the fields that it is drawn by. */
const Series = Type.Object({
  field: Field,
  label: Type.Optional(Text),
  color: Type.Optional(Color),
  axis: Type.Optional(Type.Enum(['left', 'right'])),
  format: Type.Optional(ValueFormat),
});

const kind = <const Kind extends string, Rest extends Record<string, TSchema>>(name: Kind, rest: Rest) =>
  Type.Object({ kind: Type.Literal(name), title: Type.Optional(Text), ...rest });

/** By a category or a time on the x axis; `splitBy` makes a series of each of its values. */
const cartesian = {
  x: Field,
  series: Type.Array(Series, { minItems: 1, maxItems: 20 }),
  splitBy: Type.Optional(Field),
  stacking: Type.Optional(Type.Enum(['none', 'stacked', 'percent'])),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
  rightAxis: Type.Optional(Axis),
  sort: Type.Optional(Sort),
  thresholds: Type.Optional(Type.Array(Threshold, { maxItems: 20 })),
  hasLegend: Type.Optional(Type.Boolean()),
};

const TableVisualization = kind('table', {
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        field: Field,
        label: Type.Optional(Text),
        format: Type.Optional(ValueFormat),
        thresholds: Type.Optional(Type.Array(Threshold, { maxItems: 20 })),
      }),
      { maxItems: 500, description: 'Left out: all, as the query returns them' },
    ),
  ),
  sort: Type.Optional(Sort),
});

const NumberVisualization = kind('number', {
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
  thresholds: Type.Optional(Type.Array(Threshold, { maxItems: 20 })),
});

const BarVisualization = kind('bar', { ...cartesian, isHorizontal: Type.Optional(Type.Boolean()) });
const LineVisualization = kind('line', {
  ...cartesian,
  isSmooth: Type.Optional(Type.Boolean()),
  gaps: Type.Optional(Type.Enum(['gap', 'zero', 'connect'])),
});
const AreaVisualization = kind('area', { ...cartesian, isSmooth: Type.Optional(Type.Boolean()) });

const ScatterVisualization = kind('scatter', {
  x: Field,
  y: Field,
  size: Type.Optional(Field),
  color: Type.Optional(Field),
  label: Type.Optional(Field),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});

const PieVisualization = kind('pie', {
  category: Field,
  value: Field,
  isDonut: Type.Optional(Type.Boolean()),
  maxSlices: Type.Optional(Type.Integer({ minimum: 2, maximum: 50 })),
  format: Type.Optional(ValueFormat),
  sort: Type.Optional(Sort),
});

const HeatMapVisualization = kind('heatMap', {
  x: Field,
  y: Field,
  value: Field,
  format: Type.Optional(ValueFormat),
  thresholds: Type.Optional(Type.Array(Threshold, { maxItems: 20 })),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});

const HistogramVisualization = kind('histogram', {
  value: Field,
  bins: Type.Optional(Type.Integer({ minimum: 2, maximum: 200 })),
  xAxis: Type.Optional(Axis),
  yAxis: Type.Optional(Axis),
});

/** Words, with `{{column}}` for values of the first row. Never markup. */
const TextVisualization = kind('text', { text: Type.String({ maxLength: 20_000 }) });

/** Each kind of drawing with its encoding: which columns it is drawn from, and how. */
export const visualizations = {
  table: TableVisualization,
  number: NumberVisualization,
  bar: BarVisualization,
  line: LineVisualization,
  area: AreaVisualization,
  scatter: ScatterVisualization,
  pie: PieVisualization,
  heatMap: HeatMapVisualization,
  histogram: HistogramVisualization,
  text: TextVisualization,
} as const;

export type Visualization = Static<(typeof visualizations)[keyof typeof visualizations]>;

/** One of them, told apart by `kind`. */
export const Visualization = Type.Unsafe<Visualization>({ anyOf: Object.values(visualizations) });
