import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';

const route = {
  tag: 'Organizations',
  method: 'GET',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  status: 200,
} as const;

/** What the export of an organization has. */
export const DataExportContents = Type.Object({
  dashboards: Type.Integer({ description: 'The number of dashboards, with those in the trash' }),
  reports: Type.Integer({ description: 'The number of reports, with those in the trash' }),
  tables: Type.Integer({ description: 'The number of uploaded tables, with those in the trash' }),
  tableBytes: Type.Integer({ description: 'The size of the uploaded tables' }),
  logEntries: Type.Integer({ description: 'The number of entries of the audit log and the data-access log' }),
});
export type DataExportContents = Static<typeof DataExportContents>;

export const getDataExportContents = defineRoute({
  ...route,
  id: 'getDataExportContents',
  summary: 'Count what the export of an organization has',
  description: 'Owner.',
  path: '/api/organizations/{orgId}/data-export/contents',
  query: Type.Object({
    for: Type.Optional(
      Type.Literal('download', {
        description: 'Fails as a download would now: without a recent confirmation, or while another runs',
      }),
    ),
  }),
  reply: DataExportContents,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'exports_busy'],
});

export const exportOrganizationData = defineRoute({
  ...route,
  id: 'exportOrganizationData',
  summary: 'Export everything of an organization as one archive',
  description:
    'Owner, with a recent confirmation of identity; not with tokens. A ZIP archive that is sent while it is made, with `README.txt` first ' +
    'and `manifest.json` last: the size and the SHA-256 of each file. It has no secrets. An archive that was cut off can’t be opened. ' +
    'Both logs record it, and the owners get an email. One export at a time runs for an organization.',
  path: '/api/organizations/{orgId}/data-export',
  alternatives: ['application/zip'],
  hasEffects: true,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'exports_busy'],
});
