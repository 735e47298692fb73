import { Type, type Static } from 'typebox';
import { parameterName, parameterTypes } from '#shared/parameter-values.ts';
import { Column, maxQueryResponseMs, RowValues } from '../data-sources.ts';
import { editConflict, editHeaders, etagHeader, IfMatch, IfNoneMatch } from '../history.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { ColumnLabel } from '../models.ts';
import { Fault, Problem } from '../problem.ts';
import { defineRoute } from '../route.ts';
import { Mark, ReportDrill } from './drill.ts';
import { QueryStructure } from './structure.ts';
import { Visualization } from './visualizations.ts';
import { booleanParameter, Id, page, PageQuery, RecordName, Timestamp } from '../values.ts';

/** A value of a parameter; for a `list`, all selected texts; null if nothing is selected. */
export const ParameterValue = Type.Unsafe<string | number | boolean | readonly string[] | null>({
  type: ['string', 'number', 'boolean', 'array', 'null'],
  items: { type: 'string' },
});
export type ParameterValue = Static<typeof ParameterValue>;

/** A parameter that a query refers to as `{{name}}`. Its value is bound, never pasted into the SQL. */
export const ReportParameter = Type.Object({
  name: Type.String({
    pattern: parameterName.source,
    'x-expected': 'up to 63 letters, digits and _, not starting with a digit',
  }),
  label: Type.Optional(Type.String({ maxLength: 200 })),
  type: Type.Enum([...parameterTypes], {
    description:
      'A `date` has the form 2026-11-21, a `datetime` 2026-11-21T09:00:00Z, or without Z for columns without a time zone; a ' +
      '`list` is an array of texts, used as `= ANY ({{name}})` instead of `IN`',
  }),
  default: Type.Optional(ParameterValue),
  allowed: Type.Optional(
    Type.Object({
      values: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
      query: Type.Optional(
        Type.String({
          maxLength: 100_000,
          description:
            'A query whose first column lists the values, up to 10,000. It may refer to other parameters, whose values ' +
            'then limit the list',
        }),
      ),
    }),
  ),
});
export type ReportParameter = Static<typeof ReportParameter>;

const content = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  dataSourceId: Type.String(),
  query: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description: 'One SELECT statement in the SQL dialect of the data source',
  }),
  structure: Type.Optional(QueryStructure),
  parameters: Type.Optional(Type.Array(ReportParameter, { maxItems: 50 })),
  visualization: Type.Optional(Visualization),
  cacheSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description: 'Defaults to 60' })),
  drill: Type.Optional(ReportDrill),
};

/** A query of a data source, with parameters and a visualization of its result. */
export const ReportInput = Type.Object(
  { organizationId: Type.String(), ...content },
  {
    examples: [
      {
        organizationId: '0193f5a2-7c1e-7b3a-9d2f-4e5a6b7c8d9e',
        dataSourceId: '0193f5a2-9a40-7c11-8e21-5f6a7b8c9d0e',
        name: 'Orders by month',
        query: 'select month, count(*) as orders from orders group by month',
      },
    ],
  },
);
export type ReportInput = Static<typeof ReportInput>;
export const ReportEdit = Type.Object(content);
export type ReportEdit = Static<typeof ReportEdit>;

