import { Type, type Static } from 'typebox';
import { WidgetInput } from './dashboards/dashboards.ts';
import { dataSourceKinds } from './data-sources/kinds.ts';
import { ReportEdit } from './reports/reports.ts';
import { defineRoute } from './route.ts';
import { DisplayName, uuidPattern } from './values.ts';

/** The `format` of each kind of document; a later form of it has a later number. */
export const dashboardFormat = 'atrium.dashboard/1';
export const reportFormat = 'atrium.report/1';

const DocumentId = Type.String({
  pattern: uuidPattern,
  'x-expected': 'a UUID in lower case',
  description: 'Identifies the record in imports and in the widgets of other documents; a UUID in lower case',
});

const { name, description, query, parameters, visualization, cacheSeconds } = ReportEdit.properties;

/** What people edit of a report. It has no times and no users, so that the text stays the same without an edit. */
export const ReportDocument = Type.Object({
  format: Type.Literal(reportFormat),
  id: DocumentId,
  name,
  description,
  dataSource: Type.Object(
    { name: DisplayName, kind: Type.Enum([...dataSourceKinds]) },
    { description: 'The one of this name and kind in the organization; an import creates none' },
  ),
  query,
  parameters,
  visualization,
  cacheSeconds,
});
export type ReportDocument = Static<typeof ReportDocument>;

/** What people edit of a dashboard, likewise. */
export const DashboardDocument = Type.Object({
  format: Type.Literal(dashboardFormat),
  id: DocumentId,
  name: Type.String({ minLength: 1 }),
  description: Type.Optional(Type.String()),
  widgets: Type.Array(
    Type.Object({
      id: Type.Optional(
        Type.String({ description: 'Kept when it is a UUID in lower case that no widget before it has' }),
      ),
      ...WidgetInput.properties,
    }),
    {
      description:
        'All of them; those without a layout are placed in the first free slot. `reportId` is the `id` of a ' +
        'document of ' +
        'a report, or of a report of the organization',
    },
  ),
});
export type DashboardDocument = Static<typeof DashboardDocument>;

export const importActions = ['create', 'update', 'unchanged', 'restore'] as const;
export type ImportAction = (typeof importActions)[number];

/** A document of any kind; `format` says which. */
export const AtriumDocument = Type.Union([ReportDocument, DashboardDocument]);
export type AtriumDocument = Static<typeof AtriumDocument>;

export const ImportedDocument = Type.Object({
  kind: Type.Enum(['report', 'dashboard'], { description: 'What it is a document of' }),
  id: Type.String({ description: 'Of the document' }),
  dashboardId: Type.Optional(Type.String({ description: 'Absent for one that a dry run would create' })),
  reportId: Type.Optional(Type.String({ description: 'Absent for one that a dry run would create' })),
  name: Type.String(),
  action: Type.Enum([...importActions], { description: '`restore`: it is restored from the trash' }),
  changes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'What changes in a dashboard or report there is, a sentence each; reports are named as documents name them',
    }),
  ),
  newWidgetIds: Type.Optional(
    Type.Integer({ description: 'How many widgets get an id of the server; export again to have them' }),
  ),
});
export type ImportedDocument = Static<typeof ImportedDocument>;

const params = Type.Object({ orgId: Type.String() });

export const exportDashboards = defineRoute({
  id: 'exportDashboards',
  tag: 'Dashboards as code',
  summary: 'Export the dashboards of an organization and the reports they show as documents, as NDJSON',
  description:
    'Those that you may see, in the order of their ids, one a line; before them, likewise, the reports that they ' +
    'show. ' +
    'The same dashboards and reports give the same bytes.',
  method: 'GET',
  path: '/api/organizations/{orgId}/dashboards/export',
  access: 'session',
  params,
  status: 200,
  reply: AtriumDocument,
  mediaType: 'application/x-ndjson',
  problems: ['not_found'],
});

export const importDashboards = defineRoute({
  id: 'importDashboards',
  tag: 'Dashboards as code',
  summary: 'Import documents of dashboards and reports into an organization',
  description:
    'Editor or higher. A document changes the dashboard or report of the organization that it was exported from or ' +
    'that an import made of it, restores it if it is in the trash, and otherwise creates one. A report takes the ' +
    'data source of the organization that has the name and the kind. All or nothing: with a document that does not ' +
    'fit, or whose dashboard you may not change, nothing is stored. At most 1,000 documents and 4 MiB at once. ' +
    'With `dryRun=true` nothing is stored, and the response says what would be.',
  method: 'POST',
  path: '/api/organizations/{orgId}/dashboards/import',
  access: 'session',
  params,
  // A misspelt name would store what was only to be tried.
  query: Type.Object(
    {
      dryRun: Type.Optional(
        Type.Unsafe<'true' | 'false'>({
          type: 'string',
          enum: ['true', 'false'],
          description: '`true`: only report what the import would do',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: Type.Object({ documents: Type.Array(AtriumDocument, { maxItems: 1000 }) }),
  // On two cores this keeps the embedded database, and all who write, waiting for some 0.3 s.
  maxBodyBytes: 4 * 1024 * 1024,
  status: 200,
  reply: Type.Object({
    items: Type.Array(ImportedDocument, { description: 'In the order of the documents' }),
  }),
  problems: ['forbidden', 'not_found'],
});
