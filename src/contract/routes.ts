import * as accessLog from './organizations/access-log.ts';
import * as logStream from './organizations/log-stream.ts';
import * as accessReview from './organizations/access-review.ts';
import * as usage from './organizations/usage.ts';
import * as dataExport from './organizations/data-export.ts';
import * as audit from './organizations/audit.ts';
import * as authorizations from './credentials/authorizations.ts';
import * as clients from './credentials/clients.ts';
import * as device from './credentials/device.ts';
import * as serviceAccounts from './credentials/service-accounts.ts';
import * as tokens from './credentials/tokens.ts';
import * as comments from './dashboards/comments.ts';
import * as display from './dashboards/display.ts';
import * as dashboardEvents from './dashboards/events.ts';
import * as dashboardListing from './dashboards/listing.ts';
import * as dashboardExports from './dashboards/exports.ts';
import * as dashboards from './dashboards/dashboards.ts';
import * as dataSources from './data-sources/data-sources.ts';
import * as sourcesTrash from './data-sources/sources-trash.ts';
import * as tablesTrash from './data-sources/tables-trash.ts';
import * as uploads from './data-sources/uploads.ts';
import * as documents from './records/documents.ts';
import * as explore from './explore.ts';
import * as invitations from './organizations/invitations.ts';
import * as images from './images.ts';
import * as models from './models.ts';
import * as groups from './organizations/groups.ts';
import * as members from './organizations/members.ts';
import * as operation from './operation.ts';
import * as organizationDeletion from './organizations/deletion.ts';
import * as organizations from './organizations/organizations.ts';
import * as dashboardResults from './dashboards/results.ts';
import * as accountDeletion from './accounts/deletion.ts';
import { exportAccount } from './accounts/export.ts';
import * as passwordReset from './accounts/password-reset.ts';
import * as proposals from './proposals.ts';
import * as reports from './reports/reports.ts';
import * as reportRuns from './reports/runs.ts';
import type { Route } from './route.ts';
import * as server from './server.ts';
import * as authenticationPolicy from './organizations/authentication-policy.ts';
import * as sessionPolicy from './organizations/session-policy.ts';
import * as passkeys from './accounts/passkeys.ts';
import * as secondFactors from './accounts/second-factors.ts';
import * as sessions from './accounts/sessions.ts';
import * as ssoCertificates from './sso/certificates.ts';
import * as ssoWorkloadIdentity from './sso/workload-identity.ts';
import * as ssoConnections from './sso/connections.ts';
import * as ssoDomains from './sso/domains.ts';
import * as ssoMigration from './sso/migration.ts';
import * as ssoPolicy from './sso/policy.ts';
import * as ssoSignIn from './sso/sign-in.ts';
import * as sso from './sso/configuration.ts';
import { createDashboardInFolder, createReportInFolder } from './records/folder-items.ts';
import * as folders from './records/folders.ts';
import * as webhooks from './organizations/webhooks.ts';
import { dashboardSharing, dataSourceSharing, folderSharing, reportSharing } from './records/sharing.ts';
import { dashboardTrash, reportTrash } from './records/trash.ts';
import { dashboardVersions, reportVersions } from './records/versions.ts';

