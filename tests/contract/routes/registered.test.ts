import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { operationsOfScope, scopes } from '#contract/scopes.ts';
import { registeredRoutes } from './registered.ts';

/** What is served besides the operations of the contract: their documentation, what RFCs define, and the pages. */
const besideTheContract = [
  'DELETE /scim/*',
  'DELETE /scim/v2/:organizationId/Groups/:id',
  'DELETE /scim/v2/:organizationId/Users/:id',
  'GET /*',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /api/docs',
  'GET /api/docs/viewer.js',
  'GET /api/openapi.json',
  'GET /api/sso/logout/:configId',
  'GET /scim/*',
  'GET /scim/v2/:organizationId/Groups',
  'GET /scim/v2/:organizationId/Groups/',
  'GET /scim/v2/:organizationId/Groups/:id',
  'GET /scim/v2/:organizationId/ResourceTypes',
  'GET /scim/v2/:organizationId/ResourceTypes/',
  'GET /scim/v2/:organizationId/ResourceTypes/:id',
  'GET /scim/v2/:organizationId/Schemas',
  'GET /scim/v2/:organizationId/Schemas/',
  'GET /scim/v2/:organizationId/Schemas/:id',
  'GET /scim/v2/:organizationId/ServiceProviderConfig',
  'GET /scim/v2/:organizationId/ServiceProviderConfig/',
  'GET /scim/v2/:organizationId/Users',
  'GET /scim/v2/:organizationId/Users/',
  'GET /scim/v2/:organizationId/Users/:id',
  'HEAD /*',
  'HEAD /.well-known/oauth-authorization-server',
  'HEAD /.well-known/oauth-protected-resource',
  'HEAD /.well-known/oauth-protected-resource/mcp',
  'HEAD /api/docs',
  'HEAD /api/docs/viewer.js',
  'HEAD /api/openapi.json',
  'HEAD /scim/*',
  'PATCH /scim/*',
  'PATCH /scim/v2/:organizationId/Groups/:id',
  'PATCH /scim/v2/:organizationId/Users/:id',
  'POST /api/oauth/device_authorization',
  'POST /api/oauth/register',
  'POST /api/oauth/revoke',
  'POST /api/oauth/token',
  'POST /api/sso/logout/:configId',
  'POST /mcp',
  'POST /scim/*',
  'POST /scim/v2/:organizationId/Groups',
  'POST /scim/v2/:organizationId/Groups/',
  'POST /scim/v2/:organizationId/Users',
  'POST /scim/v2/:organizationId/Users/',
  'PUT /scim/*',
  'PUT /scim/v2/:organizationId/Groups/:id',
  'PUT /scim/v2/:organizationId/Users/:id',
];

const toFastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

describe('the contract', () => {
  test('has every route that the server serves, and no other', async (context) => {
    const served = await registeredRoutes(context);
    const expected = routes.flatMap(({ method, path, status, mediaType, hasEffects }) => {
      // HEAD is not offered for redirects and others with effects, nor for streams, which take work or never end.
      const hasHead = method === 'GET' && status !== 302 && mediaType === undefined && hasEffects !== true;
      const methods = hasHead ? ['GET', 'HEAD'] : [method];
      return methods.map((name) => `${name} ${toFastifyPath(path)}`);
    });
    assert.deepEqual(served.toSorted(), [...expected, ...besideTheContract].toSorted());
  });

  test('names each operation once, and each parameter of its path', () => {
    const ids = routes.map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), [...new Set(ids)].toSorted());
    for (const { id, path, params } of routes) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys(params?.properties ?? {}), inPath, id);
    }
  });
});

describe('the scopes of tokens', () => {
  /** The operations that need a person who is signed in in a browser. */
  const onlySessions = [
    'countContents',
    'deleteOrganization',
    'listDeletedOrganizations',
    'restoreOrganization',
    'acceptInvitation',
    'acceptProposal',
    'addPasskey',
    'approveDeviceRequest',
    'changePassword',
    'changeServer',
    'confirmAuthenticatorApp',
    'confirmIdentity',
    'confirmAllOrganizationTokens',
    'confirmOrganizationToken',
    'confirmToken',
    'createClientCredential',
    'createDisplayLink',
    'createOrganization',
    'createRecoveryCodes',
    'createServiceAccount',
    'createServiceAccountToken',
    'createSsoConnectionTest',
    'createSsoTest',
    'createToken',
    'decideAuthorization',
    'declineProposal',
    'deleteAccount',
    'denyDeviceRequest',
    'endSuspension',
    'exportOrganizationData',
    'exportAccount',
    'getAccount',
    'getAccountUsage',
    'getOrganizationUsage',
    'getDataExportContents',
    'getSecondFactors',
    'getServer',
    'getSession',
    'getSsoConnectionTest',
    'getSsoTest',
    'listDisplayLinks',
    'listSessions',
    'listTokens',
    'previewAccountDeletion',
    'putSsoMigration',
    'putSessionPolicy',
    'putAuthenticationPolicy',
    'putAccessRetention',
    'putTokenPolicy',
    'readAuthorization',
    'readDeviceRequest',
    'removeAuthenticatorApp',
    'removePasskey',
    'renamePasskey',
    'replaceAccountRecoveryCodes',
    'reviewProposal',
    'revokeDisplayLink',
    'revokeOtherSessions',
    'revokeSession',
    'revokeToken',
    'signOut',
    'starDashboard',
    'startAuthenticatorApp',
    'startEditingDashboard',
    'startPasskey',
    'startPasskeyConfirmation',
    'stopEditingDashboard',
    'undoSsoMigration',
    'unstarDashboard',
    'updateUser',
    'visitDashboard',
  ];

  test('are one for each operation with a session, except those that are only for people', () => {
    const listed = scopes.flatMap((scope) => operationsOfScope[scope]);
    const withSession = routes.filter(({ access }) => access === 'session').map(({ id }) => id);
    assert.deepEqual([...listed, ...onlySessions].toSorted(), withSession.toSorted());
  });
});
