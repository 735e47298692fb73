import { Type, type Static } from 'typebox';
import { columnTypes } from '#shared/columns.ts';
import { dataSourceKinds, unionOfConnections, type SourceOfKind } from './kinds.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { Problem } from '../problem.ts';
import { maxTypedLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { booleanParameter, DisplayName, Id, page, PageQuery, RecordName, Timestamp } from '../values.ts';

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
/** A source of rows for an organization's reports. */
export type DataSource = Omit<Static<typeof dataSource>, 'kind' | 'connection'> & SourceOfKind<'stored'>;
export const DataSource = Type.Unsafe<DataSource>(dataSource);

/** The problem of deleting a data source that reports use, with up to a hundred of them and their total number. */
export const DataSourceInUse = Type.Object({
  ...Problem.properties,
  reports: Type.Array(RecordName),
  reportCount: Type.Integer(),
});

export const Column = Type.Object({
  name: Type.String(),
  type: Type.Enum([...columnTypes]),
  sourceType: Type.String({
    description: 'The type as the source names it, such as `DECIMAL(18,3)` or `timestamptz`',
  }),
});
export type Column = Static<typeof Column>;

const SourceDescription = Type.String({ description: 'The comment in the database, up to 1,000 characters' });

/** A column of a table, with what its database says about it. */
export const SourceColumn = Type.Object({
  ...Column.properties,
  description: Type.Optional(SourceDescription),
});
export type SourceColumn = Static<typeof SourceColumn>;

/** Columns whose values are those of a key of another table. */
export const ForeignKey = Type.Object({
  columns: Type.Array(Type.String(), { description: 'The columns of this table' }),
  schema: Type.String({ description: 'The schema of the other table' }),
  table: Type.String({ description: 'The name of the other table' }),
  otherColumns: Type.Array(Type.String(), {
    description: 'The columns of the other table, in the same order',
  }),
});
export type ForeignKey = Static<typeof ForeignKey>;

export const SourceTable = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(SourceColumn),
  description: Type.Optional(SourceDescription),
  primaryKey: Type.Optional(
    Type.Array(Type.String(), { description: 'The columns that identify a row, if the source knows them' }),
  ),
  foreignKeys: Type.Optional(Type.Array(ForeignKey, { description: 'Those that the source knows' })),
  rowCount: Type.Optional(Type.Integer({ description: 'Present if the source knows it without counting' })),
  fault: Type.Optional(
    Type.String({ description: 'Why the table cannot be queried. Its columns are unknown then.' }),
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

export const ConnectionWarning = Type.Object({
  code: Type.Enum([...connectionWarningCodes]),
  message: Type.String({ description: 'What queries can do with the role, and how to prevent it' }),
});
export type ConnectionWarning = Static<typeof ConnectionWarning>;

export const ConnectionTest = Type.Object({
  isReachable: Type.Boolean(),
  fault: Type.Optional(Type.String({ description: 'What is wrong with the connection' })),
  warnings: Type.Array(ConnectionWarning, {
    description: 'What the role allows queries to do beyond reading its tables',
  }),
  durationMs: Type.Number(),
});
export type ConnectionTest = Static<typeof ConnectionTest>;

/** The rows of a result. */
export const RowValues = Type.Array(Type.Array(Type.Unknown()), {
  description:
    'A value for each column. A number is a JSON number if a double can represent it exactly, otherwise a string of ' +
    'its digits. Dates and times are ISO 8601; an `instant` is RFC 3339 in UTC; `bytes` are base64; `list`, `struct` ' +
    'and `json` are JSON',
});

export const Rows = Type.Object({
  columns: Type.Array(Column),
  rows: RowValues,
  rowCount: Type.Integer({ description: 'The number of `rows`' }),
  isCutOff: Type.Boolean({ description: 'Whether the table has more rows' }),
});
export type Rows = Static<typeof Rows>;

/** The problems of querying a source. */
const queryProblems = [
  'query_failed',
  'query_timed_out',
  'query_too_large',
  'source_unreachable',
  'queries_busy',
] as const;

/** Longer than a query can wait and run. */
export const maxQueryResponseMs = 120_000;

const SourceParams = Type.Object({ dataSourceId: Type.String() });
const OrganizationParams = Type.Object({ orgId: Type.String() });
const TableParams = Type.Object({ dataSourceId: Type.String(), table: Type.String() });

export const createDataSource = defineRoute({
  id: 'createDataSource',
  tag: 'Data sources',
  summary: 'Create a data source',
  description:
    'A source of the kind `files` has uploaded tables, and requires the editor role or higher. `postgresql` has a ' +
    'connection, and requires the admin role or higher.',
  method: 'POST',
  path: '/api/organizations/{orgId}/data-sources',
  access: 'session',
  params: OrganizationParams,
  headers: IdempotencyKey,
  body: DataSourceInput,
  status: 201,
  location: '/api/data-sources/{id}',
  reply: DataSource,
  problems: ['forbidden', 'not_found', 'quota_exceeded', ...idempotencyProblems],
});

export const listDataSources = defineRoute({
  id: 'listDataSources',
  tag: 'Data sources',
  summary: 'List the data sources of an organization',
  description: 'For members. A password is never returned.',
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
  summary: 'Add the sample: a data source with real public data, nine reports and a dashboard',
  method: 'POST',
  path: '/api/organizations/{orgId}/sample',
  access: 'session',
  params: OrganizationParams,
  description:
    'Requires the editor role or higher. The data comes from the npm package vega-datasets, which names its sources.',
  status: 201,
  reply: Type.Object({ dataSourceId: Id, dashboardId: Id }),
  problems: [
    'forbidden',
    'not_found',
    'sample_exists',
    'quota_exceeded',
    'body_too_large',
    'too_many_attempts',
  ],
});

export const getDataSource = defineRoute({
  id: 'getDataSource',
  tag: 'Data sources',
  summary: 'Read a data source',
  description: 'For members of its organization. A password is never returned.',
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
  summary: 'Change the name or the connection of a data source',
  description: 'The kind cannot change.',
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
  summary: 'Move a data source to the trash, with its tables',
  description:
    'You can restore it for 30 days. Reports that use it fail meanwhile, so this requires `force=true`.',
  method: 'DELETE',
  path: '/api/data-sources/{dataSourceId}',
  access: 'session',
  params: SourceParams,
  query: Type.Object({
    force: Type.Optional(booleanParameter('Whether to delete it although reports use it')),
  }),
  status: 204,
  problems: ['forbidden', 'not_found', 'data_source_in_use'],
  problemReplies: { data_source_in_use: DataSourceInUse },
});

export const testDataSource = defineRoute({
  id: 'testDataSource',
  tag: 'Data sources',
  summary: 'Test the connection of a data source',
  description: 'Connects to the source, and checks what its role may do beyond reading.',
  method: 'POST',
  path: '/api/data-sources/{dataSourceId}/test',
  access: 'session',
  params: SourceParams,
  status: 200,
  maxResponseMs: maxQueryResponseMs,
  reply: ConnectionTest,
  problems: ['forbidden', 'not_found', 'too_many_attempts', 'queries_busy'],
});

export const listSourceTables = defineRoute({
  id: 'listSourceTables',
  tag: 'Data sources',
  summary: 'List the tables of a data source with their columns',
  description: 'Requires the editor role or higher.',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}/tables',
  access: 'session',
  params: SourceParams,
  status: 200,
  maxResponseMs: maxQueryResponseMs,
  reply: Type.Object({ items: Type.Array(SourceTable) }),
  problems: ['forbidden', 'not_found', ...queryProblems],
});

export const previewSourceTable = defineRoute({
  id: 'previewSourceTable',
  tag: 'Data sources',
  summary: 'Read the first 100 rows of a table',
  description: 'Requires the editor role or higher.',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}/tables/{table}/preview',
  access: 'session',
  params: TableParams,
  query: Type.Object({
    schema: Type.Optional(
      Type.String({ maxLength: maxTypedLength, description: 'The schema of the table in its database' }),
    ),
  }),
  status: 200,
  maxResponseMs: maxQueryResponseMs,
  reply: Rows,
  problems: ['forbidden', 'not_found', ...queryProblems],
});

/** The media types of uploads, and the format of each. */
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
  summary: 'Upload a file as a table of a `files` source, or replace the whole table',
  description:
    'The body is the file itself, up to 2 GB, as `text/csv`, `text/tab-separated-values`, `application/json`, ' +
    '`application/x-ndjson` or `application/vnd.apache.parquet`. The encoding, the delimiter, the columns and their ' +
    'types are guessed; to choose them, create an upload instead. A file with broken rows is refused, and the problem ' +
    'lists them. An empty cell of a CSV or TSV file is null, in quotes or not. Until the whole file is imported, queries ' +
    'see the previous table. The name has up to 63 lower-case letters, digits and _, and starts with a letter. A data source can have ' +
    'up to 100 tables.',
  method: 'PUT',
  path: '/api/data-sources/{dataSourceId}/tables/{table}',
  access: 'session',
  params: TableParams,
  upload: Object.keys(uploadTypes),
  // The file is imported after its last byte is received.
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
  summary: 'Move a table of a `files` source to the trash',
  description: 'It can be restored for 30 days. Reports that query it fail until then.',
  method: 'DELETE',
  path: '/api/data-sources/{dataSourceId}/tables/{table}',
  access: 'session',
  params: TableParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});