const operations = [
  sessions.signInByEmail,
  sessions.signOut,
  sessions.getSession,
  sessions.listSessions,
  sessions.revokeSession,
  sessions.revokeOtherSessions,
  sessions.confirmIdentity,
  sessions.getAccount,
  sessions.updateUser,
  sessions.changePassword,
  secondFactors.signInBySecondFactor,
  passkeys.startSecondStepPasskey,
  passkeys.startPasskeySignIn,
  passkeys.signInByPasskey,
  passkeys.startPasskeyConfirmation,
  secondFactors.getSecondFactors,
  secondFactors.startAuthenticatorApp,
  secondFactors.confirmAuthenticatorApp,
  secondFactors.removeAuthenticatorApp,
  secondFactors.replaceAccountRecoveryCodes,
  accountDeletion.previewAccountDeletion,
  accountDeletion.deleteAccount,
  passkeys.startPasskey,
  passkeys.addPasskey,
  passkeys.renamePasskey,
  passkeys.removePasskey,
  exportAccount,
  passwordReset.requestPasswordReset,
  passwordReset.resetPassword,
  tokens.listTokens,
  tokens.createToken,
  tokens.revokeToken,
  tokens.confirmToken,
  tokens.listOrganizationTokens,
  tokens.revokeOrganizationToken,
  tokens.confirmOrganizationToken,
  tokens.confirmAllOrganizationTokens,
  sessionPolicy.getSessionPolicy,
  sessionPolicy.putSessionPolicy,
  authenticationPolicy.getAuthenticationPolicy,
  authenticationPolicy.putAuthenticationPolicy,
  tokens.getTokenPolicy,
  tokens.putTokenPolicy,
  serviceAccounts.listServiceAccounts,
  serviceAccounts.createServiceAccount,
  serviceAccounts.renameServiceAccount,
  serviceAccounts.createServiceAccountToken,
  clients.createClientCredential,
  authorizations.readAuthorization,
  authorizations.decideAuthorization,
  device.readDeviceRequest,
  device.approveDeviceRequest,
  device.denyDeviceRequest,
  organizations.createOrganization,
  organizations.listOrganizations,
  organizations.getOrganization,
  organizations.changeOrganization,
  organizations.setLogo,
  organizations.removeLogo,
  organizations.readLogo,
  organizationDeletion.countContents,
  organizationDeletion.deleteOrganization,
  organizationDeletion.restoreByLink,
  organizationDeletion.listDeletedOrganizations,
  organizationDeletion.restoreOrganization,
  members.listMembers,
  members.changeMemberRole,
  members.removeMember,
  members.listSuspendedMembers,
  members.endSuspension,
  groups.listGroups,
  invitations.createInvitation,
  invitations.listInvitations,
  invitations.revokeInvitation,
  invitations.readInvitation,
  invitations.acceptInvitation,
  invitations.signUpByInvitation,
  sso.createOrUpdateSsoConfiguration,
  sso.getSsoConfiguration,
  sso.deleteSsoConfiguration,
  ssoSignIn.createSsoTest,
  ssoSignIn.getSsoTest,
  ssoPolicy.getSsoStatus,
  ssoDomains.listSsoDomains,
  ssoDomains.verifySsoDomain,
  ssoPolicy.getSsoPolicy,
  ssoPolicy.putSsoPolicy,
  ssoConnections.listSsoConnections,
  ssoConnections.createSsoConnection,
  ssoConnections.getSsoConnection,
  ssoConnections.putSsoConnection,
  ssoConnections.deleteSsoConnection,
  ssoConnections.getSsoConnectionStatus,
  ssoConnections.getSsoConnectionPolicy,
  ssoConnections.putSsoConnectionPolicy,
  ssoConnections.listSsoConnectionDomains,
  ssoConnections.verifySsoConnectionDomain,
  ssoConnections.createSsoConnectionTest,
  ssoConnections.getSsoConnectionTest,
  ssoCertificates.listSsoCertificates,
  ssoCertificates.createSsoCertificate,
  ssoCertificates.useSsoCertificate,
  ssoCertificates.deleteSsoCertificate,
  ssoWorkloadIdentity.getSsoWorkloadIdentity,
  ssoWorkloadIdentity.putSsoWorkloadIdentity,
  ssoWorkloadIdentity.deleteSsoWorkloadIdentity,
  ssoMigration.getSsoMigration,
  ssoMigration.putSsoMigration,
  ssoMigration.listFormerPeople,
  ssoMigration.undoSsoMigration,
  ssoPolicy.createRecoveryCodes,
  ssoPolicy.signInByRecoveryCode,
  ssoSignIn.startSsoByEmail,
  ssoSignIn.startSso,
  ssoSignIn.completeSso,
  ssoSignIn.readSsoLink,
  ssoSignIn.startSsoLinkPasskey,
  ssoSignIn.confirmSsoLink,
  audit.listAudit,
  audit.exportAudit,
  accessLog.listAccess,
  accessLog.getAccessRetention,
  accessLog.putAccessRetention,
  logStream.readLogStream,
  accessReview.listAccessGrants,
  accessReview.exportAccessGrants,
  usage.getOrganizationUsage,
  usage.getAccountUsage,
  dataExport.getDataExportContents,
  dataExport.exportOrganizationData,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.changeWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.retryDelivery,
  proposals.createProposal,
  proposals.listProposals,
  proposals.getProposal,
  proposals.withdrawProposal,
  proposals.reviewProposal,
  proposals.acceptProposal,
  proposals.declineProposal,
  dashboards.createDashboard,
  dashboards.getDashboard,
  dashboardListing.listDashboards,
  dashboards.replaceDashboard,
  dashboards.updateDashboard,
  dashboards.deleteDashboard,
  dashboards.duplicateDashboard,
  dashboardEvents.streamDashboardEvents,
  dashboardEvents.startEditingDashboard,
  dashboardEvents.stopEditingDashboard,
  comments.listComments,
  comments.createComment,
  comments.changeComment,
  comments.deleteComment,
  comments.listMentionable,
  display.createDisplayLink,
  display.listDisplayLinks,
  display.revokeDisplayLink,
  display.getDisplayedDashboard,
  display.getDisplayedResults,
  display.readDisplayedImage,
  dashboardVersions.list,
  dashboardVersions.get,
  dashboardVersions.restore,
  dashboardVersions.compare,
  dashboardSharing.permissions,
  dashboardSharing.get,
  dashboardSharing.put,
  dashboardSharing.explain,
  dashboardSharing.transfer,
  dashboardTrash.list,
  dashboardTrash.restore,
  dashboardTrash.purge,
  documents.exportDashboards,
  documents.importDashboards,
  dashboardListing.starDashboard,
  dashboardListing.unstarDashboard,
  dashboardListing.visitDashboard,
  folders.createFolder,
  folders.listFolders,
  folders.openPersonalFolder,
  folders.getFolder,
  folders.changeFolder,
  folders.deleteFolder,
  folders.restoreFolder,
  folders.purgeFolder,
  folderSharing.get,
  folderSharing.put,
  folderSharing.explain,
  folders.changeItems,
  createDashboardInFolder,
  createReportInFolder,
  dataSources.createDataSource,
  dataSources.listDataSources,
  dataSources.getDataSource,
  dataSources.replaceDataSource,
  dataSources.deleteDataSource,
  dashboardResults.getDashboardResults,
  dashboardExports.exportDashboard,
  dashboardExports.exportWidget,
  reports.createReport,
  reports.getReport,
  reports.listReports,
  reports.replaceReport,
  reports.deleteReport,
  reports.listReportUses,
  reportVersions.list,
  reportVersions.get,
  reportVersions.restore,
  reportVersions.compare,
  reportRuns.runReport,
  reportRuns.previewReport,
  reportRuns.drillReport,
  reportRuns.downloadReport,
  reportRuns.listParameterValues,
  reportSharing.permissions,
  reportSharing.get,
  reportSharing.put,
  reportSharing.explain,
  reportSharing.transfer,
  dataSourceSharing.permissions,
  dataSourceSharing.get,
  dataSourceSharing.put,
  dataSourceSharing.explain,
  reportTrash.list,
  reportTrash.restore,
  reportTrash.purge,
  explore.profileColumns,
  explore.countCells,
  explore.listSelectedRows,
  dataSources.createSampleSource,
  dataSources.testDataSource,
  dataSources.listSourceTables,
  dataSources.previewSourceTable,
  dataSources.uploadTable,
  dataSources.deleteTable,
  uploads.createUpload,
  uploads.previewUpload,
  uploads.importUpload,
  uploads.deleteUpload,
  images.createImage,
  images.listImages,
  images.readImage,
  images.deleteImage,
  models.listModels,
  models.putModel,
  models.deleteModel,
  tablesTrash.listSourceUses,
  tablesTrash.listDeletedTables,
  tablesTrash.restoreDeletedTable,
  tablesTrash.purgeTable,
  sourcesTrash.listDeletedDataSources,
  sourcesTrash.restoreDeletedDataSource,
  sourcesTrash.purgeDataSource,
  server.getLive,
  server.getReady,
  server.getSetUp,
  server.setUp,
  operation.getServer,
  operation.changeServer,
] as const;

/** The exact type of every operation: the browser's calls are checked by it. */
export type Operation = (typeof operations)[number];

/** Every operation of the API. Under `/api`, the server serves only these and the pages that describe them. */
export const routes: readonly Route[] = operations;
