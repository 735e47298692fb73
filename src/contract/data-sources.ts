import { Type, type Static } from 'typebox';
import { columnTypes } from '#shared/columns.ts';
import { dataSourceKinds, unionOfConnections, type SourceOfKind } from './data-sources/kinds.ts';
import { IdempotencyKey, idempotencyProblems } from './idempotency.ts';
import { Problem } from './problem.ts';
import { defineRoute } from './route.ts';
import { DisplayName, Id, page, PageQuery, Timestamp } from './values.ts';

const kind = Type.Enum([...dataSourceKinds]);
const dataSourceInput = Type.Object({
  name: DisplayName,
  kind,
  connection: Type.Optional(unionOfConnections('input')),
});
export type DataSourceInput = Pick<Static<typeof dataSourceInput>, 'name'> & SourceOfKind<'input'>;
export const DataSourceInput = Type.Unsafe<DataSourceInput>(dataSourceInput);

const dataSource = Type.Object({
  id: Id,
  organizationId: Id,
  name: Type.String(),
  kind,
  connection: Type.Optional(unionOfConnections('stored')),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
/** Where the rows of an organization's reports come from. */
export type DataSource = Omit<Static<typeof dataSource>, 'kind' | 'connection'> & SourceOfKind<'stored'>;
export const DataSource = Type.Unsafe<DataSource>(dataSource);

/** The problem of deleting a data source that reports are over: up to a hundred of them, and how many there are. */
const DataSourceInUse = Type.Object({
  ...Problem.properties,
  reports: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  reportCount: Type.Integer(),
});

export const Column = Type.Object({
  name: Type.String(),
  type: Type.Enum([...columnTypes]),
  sourceType: Type.String({
    description: 'In the words of the source, such as `DECIMAL(18,3)` or `timestamptz`',
  }),
});
export type Column = Static<typeof Column>;

export const SourceTable = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(Column),
  rowCount: Type.Optional(Type.Integer({ description: 'Where the source knows it without counting' })),
  fault: Type.Optional(
    Type.String({ description: 'Why the table cannot be queried. Its columns are not known then.' }),
  ),
});
export type SourceTable = Static<typeof SourceTable>;

/** The risks of a connection that works. */
export const connectionWarningCodes = [
  'superuser',
  'manages_roles',
  'bypasses_row_security',
  'replication',
  'server_files',
  'server_programs',
  'writes_tables',
  'other_connections',
  'foreign_data',
  'untrusted_language',
  'privileges_unknown',
] as const;
export type ConnectionWarningCode = (typeof connectionWarningCodes)[number];

const ConnectionWarning = Type.Object({
  code: Type.Enum([...connectionWarningCodes]),
  message: Type.String({ description: 'What queries could do, and what to do about it' }),
});
export type ConnectionWarning = Static<typeof ConnectionWarning>;

export const ConnectionTest = Type.Object({
  isReachable: Type.Boolean(),
  fault: Type.Optional(Type.String({ description: 'What is wrong, and what to look at, in a sentence' })),
  warnings: Type.Array(ConnectionWarning, {
    description: 'What the role allows queries to do beyond reading its tables',
  }),
  durationMs: Type.Number(),
});
export type ConnectionTest = Static<typeof ConnectionTest>;

/** Rows as they are sent. */
export const RowValues = Type.Array(Type.Array(Type.Unknown()), {
  description:
    'A value for each column. A number that a double holds exactly is a JSON number, any other a string of its ' +
    'digits; ' +
    'dates and times are ISO 8601; an `instant` is RFC 3339 in UTC; `bytes` are base64; `list`, `struct` and `json` ' +
    'are JSON',
});

export const Rows = Type.Object({
  columns: Type.Array(Column),
  rows: RowValues,
  rowCount: Type.Integer({ description: 'Of `rows`' }),
  isCutOff: Type.Boolean({ description: 'Whether there are more' }),
});
export type Rows = Static<typeof Rows>;

/** What goes wrong while a source is asked. */
const queryProblems = [
  'query_failed',
  'query_timed_out',
  'query_too_large',
  'source_unreachable',
  'queries_busy',
] as const;

/** Longer than a query waits and runs. */
export const maxQueryAnswerMs = 120_000;

const SourceParams = Type.Object({ dataSourceId: Type.String() });
const OrganizationParams = Type.Object({ orgId: Type.String() });
const TableParams = Type.Object({ dataSourceId: Type.String(), table: Type.String() });

export const createDataSource = defineRoute({
  id: 'createDataSource',
  tag: 'Data sources',
  summary: 'Create a data source',
  description:
    '`files` takes the role editor and has tables that are uploaded; `postgresql` takes the role admin and a ' +
    'connection.',
  method: 'POST',
  path: '/api/organizations/{orgId}/data-sources',
  access: 'session',
  params: OrganizationParams,
  headers: IdempotencyKey,
  body: DataSourceInput,
  status: 201,
  location: '/api/data-sources/{id}',
  reply: DataSource,
  problems: ['forbidden', 'not_found', ...idempotencyProblems],
});

