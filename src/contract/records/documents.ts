import { Type, type Static } from 'typebox';
import { WidgetInput } from '../dashboards/dashboards.ts';
import { dataSourceKinds } from '../data-sources/kinds.ts';
import { ReportEdit } from '../reports/reports.ts';
import { boundedByBody, GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { booleanParameter, DisplayName, Id, uuidPattern } from '../values.ts';

/** The `format` of each kind of document. Later formats get higher numbers. */
export const dashboardFormat = 'atrium.dashboard/1';
export const reportFormat = 'atrium.report/1';

export const DocumentId = Type.String({
  pattern: uuidPattern,
  'x-expected': 'a UUID in lower case',
  description: 'Identifies the record in imports and in the widgets of other documents; a UUID in lower case',
});

const restricted = Type.Optional(
  Type.Boolean({
    description:
      'Whether it is restricted where it comes from, by itself or by its folder. What an import creates or changes is then restricted, ' +
      'too, and no import makes anything less restricted',
  }),
);

const { name, description, query, structure, parameters, visualization, cacheSeconds, drill } =
  ReportEdit.properties;

/** The parts of a report that people edit, without times and users, so that the text changes only with an edit. */
export const ReportDocument = Type.Object({
  format: Type.Literal(reportFormat),
  id: DocumentId,
  name,
  restricted,
  description,
  dataSource: Type.Object(
    { name: DisplayName, kind: Type.Enum([...dataSourceKinds]) },
    { description: 'Identifies a data source of the organization. An import does not create one.' },
  ),
  query,
  structure,
  parameters,
  visualization,
  cacheSeconds,
  drill,
});
export type ReportDocument = Static<typeof ReportDocument>;

/** The parts of a dashboard that people edit. */
export const DashboardDocument = Type.Object(
  {
    format: Type.Literal(dashboardFormat),
    id: DocumentId,
    name: Type.String({ minLength: 1 }),
    restricted,
    description: Type.Optional(Type.String()),
    widgets: Type.Array(
      Type.Object({
        id: Type.Optional(
          Type.String({ description: 'Preserved if it is a UUID in lower case that no earlier widget has' }),
        ),
        ...WidgetInput.properties,
      }),
      {
        description:
          'All widgets. Those without a layout are placed in the first free slot. `reportId` is the `id` of the document ' +
          'of a report, or of a report of the organization.',
      },
    ),
  },
  boundedByBody,
);
export type DashboardDocument = Static<typeof DashboardDocument>;

export const importActions = ['create', 'update', 'unchanged', 'restore'] as const;
export type ImportAction = (typeof importActions)[number];

/** A document of any kind, as determined by its `format`. */
export const AtriumDocument = Type.Union([ReportDocument, DashboardDocument]);
export type AtriumDocument = Static<typeof AtriumDocument>;

const MissingImage = Type.Object({
  id: Type.String({ description: 'The SHA-256 of the file' }),
  description: Type.Optional(Type.String({ description: 'What a widget says about the image' })),
});
export type MissingImage = Static<typeof MissingImage>;

export const ImportedDocument = Type.Object({
  kind: Type.Enum(['report', 'dashboard'], { description: 'The kind of the document' }),
  id: Type.String({ ...GivenId, description: 'The id of the document' }),
  dashboardId: Type.Optional(Type.String({ ...Id, description: 'Absent if a dry run would create it' })),
  reportId: Type.Optional(Type.String({ ...Id, description: 'Absent if a dry run would create it' })),
  name: Type.String(),
  action: Type.Enum([...importActions], { description: '`restore`: it is restored from the trash' }),
  version: Type.Optional(Type.Integer({ description: 'In a dry run, the version of an existing record' })),
  changes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'What changes in an existing dashboard or report, one sentence each. Reports are named as in the documents.',
    }),
  ),
  restricted: Type.Optional(
    Type.Boolean({
      description: 'Whether it is created restricted to you and the admins, as its document says',
    }),
  ),
  newWidgetIds: Type.Optional(
    Type.Integer({
      description: 'How many widgets get an id from the server. Export again to get these ids.',
    }),
  ),
  missingImages: Type.Optional(
    Type.Array(MissingImage, {
      description:
        'A warning: the images that the dashboard shows and the organization doesn’t have. Until you upload the same ' +
        'files there, widgets show the description.',
    }),
  ),
});
export type ImportedDocument = Static<typeof ImportedDocument>;

const { id, action, version } = ImportedDocument.properties;
/** What a dry run returned for a document, which an import may require to be still true. */
export const ExpectedImport = Type.Object({ id, action, version });
export type ExpectedImport = Static<typeof ExpectedImport>;

const params = Type.Object({ orgId: Type.String() });

export const exportDashboards = defineRoute({
  id: 'exportDashboards',
  tag: 'Dashboards as code',
  summary: 'Export the dashboards of an organization and the reports that they show as documents, as NDJSON',
  description:
    'One document per line: first the reports, then the dashboards that you can see, each in the order of their ids. ' +
    'Without an edit, an export always has the same bytes.',
  method: 'GET',
  path: '/api/organizations/{orgId}/dashboards/export',
  access: 'session',
  params,
  query: Type.Object({
    reports: Type.Optional(
      Type.Enum(['shown', 'all'], {
        description: 'With `all`, also the reports that no dashboard shows; by default, `shown`',
      }),
    ),
  }),
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
    'Requires the editor role or higher. A document changes the dashboard or report of the organization that it was ' +
    'exported from or that an earlier import created from it, restores it if it is in the trash, and otherwise creates ' +
    'one. A report uses the data source of the organization that has the name and the kind. All or nothing: if a ' +
    'document is invalid, or you may not change its dashboard, nothing is stored. At most 1,000 documents and 4 MiB ' +
    'at once; as NDJSON, the body is what an export returns. With `dryRun=true`, nothing is stored, and the response ' +
    'shows what an import would do. With `expected`, an import stores nothing if it would do anything else than a dry ' +
    'run showed, because others have changed something since.',
  method: 'POST',
  path: '/api/organizations/{orgId}/dashboards/import',
  access: 'session',
  params,
  // With a misspelled name, a dry run would store everything.
  query: Type.Object(
    {
      dryRun: Type.Optional(booleanParameter('Whether to only report what the import would do')),
      folderId: Type.Optional(
        Type.String({
          ...GivenId,
          description:
            'The folder in which new dashboards and reports are created, with its access from the first moment; you must be able to ' +
            'edit it. By default, they are in no folder.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: Type.Object({
    documents: Type.Array(AtriumDocument, { maxItems: 1000 }),
    expected: Type.Optional(
      Type.Array(ExpectedImport, { maxItems: 1000, description: 'What the dry run returned' }),
    ),
  }),
  lines: 'documents',
  // On two cores, this blocks writes to the embedded database for about 0.3 s.
  maxBodyBytes: 4 * 1024 * 1024,
  status: 200,
  reply: Type.Object({
    items: Type.Array(ImportedDocument, { description: 'In the order of the documents' }),
  }),
  problems: ['forbidden', 'not_found', 'unknown_version', 'quota_exceeded'],
});