export const Report = Type.Object({
  id: Id,
  organizationId: Id,
  userId: Type.String({ ...Id, description: 'The user who owns it' }),
  ...content,
  parameters: Type.Array(ReportParameter),
  visualization: Visualization,
  cacheSeconds: Type.Integer(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Report = Static<typeof Report>;

/** The result of a report: its columns and rows, and how fresh they are. */
export const ReportResult = Type.Object({
  columns: Type.Array(Column),
  rows: RowValues,
  rowCount: Type.Integer({ description: 'The number of `rows`' }),
  isCutOff: Type.Boolean({ description: 'Whether the row limit left some rows out' }),
  computedAt: Timestamp,
  durationMs: Type.Number({ description: 'How long the data source took' }),
  isFromCache: Type.Boolean(),
  labels: Type.Optional(
    Type.Array(ColumnLabel, { description: 'The columns that the models of their tables describe' }),
  ),
  faults: Type.Array(Fault, {
    description: 'Why the columns do not fit the visualization, with pointers into `visualization`',
  }),
});
export type ReportResult = Static<typeof ReportResult>;

/** A report in a list, without its query and how the result is shown. */
export const ReportSummary = Type.Pick(Report, [
  'id',
  'organizationId',
  'userId',
  'name',
  'description',
  'dataSourceId',
  'createdAt',
  'updatedAt',
]);
export type ReportSummary = Static<typeof ReportSummary>;

/** How many dashboards show a report. */
const dashboardCount = Type.Integer({
  description: 'How many dashboards show it, up to 1,000, including those that you cannot see',
});

/** The dashboards that show a report, up to 100 of those that you can see. */
export const ReportUses = Type.Object({ items: Type.Array(RecordName), totalCount: dashboardCount });

/** The problem with deleting a report that dashboards show, with up to 100 of those that you can see. */
export const ReportInUse = Type.Object({
  ...Problem.properties,
  dashboards: Type.Array(RecordName),
  dashboardCount,
});

export const ReportEditConflict = editConflict(Report, ReportEdit);

const ReportParams = Type.Object({ reportId: Type.String() });
const base = { tag: 'Reports', access: 'session' } as const;

export const createReport = defineRoute({
  ...base,
  id: 'createReport',
  summary: 'Create a report',
  description: 'Requires the editor role or higher.',
  method: 'POST',
  path: '/api/reports',
  headers: IdempotencyKey,
  body: ReportInput,
  status: 201,
  location: '/api/reports/{id}',
  reply: Report,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', ...idempotencyProblems],
});

export const getReport = defineRoute({
  ...base,
  id: 'getReport',
  summary: 'Read a report',
  description:
    'For members of its organization. With `If-None-Match`, the response has no body while the version is the same.',
  method: 'GET',
  path: '/api/reports/{reportId}',
  params: ReportParams,
  headers: IfNoneMatch,
  status: 200,
  reply: Report,
  replyHeaders: etagHeader,
  problems: ['not_found'],
});

export const listReports = defineRoute({
  ...base,
  id: 'listReports',
  summary: 'List the reports of an organization, newest first',
  description: 'For members of the organization.',
  method: 'GET',
  path: '/api/reports',
  query: Type.Object({
    ...PageQuery,
    organizationId: Type.String({ description: 'The ID of the organization' }),
    dataSourceId: Type.Optional(Type.String({ description: 'Only reports that query this data source' })),
    q: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only reports whose name contains this text' }),
    ),
  }),
  status: 200,
  reply: page(ReportSummary),
  problems: ['not_found'],
});

export const replaceReport = defineRoute({
  ...base,
  id: 'replaceReport',
  summary: 'Save a report',
  description:
    'Requires the editor role or higher. `If-Match` names the version that the edit started from. If others have saved since, ' +
    'their changes and yours are merged field by field.',
  method: 'PUT',
  path: '/api/reports/{reportId}',
  params: ReportParams,
  headers: IfMatch,
  body: ReportEdit,
  status: 200,
  reply: Report,
  replyHeaders: editHeaders,
  problems: ['forbidden', 'not_found', 'precondition_required', 'unknown_version', 'edit_conflict'],
  problemReplies: { edit_conflict: ReportEditConflict },
});

export const deleteReport = defineRoute({
  ...base,
  id: 'deleteReport',
  summary: 'Move a report to the trash',
  description:
    'You can restore it for 30 days. A report that dashboards show is deleted only with `force=true`; their widgets then show ' +
    'its name.',
  method: 'DELETE',
  path: '/api/reports/{reportId}',
  params: ReportParams,
  headers: IfMatch,
  query: Type.Object({
    force: Type.Optional(booleanParameter('Whether to delete it although dashboards show it')),
  }),
  status: 204,
  problems: ['forbidden', 'not_found', 'unknown_version', 'report_in_use'],
  problemReplies: { report_in_use: ReportInUse },
});

export const listReportUses = defineRoute({
  ...base,
  id: 'listReportUses',
  summary: 'List the dashboards of its organization that show a report',
  description: 'Up to 100 that you can see.',
  method: 'GET',
  path: '/api/reports/{reportId}/dashboards',
  params: ReportParams,
  status: 200,
  reply: ReportUses,
  problems: ['not_found'],
});

/** Values by parameter name; parameters that are left out have their defaults. */
export const ParameterValues = Type.Unsafe<Record<string, ParameterValue>>({
  type: 'object',
  additionalProperties: ParameterValue,
});

const runProblems = [
  'query_failed',
  'query_timed_out',
  'query_too_large',
  'source_unreachable',
  'queries_busy',
] as const;

/** The problem with a query that its data source rejects, with the line and column in the query, counted from 1. */
export const QueryFailed = Type.Object({
  ...Problem.properties,
  line: Type.Optional(Type.Integer()),
  column: Type.Optional(Type.Integer()),
  parameter: Type.Optional(
    Type.String({
      description:
        'The parameter whose query of allowed values failed; omitted if the report’s own query failed',
    }),
  ),
});

/** Other media types of a result, chosen by the `Accept` header: all rows, straight from the data source. */
const tableFormats = ['text/csv', 'application/vnd.apache.parquet'] as const;

export const runReport = defineRoute({
  ...base,
  id: 'runReport',
  summary: 'Run a report',
  description:
    'Parameters are bound as values. Returns up to 50,000 rows, unless the server is configured otherwise, from the cache if ' +
    'that is fresh enough. With `Accept: text/csv` or `application/vnd.apache.parquet`, returns all rows as a file.',
  method: 'POST',
  path: '/api/reports/{reportId}/run',
  maxResponseMs: maxQueryResponseMs,
  params: ReportParams,
  query: Type.Object({
    csv: Type.Optional(
      Type.Enum(['exact', 'spreadsheet'], {
        description:
          'For `text/csv`: `exact`, the default, returns the values unchanged; with `spreadsheet`, an apostrophe ' +
          'precedes each value that a spreadsheet would interpret as a formula',
      }),
    ),
  }),
  headers: Type.Object({
    accept: Type.Optional(Type.String({ description: 'The media type of the result' })),
  }),
  body: Type.Object({
    parameters: Type.Optional(ParameterValues),
    isForced: Type.Optional(
      Type.Boolean({ description: 'Query the data source even if the cached result is fresh' }),
    ),
  }),
  status: 200,
  reply: ReportResult,
  alternatives: tableFormats,
  problems: ['not_found', ...runProblems],
  problemReplies: { query_failed: QueryFailed },
});

export const drillReport = defineRoute({
  ...base,
  id: 'drillReport',
  summary: 'Show the rows behind marks of a report',
  description:
    'Without `target`, the rows of the tables that a built query summarizes into the marks: for editors, and for all members if ' +
    'the report allows it. With `target`, the result of a query that the report defines. Values are bound, never part of the ' +
    'SQL, and the parameters of the report apply. With `Accept: text/csv`, returns all rows as a file for spreadsheets.',
  method: 'POST',
  path: '/api/reports/{reportId}/drill',
  maxResponseMs: maxQueryResponseMs,
  params: ReportParams,
  headers: Type.Object({
    accept: Type.Optional(Type.String({ description: 'The media type of the rows' })),
  }),
  body: Type.Object({
    parameters: Type.Optional(ParameterValues),
    marks: Type.Array(Mark, {
      minItems: 1,
      maxItems: 100,
      description: 'The rows of any of them are returned',
    }),
    target: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The index of a target of the kind `query` in the report' }),
    ),
  }),
  status: 200,
  reply: ReportResult,
  alternatives: ['text/csv'],
  problems: ['forbidden', 'not_found', ...runProblems],
  problemReplies: { query_failed: QueryFailed },
});

export const downloadReport = defineRoute({
  ...base,
  id: 'downloadReport',
  summary: 'Read all rows of a report as CSV, for programs that can only open a URL',
  description:
    'Each name in the query string is a parameter of the report; parameters that are left out have their defaults. Repeat a ' +
    'name to pass a list. An apostrophe precedes each value that a spreadsheet would interpret as a formula. `Range` and ' +
    '`If-None-Match` work for up to 8 MiB; larger files have no `ETag`.',
  method: 'GET',
  path: '/api/reports/{reportId}/result.csv',
  maxResponseMs: maxQueryResponseMs,
  params: ReportParams,
  query: Type.Object({}, { additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]) }),
  headers: Type.Object({
    range: Type.Optional(Type.String({ description: 'The bytes to return, such as `bytes=0-1023`' })),
    'if-range': Type.Optional(Type.String({ description: 'The `ETag` that `Range` is about' })),
  }),
  status: 200,
  alternatives: ['text/csv'],
  replyHeaders: { ETag: 'The version of the file' },
  problems: ['not_found', 'range_not_satisfiable', ...runProblems],
  problemReplies: { query_failed: QueryFailed },
});

