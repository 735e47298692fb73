import { Type, type Static } from 'typebox';
import { createDashboard, Dashboard, DashboardInput } from '../dashboards/dashboards.ts';
import { createReport, Report, ReportEdit } from '../reports/reports.ts';
import { boundedByBody } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { FolderParams } from './folders.ts';

/** A dashboard to create in a folder, whose organization it gets. */
export const DashboardInFolderInput = Type.Omit(DashboardInput, ['organizationId'], boundedByBody);
export type DashboardInFolderInput = Static<typeof DashboardInFolderInput>;

const inFolder =
  'Requires the editor role or higher, and permission to edit the folder. The access of the folder applies from the first moment.';

export const createDashboardInFolder = defineRoute({
  id: 'createDashboardInFolder',
  tag: 'Folders',
  summary: 'Create a dashboard in a folder',
  description: inFolder,
  method: 'POST',
  path: '/api/folders/{folderId}/dashboards',
  access: 'session',
  params: FolderParams,
  headers: createDashboard.headers,
  body: DashboardInFolderInput,
  status: 201,
  location: '/api/dashboards/{id}',
  reply: Dashboard,
  replyHeaders: createDashboard.replyHeaders,
  problems: createDashboard.problems,
});

export const createReportInFolder = defineRoute({
  id: 'createReportInFolder',
  tag: 'Folders',
  summary: 'Create a report in a folder',
  description: inFolder,
  method: 'POST',
  path: '/api/folders/{folderId}/reports',
  access: 'session',
  params: FolderParams,
  headers: createReport.headers,
  body: ReportEdit,
  status: 201,
  location: '/api/reports/{id}',
  reply: Report,
  replyHeaders: createReport.replyHeaders,
  problems: createReport.problems,
});