export const listDataSources = defineRoute({
  id: 'listDataSources',
  tag: 'Data sources',
  summary: 'List the data sources of an organization',
  method: 'GET',
  path: '/api/organizations/{orgId}/data-sources',
  access: 'session',
  params: OrganizationParams,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(DataSource),
  problems: ['not_found'],
});

export const createSampleSource = defineRoute({
  id: 'createSampleSource',
  tag: 'Data sources',
  summary: 'Add the sample: a data source of real public data, with nine reports and a dashboard over it',
  method: 'POST',
  path: '/api/organizations/{orgId}/sample',
  access: 'session',
  params: OrganizationParams,
  description:
    'For editors. The data is what the npm package vega-datasets has, with its sources named there.',
  maxResponseMs: maxQueryAnswerMs,
  status: 201,
  reply: Type.Object({ dataSourceId: Id, dashboardId: Id }),
  problems: [
    'forbidden',
    'not_found',
    'sample_exists',
    'queries_busy',
    'body_too_large',
    'too_many_attempts',
  ],
});

export const getDataSource = defineRoute({
  id: 'getDataSource',
  tag: 'Data sources',
  summary: 'Read a data source',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}',
  access: 'session',
  params: SourceParams,
  status: 200,
  reply: DataSource,
  problems: ['not_found'],
});

export const replaceDataSource = defineRoute({
  id: 'replaceDataSource',
  tag: 'Data sources',
  summary: 'Change the name or the connection of a data source; its kind stays',
  method: 'PUT',
  path: '/api/data-sources/{dataSourceId}',
  access: 'session',
  params: SourceParams,
  body: DataSourceInput,
  status: 200,
  reply: DataSource,
  problems: ['forbidden', 'not_found'],
});

export const deleteDataSource = defineRoute({
  id: 'deleteDataSource',
  tag: 'Data sources',
  summary: 'Delete a data source that no report uses, and its files',
  method: 'DELETE',
  path: '/api/data-sources/{dataSourceId}',
  access: 'session',
  params: SourceParams,
  status: 204,
  problems: ['forbidden', 'not_found', 'data_source_in_use'],
  problemReplies: { data_source_in_use: DataSourceInUse },
});

export const testDataSource = defineRoute({
  id: 'testDataSource',
  tag: 'Data sources',
  summary: 'Try the connection of a data source',
  method: 'POST',
  path: '/api/data-sources/{dataSourceId}/test',
  access: 'session',
  params: SourceParams,
  status: 200,
  maxResponseMs: maxQueryAnswerMs,
  reply: ConnectionTest,
  problems: ['forbidden', 'not_found', 'too_many_attempts', 'queries_busy'],
});

export const listSourceTables = defineRoute({
  id: 'listSourceTables',
  tag: 'Data sources',
  summary: 'List the tables of a data source with their columns; for editors',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}/tables',
  access: 'session',
  params: SourceParams,
  status: 200,
  maxResponseMs: maxQueryAnswerMs,
  reply: Type.Object({ tables: Type.Array(SourceTable) }),
  problems: ['forbidden', 'not_found', ...queryProblems],
});

export const previewSourceTable = defineRoute({
  id: 'previewSourceTable',
  tag: 'Data sources',
  summary: 'Read the first 100 rows of a table; for editors',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}/tables/{table}/preview',
  access: 'session',
  params: TableParams,
  query: Type.Object({ schema: Type.Optional(Type.String()) }),
  status: 200,
  maxResponseMs: maxQueryAnswerMs,
  reply: Rows,
  problems: ['forbidden', 'not_found', ...queryProblems],
});

/** The media types of uploads, each with what DuckDB reads it by. */
export const uploadTypes = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
} as const;
export type UploadFormat = (typeof uploadTypes)[keyof typeof uploadTypes];

export const uploadTable = defineRoute({
  id: 'uploadTable',
  tag: 'Data sources',
  summary: 'Upload a file as a table of a `files` source; it replaces the table of this name as a whole',
  description:
    'The body is the file itself, up to 2 GB, as `text/csv`, `text/tab-separated-values`, `application/json`, ' +
    '`application/x-ndjson` or `application/vnd.apache.parquet`. Columns and their types are found by looking at ' +
    'it; an ' +
    'empty cell of a CSV or TSV file is null, in quotes or not. ' +
    'Until it is read to its end, queries see the table as it was. The name is up to 63 lower-case letters, digits ' +
    'and _, ' +
    'the first of them a letter; a data source has up to 100 tables.',
  method: 'PUT',
  path: '/api/data-sources/{dataSourceId}/tables/{table}',
  access: 'session',
  params: TableParams,
  upload: Object.keys(uploadTypes),
  // Reading the file into a table comes after its last byte.
  maxResponseMs: 15 * 60_000,
  status: 200,
  reply: SourceTable,
  problems: [
    'invalid_parameters',
    'forbidden',
    'not_found',
    'too_many_tables',
    'unreadable_file',
    'too_many_attempts',
    ...queryProblems,
  ],
});

export const deleteTable = defineRoute({
  id: 'deleteTable',
  tag: 'Data sources',
  summary: 'Delete a table of a `files` source',
  method: 'DELETE',
  path: '/api/data-sources/{dataSourceId}/tables/{table}',
  access: 'session',
  params: TableParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});
