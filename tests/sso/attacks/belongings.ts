import assert from 'node:assert/strict';
import type { Route } from '#contract/route.ts';
import { asked, newToken } from '../../contract/roles/requests/fixtures.ts';
import { storePasskey, TestPasskey } from '../../support/credentials/authenticator.ts';
import { onePixel } from '../../support/image-files.ts';
import type { TestResponse } from '../../support/server/test-server.ts';
import type { Tenancy } from '../../support/sso/hostile-world.ts';

/** The victim's data, which no response to the attacker may contain. */
export interface Belongings {
  readonly organizationId: string;
  readonly configurationId: string;
  readonly userId: string;
  readonly email: string;
  readonly dashboardId: string;
  readonly dataSourceId: string;
  readonly reportId: string;
  readonly invitationId: string;
  readonly testId: string;
  readonly connectionId: string;
  readonly certificateId: string;
  readonly sessionId: string;
  readonly uploadId: string;
  readonly imageId: string;
  readonly folderId: string;
  readonly widgetId: string;
  readonly commentId: string;
  readonly linkId: string;
  readonly tokenId: string;
  readonly passkeyId: string;
  readonly proposalId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

/** Gives an organization one of everything, and returns their IDs. */
export async function furnish({
  server,
  owner,
  organizationId,
  configurationId,
}: Tenancy): Promise<Belongings> {
  const make = async (line: string, body?: object): Promise<TestResponse> => {
    const response = await server.call(line, { as: owner, ...(body && { body }) });
    assert.ok(response.status < 300, response.text);
    return response;
  };
  const widgets = [{ reportId: 'secret' }];
  const dashboard = await make('POST /api/dashboards', { name: 'Secret board', organizationId, widgets });
  const comment = await make(`POST /api/dashboards/${dashboard.body.id}/comments`, {
    text: 'Secret comment',
  });
  const link = await make(`POST /api/dashboards/${dashboard.body.id}/display-links`, { name: 'Secret link' });
  const source = await make(`POST /api/organizations/${organizationId}/data-sources`, {
    name: 'Secret source',
    kind: 'files',
  });
  const dataSourceId = source.body.id;
  const report = await make('POST /api/reports', {
    organizationId,
    dataSourceId,
    name: 'Secret report',
    query: 'select {{secret}}',
    parameters: [{ name: 'secret', type: 'text' }],
  });
  const invitation = await make(`POST /api/organizations/${organizationId}/invitations`, {
    email: 'guest@corp1.example',
    role: 'viewer',
  });
  const started = await make(`POST /api/sso/orgs/${organizationId}/config/test`);
  const upload = await server.call(`POST /api/organizations/${organizationId}/uploads`, {
    as: owner,
    headers: { 'content-type': 'text/csv' },
    body: 'secret\n1\n',
  });
  assert.equal(upload.status, 201, upload.text);
  const image = await server.call(`POST /api/organizations/${organizationId}/images`, {
    as: owner,
    headers: { 'content-type': 'image/png' },
    body: onePixel,
  });
  assert.equal(image.status, 201, image.text);
  const folder = await make(`POST /api/organizations/${organizationId}/folders`, { name: 'Secret folder' });
  const token = await make('POST /api/auth/tokens', { organizationId, ...newToken });
  const webhooks = `/api/organizations/${organizationId}/webhooks`;
  const webhook = await make(`POST ${webhooks}`, {
    url: 'https://hooks.example/secret',
    events: ['dashboard.changed'],
  });
  const delivery = await make(`POST ${webhooks}/${webhook.body.id}/test`);
  const proposal = await make(`POST /api/organizations/${organizationId}/proposals`, {
    summary: 'Secret proposal',
    dashboard: { name: 'Secret board', widgets: [] },
  });
  const connection = await make(`POST /api/sso/orgs/${organizationId}/connections`, {
    name: 'Secret directory',
    provider: 'oidc',
    clientId: '',
    emailDomains: ['corp1.example'],
    enabled: false,
  });
  const certificate = await make(
    `POST /api/sso/orgs/${organizationId}/connections/${connection.body.id}/certificates`,
  );
  const who = await make('GET /api/auth/get-session');
  return {
    organizationId,
    configurationId,
    userId: owner.id,
    email: owner.email,
    dashboardId: dashboard.body.id,
    dataSourceId,
    reportId: report.body.id,
    invitationId: invitation.body.id ?? invitation.body.invitation?.id,
    testId: started.body.id,
    sessionId: who.body.session.id,
    uploadId: upload.body.id,
    imageId: image.body.id,
    folderId: folder.body.id,
    widgetId: dashboard.body.widgets[0].id,
    commentId: comment.body.id,
    linkId: link.body.id,
    tokenId: token.body.id,
    passkeyId: await storePasskey(server, owner),
    proposalId: proposal.body.id,
    webhookId: webhook.body.id,
    deliveryId: delivery.body.id,
    connectionId: connection.body.id,
    certificateId: certificate.body.id,
  };
}

/** A body that matches the contract, with the victim's data. */
export const bodies = (victim: Belongings, tenancy: Tenancy): Readonly<Record<string, object>> => ({
  signInByEmail: { email: victim.email, password: 'correct horse battery' },
  revokeSession: { id: victim.sessionId },
  updateUser: { name: 'Mine', id: victim.userId, email: victim.email },
  changePassword: { currentPassword: 'correct horse battery', newPassword: 'another horse battery' },
  deleteAccount: {
    email: victim.email,
    organizations: [{ organizationId: victim.organizationId, handOverTo: victim.userId }],
  },
  changeServer: { logLevel: 'error' },
  createOrganization: { name: 'Mine' },
  changeOrganization: { name: 'Mine' },
  changeMemberRole: { role: 'viewer' },
  createToken: { ...newToken, organizationId: victim.organizationId },
  renamePasskey: { name: 'Mine' },
  addPasskey: { name: 'Mine', credential: new TestPasskey().make({ challenge: 'x' }) },
  signInByPasskey: { assertion: new TestPasskey().sign({ challenge: 'x' }) },
  createServiceAccount: { name: 'Mine', role: 'admin' },
  renameServiceAccount: { name: 'Mine' },
  createServiceAccountToken: newToken,
  createClientCredential: newToken,
  readAuthorization: asked,
  decideAuthorization: {
    ...asked,
    approval: { organizationId: victim.organizationId, scopes: ['read'] },
  },
  readDeviceRequest: { userCode: 'BCDF-GHJK' },
  approveDeviceRequest: {
    userCode: 'BCDF-GHJK',
    organizationId: victim.organizationId,
    scopes: ['read'],
  },
  denyDeviceRequest: { userCode: 'BCDF-GHJK' },
  putAuthenticationPolicy: { secondFactor: 'everyone', confirmSsoChanges: true },
  putSessionPolicy: { addresses: ['127.0.0.1'], idleMinutes: 15 },
  putAccessRetention: { days: 90 },
  putTokenPolicy: { personalTokens: false, maxDays: 1 },
  createInvitation: { email: 'eve@corp0.example', role: 'owner' },
  deleteOrganization: { name: 'corp0' },
  restoreByLink: { token: 'x'.repeat(43) },
  readInvitation: { token: 'x'.repeat(43) },
  acceptInvitation: { token: 'x'.repeat(43) },
  signUpByInvitation: { token: 'x'.repeat(43), name: 'Eve', password: 'correct horse battery' },
  createOrUpdateSsoConfiguration: {
    provider: 'idp_ad',
    clientId: tenancy.provider.clientId,
    tenantId: tenancy.provider.tenantId,
    discoveryUrl: tenancy.provider.discoveryUrl,
    emailDomains: ['corp1.example'],
    enabled: true,
    id: victim.configurationId,
    organizationId: victim.organizationId,
  },
  createSsoConnection: connectionOf(tenancy),
  putSsoConnection: connectionOf(tenancy),
  putSsoConnectionPolicy: { defaultRole: 'admin', roleMappings: [] },
  putSsoPolicy: { requireSso: false, defaultRole: 'admin', roleMappings: [] },
  previewUpload: {},
  importUpload: { newSourceName: 'New', table: 't' },
  putSsoMigration: { byAddress: true, people: [] },
  signInByRecoveryCode: { email: victim.email, code: '00000-00000-00000-00000' },
  signInBySecondFactor: { method: 'recovery_code', code: '00000-00000-00000-00000' },
  confirmAuthenticatorApp: { code: '000000' },
  requestPasswordReset: { email: victim.email },
  resetPassword: { token: 'x'.repeat(43), newPassword: 'another horse battery' },
  readSsoLink: { token: 'x'.repeat(43) },
  startSsoLinkPasskey: { token: 'x'.repeat(43) },
  confirmSsoLink: { token: 'x'.repeat(43), password: 'correct horse battery' },
  confirmIdentity: { password: 'correct horse battery' },
  startSsoByEmail: { email: 'bob@corp1.example' },
  createDashboard: { name: 'Board', organizationId: victim.organizationId },
  replaceDashboard: { name: 'Mine', widgets: [] },
  updateDashboard: { name: 'Mine' },
  duplicateDashboard: { organizationId: null },
  importDashboards: {
    documents: [{ format: 'atrium.dashboard/1', id: victim.dashboardId, name: 'Mine', widgets: [] }],
  },
  createDataSource: { name: 'Mine', kind: 'files' },
  replaceDataSource: { name: 'Mine', kind: 'files' },
  createReport: {
    organizationId: victim.organizationId,
    dataSourceId: victim.dataSourceId,
    name: 'Mine',
    query: 'select 1',
  },
  createDisplayLink: { name: 'Mine' },
  createWebhook: { url: 'https://hooks.example/mine', events: ['dashboard.changed'] },
  changeWebhook: { url: 'https://hooks.example/mine' },
  createProposal: {
    summary: 'Mine',
    targetId: victim.dashboardId,
    baseVersion: 1,
    dashboard: { name: 'Mine', widgets: [] },
  },
  createComment: { text: 'Mine', mentions: [victim.userId], widgetId: victim.widgetId },
  changeComment: { text: 'Mine', resolved: true },
  replaceReport: { dataSourceId: victim.dataSourceId, name: 'Mine', query: 'select 1' },
  runReport: {},
  drillReport: { marks: [{}] },
  putModel: { schema: 'main', name: 'secret', displayName: 'Mine' },
  profileColumns: { target: { reportId: victim.reportId } },
  countCells: {
    target: { dataSourceId: victim.dataSourceId, table: 'secret' },
    active: { kind: 'values', column: 'secret', values: [] },
    charts: [],
    selections: [],
  },
  listSelectedRows: { target: { dataSourceId: victim.dataSourceId, table: 'secret' }, selections: [] },
  previewReport: {
    organizationId: victim.organizationId,
    dataSourceId: victim.dataSourceId,
    query: 'select 1',
  },
  putDashboardAccess: { restricted: false, members: [] },
  transferDashboard: { userId: victim.userId },
  putDataSourceAccess: { restricted: false, members: [] },
  putReportAccess: { restricted: false, members: [] },
  transferReport: { userId: victim.userId },
  createFolder: { name: 'Hostile', parentId: victim.folderId },
  changeFolder: { name: 'Hostile' },
  createDashboardInFolder: { name: 'Hostile' },
  createReportInFolder: { dataSourceId: victim.dataSourceId, name: 'Hostile', query: 'select 1' },
  putFolderAccess: { restricted: false, members: [] },
  changeItems: { action: 'delete', items: [{ kind: 'dashboard', id: victim.dashboardId }] },
  setUp: {
    token: 'x'.repeat(43),
    email: 'eve@corp0.example',
    name: 'Eve',
    password: 'correct horse battery',
    organization: 'Mine',
  },
});

const connectionOf = ({ provider }: Tenancy): object => ({
  name: 'Mine',
  provider: 'oidc',
  clientId: provider.clientId,
  discoveryUrl: provider.discoveryUrl,
  emailDomains: ['corp1.example'],
  enabled: true,
});

/** Returns the method and the URL of a route, with the victim's IDs. */
export function lineOf(route: Route, victim: Belongings): string {
  const ids: Readonly<Record<string, string>> = {
    orgId: victim.organizationId,
    configId: victim.configurationId,
    userId: victim.userId,
    dashboardId: victim.dashboardId,
    id: route.path.includes('/reports/') ? victim.reportId : victim.dashboardId,
    invitationId: victim.invitationId,
    testId: victim.testId,
    uploadId: victim.uploadId,
    imageId: victim.imageId,
    // The ID of a logo is a secret, which opens its picture to everyone.
    logoId: 'x'.repeat(43),
    folderId: victim.folderId,
    widgetId: victim.widgetId,
    commentId: victim.commentId,
    linkId: victim.linkId,
    tokenId: victim.tokenId,
    passkeyId: victim.passkeyId,
    proposalId: victim.proposalId,
    webhookId: victim.webhookId,
    deliveryId: victim.deliveryId,
    connectionId: victim.connectionId,
    certificateId: victim.certificateId,
    dataSourceId: victim.dataSourceId,
    reportId: victim.reportId,
    table: 'secret',
    parameter: 'secret',
    domain: 'corp1.example',
    version: '1',
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const id = ids[name];
    assert.ok(id, `the test does not know ${name} of ${route.id}`);
    return id;
  });
  const isScoped = route.query !== undefined && 'organizationId' in route.query.properties;
  const parameters = new URLSearchParams({
    ...(isScoped && { organizationId: victim.organizationId }),
    ...(route.id === 'readLogStream' && { log: 'audit' }),
    ...(route.id === 'deleteModel' && { schema: 'main', table: 'secret' }),
    ...(['compareDashboardVersions', 'compareReportVersions'].includes(route.id) && { from: '1' }),
  });
  return `${route.method} ${path}?${parameters.toString()}`;
}
