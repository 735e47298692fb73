import { Type, type Static } from 'typebox';
import { maxValueLength, parameterName, parameterTypes } from '#shared/parameter-values.ts';
import { editConflict, editHeaders, etagHeader, IfMatch, IfNoneMatch } from '../records/history.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { Problem } from '../problem.ts';
import { GivenId, maxValueCount } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { ReportDrill } from './drill.ts';
import { QueryStructure } from './structure.ts';
import { Visualization } from './visualizations.ts';
import { booleanParameter, Id, InFolder, page, PageQuery, RecordName, Timestamp } from '../values.ts';

/** A value of a parameter; for a `list`, all selected texts; null if nothing is selected. */
export const ParameterValue = Type.Unsafe<string | number | boolean | readonly string[] | null>({
  type: ['string', 'number', 'boolean', 'array', 'null'],
  maxLength: maxValueLength,
  items: { type: 'string', maxLength: maxValueLength },
  maxItems: maxValueCount,
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
      values: Type.Optional(Type.Array(Type.String({ maxLength: maxValueLength }), { maxItems: 1000 })),
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
  dataSourceId: GivenId,
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
  { organizationId: GivenId, ...content },
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

/** A report in a list, without its query and how the result is shown. */
const summary = Type.Pick(Report, [
  'id',
  'organizationId',
  'userId',
  'name',
  'description',
  'dataSourceId',
  'createdAt',
  'updatedAt',
]);
export const ReportSummary = Type.Object({ ...summary.properties, folderId: Type.Optional(Id) });
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
  problems: ['forbidden', 'not_found', 'quota_exceeded', ...idempotencyProblems],
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
    organizationId: Type.String({ ...GivenId, description: 'The ID of the organization' }),
    dataSourceId: Type.Optional(
      Type.String({ ...GivenId, description: 'Only reports that query this data source' }),
    ),
    folderId: InFolder,
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
  problems: [
    'forbidden',
    'not_found',
    'precondition_required',
    'unknown_version',
    'edit_conflict',
    'quota_exceeded',
  ],
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