export const previewReport = defineRoute({
  ...base,
  id: 'previewReport',
  summary: 'Preview an unsaved report',
  description: 'Requires the editor role or higher.',
  method: 'POST',
  path: '/api/reports/preview',
  maxResponseMs: maxQueryResponseMs,
  body: Type.Object({
    organizationId: Type.String(),
    dataSourceId: Type.String(),
    query: content.query,
    parameters: content.parameters,
    visualization: content.visualization,
    values: Type.Optional(ParameterValues),
  }),
  status: 200,
  reply: ReportResult,
  problems: ['forbidden', 'not_found', ...runProblems],
  problemReplies: { query_failed: QueryFailed },
});

export const listParameterValues = defineRoute({
  ...base,
  id: 'listParameterValues',
  summary: 'List the values that a parameter of a report may have',
  description:
    'Runs the query of the allowed values, if the parameter has one. Each name in the query string is a parameter that this ' +
    'query may refer to; those that are left out have their defaults.',
  method: 'GET',
  path: '/api/reports/{reportId}/parameters/{parameter}/values',
  maxResponseMs: maxQueryResponseMs,
  params: Type.Object({ ...ReportParams.properties, parameter: Type.String() }),
  query: Type.Object({}, { additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]) }),
  status: 200,
  reply: Type.Object({
    items: Type.Optional(
      Type.Array(Type.String(), { description: 'Omitted if any value of its type is allowed' }),
    ),
  }),
  problems: ['not_found', ...runProblems],
  problemReplies: { query_failed: QueryFailed },
});
