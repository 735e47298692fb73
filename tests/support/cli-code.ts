import assert from 'node:assert/strict';
import type { CliServer } from './cli.ts';

/** The environment variables to which the files of `furnishCode` refer. */
export const codeSecrets = {
  ATRIUM_CODE_SECRET_WAREHOUSE: 'canary-password-91',
  ATRIUM_CODE_SECRET_SSO: 'canary-secret-92',
  ATRIUM_CODE_SECRET_SSO_OKTA_EU: 'canary-secret-95',
};

export const warehouse = {
  host: 'db.example.com',
  port: 5432,
  database: 'sales',
  user: 'reader',
  tls: 'verify',
};

/** Sends a request as the owner, and returns the body. */
export async function callAs(
  { server, person }: CliServer,
  line: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies.
): Promise<any> {
  const response = await server.call(line, { as: person, headers, ...(body && { body }) });
  assert.ok(response.status < 300, `${line}: ${response.status} ${response.text}`);
  return response.body;
}

/** Gives an organization something of everything that can be code, and returns its IDs. */
export async function furnishCode(cli: CliServer): Promise<Record<string, string>> {
  const { server, organizationId } = cli;
  const organization = `/api/organizations/${organizationId}`;
  const bob = await server.createPerson('Bob');
  await server.addMember(organizationId, bob, 'editor');
  const files = await callAs(cli, `POST ${organization}/data-sources`, { name: 'Uploads', kind: 'files' });
  const connection = { ...warehouse, password: codeSecrets.ATRIUM_CODE_SECRET_WAREHOUSE };
  const database = await callAs(cli, `POST ${organization}/data-sources`, {
    name: 'Warehouse',
    kind: 'postgresql',
    connection,
  });
  const model = {
    schema: 'public',
    name: 'orders',
    displayName: 'Orders of customers',
    columns: [{ name: 'id', isHidden: true }],
    measures: [{ name: 'Revenue', formula: 'sum([amount])' }],
  };
  await callAs(cli, `PUT /api/data-sources/${database.id}/models`, model, { 'if-match': '"1"' });
  await callAs(cli, `PATCH ${organization}`, {
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
    currency: 'EUR',
    accentColor: '#3b59b4',
    chartColors: ['#112233'],
  });
  const report = (name: string, dataSourceId: string) =>
    callAs(cli, 'POST /api/reports', { organizationId, name, dataSourceId, query: 'select 1 as one' });
  const orders = await report('Orders', database.id);
  const hidden = await report('Shown nowhere', files.id);
  const dashboard = await callAs(cli, 'POST /api/dashboards', {
    organizationId,
    name: '../../Sales: "EU"',
    widgets: [{ reportId: orders.id, config: {} }],
  });
  const second = await callAs(cli, 'POST /api/dashboards', { organizationId, name: 'Second', widgets: [] });
  await callAs(cli, `POST /api/sso/orgs/${organizationId}/config`, {
    provider: 'idp_ad',
    clientId: 'client',
    tenantId: '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f',
    emailDomains: ['Example.com'],
    enabled: false,
    clientSecret: codeSecrets.ATRIUM_CODE_SECRET_SSO,
  });
  await callAs(cli, `PUT /api/sso/orgs/${organizationId}/policy`, {
    requireSso: false,
    defaultRole: 'viewer',
    roleMappings: [{ claim: 'roles', value: 'editors', role: 'editor' }],
    secretExpiresAt: '2027-01-01',
  });
  const okta = await callAs(cli, `POST /api/sso/orgs/${organizationId}/connections`, {
    name: '../Okta: "EU"',
    provider: 'okta',
    clientId: 'okta-client',
    discoveryUrl: 'https://okta.example.com/.well-known/openid-configuration',
    emailDomains: ['Eu.example.com', 'Example.com'],
    enabled: true,
    clientSecret: codeSecrets.ATRIUM_CODE_SECRET_SSO_OKTA_EU,
  });
  await callAs(cli, `PUT /api/sso/orgs/${organizationId}/connections/${okta.id}/policy`, {
    defaultRole: 'editor',
    roleMappings: [{ claim: 'groups', value: 'admins', role: 'admin' }],
    revalidateMinutes: 20,
  });
  return {
    files: files.id,
    database: database.id,
    orders: orders.id,
    hidden: hidden.id,
    dashboard: dashboard.id,
    second: second.id,
    bob: bob.id,
    okta: okta.id,
  };
}
