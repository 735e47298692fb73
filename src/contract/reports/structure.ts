import { Type, type Static } from 'typebox';
import { maxValueLength } from '#shared/parameter-values.ts';
import { columnTypes } from '#shared/columns.ts';
import {
  aggregates,
  comparisons,
  emptyOperators,
  granularities,
  joinKinds,
  rangeUnits,
  textOperators,
  weekStarts,
  type QueryStructure as Structure,
} from '#shared/query-builder/structure.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Formula = Type.String({
  minLength: 1,
  maxLength: 5_000,
  description: 'A formula, such as `[price] * [quantity]`',
});
const maxColumns = 2_000;

/** A column of the first table, a custom column, or with `table`, a column of a joined table. */
export const ColumnReference = Type.Object({
  table: Type.Optional(Type.String({ ...Name, description: 'The `as` of a join' })),
  name: Name,
});

const QueriedColumn = Type.Object({
  name: Name,
  type: Type.Enum([...columnTypes]),
  sourceType: Type.Optional(
    Type.String({ maxLength: 200, description: 'What the data source calls the type, if that is an enum' }),
  ),
});

const QueriedTable = Type.Object({
  schema: Type.String({ maxLength: 200 }),
  name: Name,
  columns: Type.Array(QueriedColumn, {
    maxItems: maxColumns,
    description: 'The columns that the query may refer to',
  }),
});

const Join = Type.Object({
  kind: Type.Enum([...joinKinds]),
  table: QueriedTable,
  as: Type.String({ ...Name, description: 'What the query calls the table' }),
  on: Type.Array(
    Type.Object({
      left: ColumnReference,
      right: Type.String({ ...Name, description: 'A column of the joined table' }),
    }),
    {
      minItems: 1,
      maxItems: 10,
      description: 'Pairs of columns that must be equal',
    },
  ),
});

const grouping = {
  granularity: Type.Optional(
    Type.Enum([...granularities], { description: 'For dates and times. Omitted: each value is a group' }),
  ),
  binWidth: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'For numbers: the width of a group' }),
  ),
};

const FilterValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: maxValueLength,
});
const RangeEnd = Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: maxValueLength });

const condition = {
  formula: Type.Optional(
    Type.String({ ...Formula, description: 'A formula that must be true, instead of an operator' }),
  ),
  column: Type.Optional(ColumnReference),
  parameter: Type.Optional(
    Type.String({
      ...Name,
      description: 'The parameter that has the value. Default: the name of the column',
    }),
  ),
  isOptional: Type.Optional(
    Type.Boolean({ description: 'Whether all rows are returned if the parameter is empty' }),
  ),
  operator: Type.Optional(
    Type.Enum(['is', 'is_not', ...textOperators, 'between', 'relative', 'in_group', ...emptyOperators], {
      description: 'Decides which of the other members there are',
    }),
  ),
  values: Type.Optional(Type.Array(FilterValue, { maxItems: 1_000, description: 'With `is` and `is_not`' })),
  text: Type.Optional(Type.String({ maxLength: 1_000 })),
  from: Type.Optional(RangeEnd),
  to: Type.Optional(Type.Unsafe<string | number>({ ...RangeEnd, description: 'Included' })),
  isEndExcluded: Type.Optional(Type.Boolean({ description: 'Whether `to` is excluded' })),
  direction: Type.Optional(Type.Enum(['last', 'this', 'next'])),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many units with `relative`' }),
  ),
  unit: Type.Optional(Type.Enum([...rangeUnits], { description: 'The unit of time with `relative`' })),
  includesCurrent: Type.Optional(Type.Boolean({ description: 'Whether the current unit is included' })),
  value: Type.Optional(
    Type.Unsafe<string | number | boolean>({
      ...FilterValue,
      description: 'The start of the group with `in_group`; omitted for the group of null',
    }),
  ),
  ...grouping,
};

/** A condition on a column. */
export const BuilderCondition = Type.Object(condition);

/** A condition on a column, or alternatives. */
export const BuilderFilter = Type.Object({
  ...condition,
  any: Type.Optional(
    Type.Array(Type.Array(BuilderCondition, { maxItems: 20 }), {
      maxItems: 100,
      description: 'Instead of the other members: rows pass if all conditions of at least one list are true',
    }),
  ),
});

const Measure = Type.Object({
  name: Name,
  aggregate: Type.Enum(['count', ...aggregates, 'percentile', 'formula'], {
    description: 'What is computed of the rows of each group',
  }),
  column: Type.Optional(ColumnReference),
  percent: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Which percentile, with `percentile`' }),
  ),
  formula: Type.Optional(Formula),
  comparison: Type.Optional(Type.Enum([...comparisons])),
});

const schema = Type.Object(
  {
    table: QueriedTable,
    joins: Type.Optional(Type.Array(Join, { maxItems: 20, description: 'Tables whose columns are added' })),
    customColumns: Type.Optional(
      Type.Array(Type.Object({ name: Name, formula: Formula }), {
        maxItems: 50,
        description: 'Columns that are computed for each row',
      }),
    ),
    filters: Type.Optional(Type.Array(BuilderFilter, { maxItems: 50, description: 'Which rows are used' })),
    columns: Type.Optional(
      Type.Array(ColumnReference, {
        maxItems: maxColumns,
        description: 'Of a query without groups and measures; all columns if omitted',
      }),
    ),
    groups: Type.Optional(
      Type.Array(Type.Object({ column: ColumnReference, name: Type.Optional(Name), ...grouping }), {
        maxItems: 20,
        description: 'What the rows are grouped by',
      }),
    ),
    measures: Type.Optional(
      Type.Array(Measure, { maxItems: 50, description: 'What is computed of each group, or of all rows' }),
    ),
    resultFilters: Type.Optional(
      Type.Array(BuilderFilter, { maxItems: 20, description: 'Filters of the summarized rows' }),
    ),
    sort: Type.Optional(
      Type.Array(
        Type.Object({
          name: Name,
          isDescending: Type.Optional(Type.Boolean({ description: 'Whether the largest value comes first' })),
        }),
        { maxItems: 20 },
      ),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The most rows to return' }),
    ),
    timeZone: Type.Optional(Type.String({ maxLength: 100, description: 'An IANA time zone. Default: UTC' })),
    weekStart: Type.Optional(Type.Enum([...weekStarts], { description: 'Default: `monday`' })),
  },
  {
    description:
      'The query as it was built step by step. It must generate exactly `query`, and `parameters` with the same names, ' +
      'types and defaults; an import leaves it out otherwise. A report without it has a query that someone wrote.',
  },
);

type Readonlys<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Readonlys<Value[Member]> }
  : Value;

/** Returns the schema with a type that it allows. */
const allowing = <Allowed extends Readonlys<Static<typeof schema>>>() => Type.Unsafe<Allowed>(schema);

/** A built query. Its schema allows every structure; which members belong together is checked when its SQL is generated. */
export const QueryStructure = allowing<Structure>();
