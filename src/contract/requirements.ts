import type { Action } from '#shared/permissions.ts';

/**
 * What operations with a body require of who asks: an action on the record or the organization in their path, or on the organization
 * that their body names. It is checked before a body is validated in depth; the rules check it again with everything else that they require.
 */
export const requirements: Readonly<Record<string, Action>> = {
  putSessionPolicy: 'member.manage',
  putAuthenticationPolicy: 'authentication.require',
  putTokenPolicy: 'member.manage',
  createServiceAccount: 'member.manage',
  renameServiceAccount: 'member.manage',
  createServiceAccountToken: 'member.manage',
  createClientCredential: 'member.manage',
  changeOrganization: 'organization.change',
  deleteOrganization: 'organization.delete',
  changeMemberRole: 'member.manage',
  createInvitation: 'member.manage',
  createOrUpdateSsoConfiguration: 'sso.manage',
  putSsoPolicy: 'sso.manage',
  createSsoConnection: 'sso.manage',
  putSsoConnection: 'sso.manage',
  putSsoConnectionPolicy: 'sso.manage',
  putSsoMigration: 'sso.migrate',
  putAccessRetention: 'access_log.retain',
  createWebhook: 'webhook.manage',
  changeWebhook: 'webhook.manage',
  createProposal: 'organization.view',
  importDashboards: 'dashboard.create',
  createFolder: 'folder.create',
  changeItems: 'organization.view',
  createDataSource: 'data_source.manage_files',

  createDashboard: 'dashboard.create',
  createReport: 'report.create',
  previewReport: 'report.create',

  replaceDashboard: 'dashboard.edit',
  updateDashboard: 'dashboard.edit',
  duplicateDashboard: 'dashboard.view',
  createComment: 'dashboard.view',
  changeComment: 'dashboard.view',
  createDisplayLink: 'dashboard.manage',
  putDashboardAccess: 'dashboard.manage',
  transferDashboard: 'dashboard.manage',

  replaceReport: 'report.edit',
  runReport: 'report.view',
  drillReport: 'report.view',
  putReportAccess: 'report.manage',
  transferReport: 'report.manage',

  changeFolder: 'folder.edit',
  createDashboardInFolder: 'folder.edit',
  createReportInFolder: 'folder.edit',
  putFolderAccess: 'folder.manage',

  replaceDataSource: 'data_source.edit_files',
  putDataSourceAccess: 'data_source.manage',
  putModel: 'model.edit',
};
