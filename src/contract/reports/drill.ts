import { Type, type Static } from 'typebox';
import { parameterName, parameterTypes, type ParameterType } from '#shared/parameter-values.ts';

const Label = Type.String({ minLength: 1, maxLength: 200, description: 'What the menu calls it' });
const ColumnName = Type.String({ minLength: 1, maxLength: 200 });

/** Values of columns that a linked report or dashboard gets: the name of each column by that of what gets it. */
const columnsByName = (description: string) =>
  Type.Record(Type.String({ pattern: parameterName.source }), ColumnName, { maxProperties: 20, description });

const DrillQuery = Type.Object({
  kind: Type.Literal('query'),
  label: Label,
  query: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description:
      'A query of the same data source. It refers to a column of `columns` or to a parameter as `{{name}}`',
  }),
  columns: Type.Unsafe<Readonly<Record<string, ParameterType>>>({
    type: 'object',
    propertyNames: {
      pattern: parameterName.source,
      'x-expected': 'up to 63 letters, digits and _, not starting with a digit',
    },
    additionalProperties: { type: 'string', enum: [...parameterTypes] },
    maxProperties: 20,
    description:
      'The columns of the result that the query refers to, with the types as which their values are bound. A `list` has the ' +
      'values of all selected marks; for other types, only one mark can be selected',
  }),
});

const DrillReport = Type.Object({
  kind: Type.Literal('report'),
  label: Label,
  reportId: Type.String({ maxLength: 100 }),
  parameters: columnsByName('The column whose value each parameter of the report gets'),
});

const DrillDashboard = Type.Object({
  kind: Type.Literal('dashboard'),
  label: Label,
  dashboardId: Type.String({ maxLength: 100 }),
  filters: columnsByName('The column whose value each filter of the dashboard gets'),
});

/** Where a click on a mark of a chart can lead. */
export type DrillTarget =
  | Static<typeof DrillQuery>
  | Static<typeof DrillReport>
  | Static<typeof DrillDashboard>;
const DrillTarget = Type.Unsafe<DrillTarget>({ anyOf: [DrillQuery, DrillReport, DrillDashboard] });

export const ReportDrill = Type.Object(
  {
    rows: Type.Optional(
      Type.Literal('everyone', {
        description:
          'Members who can read the report can see the rows behind it. Omitted: only editors. Only for built queries',
      }),
    ),
    targets: Type.Optional(
      Type.Array(DrillTarget, {
        maxItems: 20,
        description: 'Queries, reports and dashboards that the menu of a mark offers to everyone',
      }),
    ),
  },
  { description: 'What a click on a mark of the chart offers' },
);
export type ReportDrill = Static<typeof ReportDrill>;

/** A value of a column of the result. */
const MarkValue = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: 10_000,
});

export const Mark = Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({
  type: 'object',
  additionalProperties: MarkValue,
  maxProperties: 20,
  description:
    'The values of a mark by the columns of the result: those of all groups of a built query, or of `columns`',
});
