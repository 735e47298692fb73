import { Type, type Static } from 'typebox';
import { etagHeader, IfMatch } from './records/history.ts';
import { Problem } from './problem.ts';
import { ValueFormat } from './reports/visualizations/parts.ts';
import { maxTypedLength } from './limits.ts';
import { defineRoute } from './route.ts';
import { page, PageQuery, Timestamp } from './values.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Description = Type.String({ maxLength: 10_000 });
const Columns = Type.Array(Name, { minItems: 1, maxItems: 20 });

export const ColumnModel = Type.Object({
  name: Type.String({ ...Name, description: 'As the source names the column' }),
  displayName: Type.Optional(Type.String({ ...Name, description: 'Shown instead of the name' })),
  description: Type.Optional(Description),
  isHidden: Type.Optional(
    Type.Boolean({ description: 'Whether lists leave the column out; queries can use it all the same' }),
  ),
  format: Type.Optional(ValueFormat),
});

export const Relationship = Type.Object({
  name: Type.String({ ...Name, description: 'Unique among the relationships of the table' }),
  columns: Columns,
  references: Type.Object(
    { schema: Name, name: Name, columns: Columns },
    {
      description:
        'The table to which each row refers at most once, and its columns that equal `columns`, in the same order',
    },
  ),
});

/** A dimension or a measure: the language is that of the custom columns and measures of built reports. */
export const NamedFormula = Type.Object({
  name: Type.String({
    ...Name,
    maxLength: 63,
    description: 'Unique among the dimensions and measures of the table, ignoring case',
  }),
  description: Type.Optional(Description),
  formula: Type.String({ minLength: 1, maxLength: 5_000, description: 'Such as `sum([amount]) / count()`' }),
  format: Type.Optional(ValueFormat),
});

export const TableModel = Type.Object({
  schema: Name,
  name: Type.String({ ...Name, description: 'The name of the table' }),
  displayName: Type.Optional(Type.String({ ...Name, description: 'Shown instead of the name' })),
  description: Type.Optional(Description),
  columns: Type.Optional(Type.Array(ColumnModel, { maxItems: 2000 })),
  primaryKey: Type.Optional(
    Type.Array(Name, { maxItems: 20, description: 'The columns that identify a row' }),
  ),
  relationships: Type.Optional(
    Type.Array(Relationship, { maxItems: 100, description: 'References to other tables' }),
  ),
  dimensions: Type.Optional(
    Type.Array(NamedFormula, { maxItems: 200, description: 'Values that are computed for each row' }),
  ),
  measures: Type.Optional(
    Type.Array(NamedFormula, { maxItems: 200, description: 'Values that are computed from groups of rows' }),
  ),
});
export type TableModel = Static<typeof TableModel>;

export const StoredModel = Type.Object({
  ...TableModel.properties,
  version: Type.Integer({
    description: 'The number in the `ETag`. A table that nobody has described has version 1',
  }),
  updatedAt: Timestamp,
});
export type StoredModel = Static<typeof StoredModel>;

/** The problem of saving a model that somebody else has saved in the meantime. */
export const ModelConflict = Type.Object({
  ...Problem.properties,
  current: StoredModel,
});

/** What a column of a result is called, and how its values are formatted, unless a visualization sets its own. */
export const ColumnLabel = Type.Object({
  column: Type.String({ description: 'The name of the column in the result' }),
  displayName: Type.Optional(Type.String({ description: 'Shown instead of the name' })),
  format: Type.Optional(ValueFormat),
});
export type ColumnLabel = Static<typeof ColumnLabel>;

const base = { tag: 'Models', access: 'session' } as const;
const params = Type.Object({ dataSourceId: Type.String() });

export const listModels = defineRoute({
  ...base,
  id: 'listModels',
  summary: 'List the models of the tables of a data source',
  description:
    'Requires the editor role or higher. A model describes a table, which needn’t exist. Tables that nobody has ' +
    'described are left out. They are in the order of schema and name.',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}/models',
  params,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(StoredModel),
  problems: ['forbidden', 'not_found'],
});

export const putModel = defineRoute({
  ...base,
  id: 'putModel',
  summary: 'Describe a table of a data source',
  description:
    'Requires the editor role or higher. The body replaces the model of the table. `If-Match` names the version that the ' +
    'edit started from. If somebody else has saved since, nothing is stored, and the problem has their version.',
  method: 'PUT',
  path: '/api/data-sources/{dataSourceId}/models',
  params,
  headers: IfMatch,
  body: TableModel,
  status: 200,
  reply: StoredModel,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', 'precondition_required', 'edit_conflict'],
  problemReplies: { edit_conflict: ModelConflict },
});

export const deleteModel = defineRoute({
  ...base,
  id: 'deleteModel',
  summary: 'Delete the model of a table',
  description: 'Requires the editor role or higher. The table and its rows are not changed.',
  method: 'DELETE',
  path: '/api/data-sources/{dataSourceId}/models',
  params,
  headers: IfMatch,
  query: Type.Object({
    schema: Type.String({ maxLength: maxTypedLength }),
    table: Type.String({ maxLength: maxTypedLength, description: 'The name of the table' }),
  }),
  status: 204,
  problems: ['forbidden', 'not_found', 'edit_conflict'],
  problemReplies: { edit_conflict: ModelConflict },
});
