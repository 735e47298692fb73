import { Type, type Static } from 'typebox';
import { Column, maxQueryResponseMs, RowValues } from '../data-sources/data-sources.ts';
import { ColumnLabel } from '../models.ts';
import { Fault, Problem } from '../problem.ts';
import { GivenId, HeaderText, maxParameterCount, otherNames } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Timestamp } from '../values.ts';
import { Mark } from './drill.ts';
import { ParameterValue, ReportEdit } from './reports.ts';

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

const ReportParams = Type.Object({ reportId: Type.String() });
const base = { tag: 'Reports', access: 'session' } as const;

/** Values by parameter name; parameters that are left out have their defaults. */
export const ParameterValues = Type.Unsafe<Record<string, ParameterValue>>({
  type: 'object',
  additionalProperties: ParameterValue,
  maxProperties: maxParameterCount,
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
    accept: Type.Optional(Type.String({ ...HeaderText, description: 'The media type of the result' })),
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
    accept: Type.Optional(Type.String({ ...HeaderText, description: 'The media type of the rows' })),
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
  query: Type.Object({}, otherNames),
  headers: Type.Object({
    range: Type.Optional(
      Type.String({ ...HeaderText, description: 'The bytes to return, such as `bytes=0-1023`' }),
    ),
    'if-range': Type.Optional(
      Type.String({ ...HeaderText, description: 'The `ETag` that `Range` is about' }),
    ),
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
    organizationId: GivenId,
    dataSourceId: GivenId,
    query: ReportEdit.properties.query,
    parameters: ReportEdit.properties.parameters,
    visualization: ReportEdit.properties.visualization,
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
  query: Type.Object({}, otherNames),
  status: 200,
  reply: Type.Object({
    items: Type.Optional(
      Type.Array(Type.String(), { description: 'Omitted if any value of its type is allowed' }),
    ),
  }),
  problems: ['not_found', ...runProblems],
  problemReplies: { query_failed: QueryFailed },
});
