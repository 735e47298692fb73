import assert from 'node:assert/strict';
import type { ProblemCode } from '#contract/problem.ts';
import { makeOperator } from '../../support/organizations/operators.ts';
import { confirmationMs } from '../../../src/server/base/credentials/confirmation.ts';
import { newId } from '../../../src/server/base/ids.ts';
import { insertComment } from '../../../src/server/dashboards/comments/store.ts';
import { putStar } from '../../../src/server/dashboards/listing/favorite-store.ts';
import { dashboardKind } from '../../../src/server/dashboards/kind.ts';
import { createRecord } from '../../../src/server/records/create.ts';
import { setSsoRequirement } from '../../../src/server/organizations/organizations.ts';
import { upsertSessionPolicy } from '../../../src/server/sessions/policy/store.ts';
import { domainRecord } from '../../../src/server/sso/domains/record.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { createToken } from '../../support/credentials/tokens.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { maxPasskeys } from '#contract/accounts/passkeys.ts';
import { addPasskey } from '../../support/credentials/authenticator.ts';
import { setUpApp } from '../../support/organizations/second-factors.ts';
import type { DnsServer } from '../../support/network/dns-server.ts';
import type { TestResponse, Person, TestServer } from '../../support/server/test-server.ts';
import { listen, toResponse } from './raw-requests.ts';

/** Codes that need a slow, large, busy or unreachable source, or occur in a line of a stream, have tests of their own. */
type TestedElsewhere =
  | 'unavailable'
  | 'queries_busy'
  | 'export_too_large'
  | 'exports_busy'
  | 'query_timed_out'
  | 'query_too_large'
  | 'dashboard_too_large'
  | 'not_shown'
  | 'report_deleted'
  | 'filter_required'
  | 'source_unreachable'
  | 'table_exists'
  | 'too_many_tables';

/** A new dashboard. */
const proposal = { summary: 'Why', dashboard: { name: 'Proposed', widgets: [] } };

interface Send {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request of a new person. */
const asPerson =
  (line: string, options: Send = {}) =>
  async (server: TestServer): Promise<TestResponse> =>
    server.call(line, { as: await server.createPerson(), ...options });

/** A new person with an organization. */
async function createOwner(
  server: TestServer,
): Promise<{ as: Person; organizationId: string; path: string }> {
  const as = await server.createPerson();
  const organizationId = await server.createOrganization(as);
  return { as, organizationId, path: `/api/organizations/${organizationId}` };
}

/** How to make the server, which queries `dns`, respond with each code. The last one breaks the server permanently. */
export const provocations: Readonly<
  Record<Exclude<ProblemCode, TestedElsewhere>, (server: TestServer, dns: DnsServer) => Promise<TestResponse>>
> = {
  malformed_json: asPerson('POST /api/dashboards', { body: '{"name":' }),
  invalid_body: asPerson('POST /api/dashboards', { body: {} }),
  invalid_parameters: asPerson('GET /api/dashboards?limit=0'),
  malformed_request: (server) => server.call('GET /api/%zz'),
  unauthenticated: (server) => server.call('GET /api/dashboards'),
  invalid_credentials: (server) =>
    server.call('POST /api/auth/sign-in/email', { body: { email: 'nobody@example.com', password: 'x' } }),
  forbidden: async (server) => {
    const { organizationId } = await createOwner(server);
    const as = await server.createMember(organizationId, 'viewer');
    return server.call('POST /api/dashboards', { as, body: { name: 'D', organizationId } });
  },
  quota_exceeded: async (server) => {
    const as = await server.createPerson();
    server.database.allowances.limits = {
      organization: { records: 0, bytes: 0 },
      person: { records: 0, bytes: 0 },
    };
    const refused = await server.call('POST /api/dashboards', { as, body: { name: 'D' } });
    server.database.allowances.limits = undefined;
    return refused;
  },
  confirmation_required: async (server) => {
    const { as, organizationId } = await createOwner(server);
    server.advance(confirmationMs);
    return server.call(`POST /api/sso/orgs/${organizationId}/recovery-codes`, { as });
  },
  not_a_navigation: (server) =>
    server.call('GET /api/sso/start/x', {
      headers: { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    }),
  cross_site_request: (server) =>
    server.call('POST /api/auth/sign-out', { headers: { origin: 'https://evil.example' } }),
  not_found: (server) => server.call('GET /api/nothing'),
  method_not_allowed: (server) => server.call('DELETE /api/dashboards'),
  link_not_valid: (server) => server.call('POST /api/invitations/read', { body: { token: 'x' } }),
  already_member: async (server) => {
    const { as, path } = await createOwner(server);
    return server.call(`POST ${path}/invitations`, { as, body: { email: as.email, role: 'viewer' } });
  },
  account_exists: async (server) => {
    const { as, path } = await createOwner(server);
    const input = { email: (await server.createPerson('Bob')).email, role: 'viewer' };
    const { body } = await server.call(`POST ${path}/invitations`, { as, body: input });
    return server.call('POST /api/invitations/sign-up', {
      body: { token: body.link.split('#')[1], name: 'Bob', password: 'correct horse battery' },
    });
  },
  sign_in_expired: (server) => server.call('GET /api/sso/callback/x?state=y&code=z'),
  sign_in_refused: async (server) => {
    const { organizationId } = await configure(server, 'unproven.example');
    return server.call(`GET /api/sso/start/${organizationId}`);
  },
  address_not_allowed: async (server) => {
    const { as, organizationId, path } = await createOwner(server);
    const policy = { addresses: ['203.0.113.0/24'] };
    await server.database.write((transaction) => upsertSessionPolicy(transaction, organizationId, policy));
    return server.call(`GET ${path}`, { as });
  },
  session_limit_exceeded: async (server) => {
    const { as, organizationId, path } = await createOwner(server);
    const policy = { absoluteHours: 1 };
    await server.database.write((transaction) => upsertSessionPolicy(transaction, organizationId, policy));
    server.advance(2 * 60 * 60_000);
    return server.call(`GET ${path}`, { as });
  },
  second_factor_required: async (server) => {
    const person = await server.createPerson();
    await setPassword(server, person, 'correct horse battery');
    await setUpApp(server, person);
    const body = { email: person.email, password: 'correct horse battery' };
    return server.call('POST /api/auth/sign-in/email', { body });
  },
  second_factor_missing: async (server) => {
    const { as, organizationId } = await createOwner(server);
    await setPassword(server, as, 'correct horse battery');
    const body = { secondFactor: 'everyone', confirmSsoChanges: false };
    return server.call(`PUT /api/organizations/${organizationId}/authentication-policy`, { as, body });
  },
  sso_required: async (server) => {
    const { as, organizationId, path } = await createOwner(server);
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    return server.call(`GET ${path}`, { as });
  },
  sso_not_ready: async (server) => {
    const { as, organizationId } = await configure(server, 'contoso.example');
    const body = { requireSso: true, defaultRole: 'viewer', roleMappings: [] };
    return server.call(`PUT /api/sso/orgs/${organizationId}/policy`, { as, body });
  },
  domain_not_proven: async (server) => {
    const { as, organizationId } = await configure(server, 'gmail.com');
    return server.call(`POST /api/sso/orgs/${organizationId}/domains/gmail.com/verify`, { as });
  },
  domain_taken: async (server, dns) => {
    const domain = 'taken.example';
    const { organizationId: first } = await configure(server, domain);
    await verifyDomainAsOperator(server.database, Date.now, { organizationId: first, domain });
    const { as, organizationId } = await configure(server, domain);
    const { name, value } = domainRecord(organizationId, domain);
    dns.publish(name, value);
    return server.call(`POST /api/sso/orgs/${organizationId}/domains/${domain}/verify`, { as });
  },
  too_many_passkeys: async (server) => {
    const { as } = await createOwner(server);
    await setPassword(server, as, 'correct horse battery');
    for (let count = 0; count < maxPasskeys; count += 1) await addPasskey(server, as);
    return server.call('POST /api/auth/passkeys/options', { as });
  },
  too_many_stars: async (server) => {
    const { as, path } = await createDashboard(server);
    await starMany(server, as, 1000);
    return server.call(`PUT ${path}/star`, { as });
  },
  too_many_comments: async (server) => {
    const { as, path } = await createDashboard(server);
    const { body } = await server.call(`POST ${path}/comments`, { as, body: { text: 'First' } });
    await replyMany(server, as, { threadId: body.id, count: 199 });
    return server.call(`POST ${path}/comments`, { as, body: { text: 'Last', threadId: body.id } });
  },
  insufficient_scope: async (server) => {
    const { as, organizationId } = await createOwner(server);
    const { token } = await createToken(server, as, { organizationId, scopes: ['reports:write'] });
    return server.call('GET /api/dashboards', { headers: { authorization: `Bearer ${token}` } });
  },
  too_many_tokens: async (server) => {
    const { as, path } = await createOwner(server);
    const create = (index: number) =>
      server.call(`POST ${path}/service-accounts`, {
        as,
        body: { name: `Program ${index}`, role: 'viewer' },
      });
    for (let count = 0; count < 50; count += 1) await create(count);
    return create(50);
  },
  too_many_display_links: async (server) => {
    const { as, organizationId } = await createOwner(server);
    const body = { name: 'D', organizationId };
    const { id } = (await server.call('POST /api/dashboards', { as, body })).body;
    const create = () =>
      server.call(`POST /api/dashboards/${id}/display-links`, { as, body: { name: 'Lobby' } });
    for (let count = 0; count < 20; count += 1) await create();
    return create();
  },
  too_many_proposals: async (server) => {
    const { as, path } = await createOwner(server);
    const create = () => server.call(`POST ${path}/proposals`, { as, body: proposal });
    for (let count = 0; count < 50; count += 1) assert.equal((await create()).status, 201);
    return create();
  },
  proposal_decided: async (server) => {
    const { as, path } = await createOwner(server);
    const { body } = await server.call(`POST ${path}/proposals`, { as, body: proposal });
    const accept = () => server.call(`POST ${path}/proposals/${body.id}/accept`, { as });
    await accept();
    return accept();
  },
  proposal_target_deleted: async (server) => {
    const { as, organizationId, path } = await createOwner(server);
    const board = { name: 'D', organizationId };
    const created = await server.call('POST /api/dashboards', { as, body: board });
    const body = { ...proposal, targetId: created.body.id, baseVersion: 1 };
    const proposed = await server.call(`POST ${path}/proposals`, { as, body });
    await server.call(`DELETE /api/dashboards/${created.body.id}`, { as });
    return server.call(`POST ${path}/proposals/${proposed.body.id}/accept`, { as });
  },
  workload_identity_unavailable: async (server) => {
    const { as, organizationId } = await configure(server, 'example.com');
    const path = `/api/sso/orgs/${organizationId}`;
    const { body } = await server.call(`GET ${path}/config`, { as });
    return server.call(`PUT ${path}/connections/${body.id}/workload-identity`, { as });
  },
  too_many_connections: async (server) => {
    const { as, organizationId } = await createOwner(server);
    const body = { name: 'D', provider: 'oidc', clientId: '', emailDomains: [], enabled: false };
    const create = () => server.call(`POST /api/sso/orgs/${organizationId}/connections`, { as, body });
    for (let count = 0; count < 20; count += 1) await create();
    return create();
  },
  too_many_webhooks: async (server) => {
    const { as, path } = await createOwner(server);
    const body = { url: 'https://hooks.example/', events: ['dashboard.changed'] };
    const create = () => server.call(`POST ${path}/webhooks`, { as, body });
    for (let count = 0; count < 20; count += 1) await create();
    return create();
  },
  data_source_in_use: async (server) => {
    const { as, dataSourceId } = await createReport(server);
    return server.call(`DELETE /api/data-sources/${dataSourceId}`, { as });
  },
  sample_exists: async (server) => {
    const { as, path } = await createOwner(server);
    await server.call(`POST ${path}/data-sources`, { as, body: { name: 'Sample data', kind: 'files' } });
    return server.call(`POST ${path}/sample`, { as });
  },
  idempotency_key_in_use: async (server) => {
    const as = await server.createPerson();
    const create = () =>
      server.call('POST /api/dashboards', { as, body: { name: 'D' }, headers: { 'idempotency-key': 'k' } });
    // Of two requests, the second may arrive after the response to the first.
    const responses = await Promise.all(Array.from({ length: 10 }, create));
    return (
      responses.find(({ status }) => status !== 201) ?? assert.fail('no request arrived while another ran')
    );
  },
  idempotency_key_reused: async (server) => {
    const as = await server.createPerson();
    const headers = { 'idempotency-key': 'k' };
    await server.call('POST /api/dashboards', { as, body: { name: 'D' }, headers });
    return server.call('POST /api/dashboards', { as, body: { name: 'E' }, headers });
  },
  report_in_use: async (server) => {
    const { as, reportId } = await createReport(server);
    return server.call(`DELETE /api/reports/${reportId}`, { as });
  },
  query_failed: async (server) => {
    const { as, organizationId, dataSourceId } = await createReport(server);
    const body = { organizationId, dataSourceId, query: 'selec 1' };
    return server.call('POST /api/reports/preview', { as, body });
  },
  unreadable_file: async (server) => {
    const { as, dataSourceId } = await createReport(server);
    return server.call(`PUT /api/data-sources/${dataSourceId}/tables/t`, {
      as,
      body: 'no parquet',
      headers: { 'content-type': 'application/vnd.apache.parquet' },
    });
  },
  folder_limit: async (server) => {
    const as = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(as);
    let parentId: string | undefined;
    for (;;) {
      const body = { name: 'Deeper', ...(parentId !== undefined && { parentId }) };
      const created = await server.call(`POST /api/organizations/${organizationId}/folders`, { as, body });
      if (created.status !== 201) return created;
      parentId = created.body.id;
    }
  },
  unreadable_image: async (server) => {
    const as = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(as);
    return server.call(`POST /api/organizations/${organizationId}/images`, {
      as,
      body: '<svg/>',
      headers: { 'content-type': 'image/png' },
    });
  },
  range_not_satisfiable: async (server) => {
    const { as, reportId } = await createReport(server);
    return server.call(`GET /api/reports/${reportId}/result.csv`, {
      as,
      headers: { range: 'bytes=999999-' },
    });
  },
  last_operator: async (server) => {
    const as = await server.createPerson();
    await makeOperator(server, as);
    const body = { email: as.email, organizations: [] };
    return server.call('POST /api/auth/delete-account', { as, body });
  },
  last_owner: async (server) => {
    const { as, path } = await createOwner(server);
    return server.call(`DELETE ${path}/members/${as.id}`, { as });
  },
  personal_dashboard: async (server) => {
    const { as, path } = await createDashboard(server);
    return server.call(`POST ${path}/transfer`, { as, body: { userId: as.id } });
  },
  edit_conflict: async (server) => {
    const { as, path } = await createDashboard(server);
    await server.call(`PATCH ${path}`, { as, body: { name: 'theirs' }, headers: { 'if-match': '"1"' } });
    return server.call(`PATCH ${path}`, { as, body: { name: 'mine' }, headers: { 'if-match': '"1"' } });
  },
  unknown_version: async (server) => {
    const { as, path } = await createDashboard(server);
    return server.call(`PATCH ${path}`, { as, body: { name: 'E' }, headers: { 'if-match': '"2"' } });
  },
  precondition_required: async (server) => {
    const { as, path } = await createDashboard(server);
    return server.call(`PATCH ${path}`, { as, body: { name: 'E' } });
  },
  too_many_streams: async (server) => {
    const { as, path } = await createDashboard(server);
    const headers = { cookie: `auth.session_token=${as.token}` };
    const open = () => server.app.inject({ url: `${path}/events`, headers, payloadAsStream: true });
    await Promise.all(Array.from({ length: 20 }, open));
    return server.call(`GET ${path}/events`, { as, headers: { accept: 'text/event-stream' } });
  },
  body_too_large: asPerson('POST /api/dashboards', { body: 'x'.repeat(1_048_577) }),
  unsupported_media_type: asPerson('POST /api/dashboards', {
    body: 'name=D',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  too_many_attempts: async (server) => {
    const attempt = () =>
      server.call('POST /api/auth/sign-in/email', { body: { email: 'bob@example.com', password: 'x' } });
    for (let attempts = 0; attempts < 10; attempts += 1) await attempt();
    return attempt();
  },
  headers_too_large: async (server) => {
    const send = await listen(server);
    return toResponse(
      await send(`GET /api/dashboards HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    );
  },
  internal: async (server) => {
    server.expectErrors();
    const as = await server.createPerson();
    await server.database.write((transaction) =>
      transaction.execute('alter table dashboards rename to elsewhere'),
    );
    return server.call('GET /api/dashboards', { as });
  },
};

async function createDashboard(server: TestServer): Promise<{ as: Person; path: string }> {
  const as = await server.createPerson();
  const { body } = await server.call('POST /api/dashboards', { as, body: { name: 'D' } });
  return { as, path: `/api/dashboards/${body.id}` };
}

/** Creates a data source, and a report on it that a dashboard shows. */
async function createReport(
  server: TestServer,
): Promise<{ as: Person; organizationId: string; dataSourceId: string; reportId: string }> {
  const { as, organizationId, path } = await createOwner(server);
  const source = await server.call(`POST ${path}/data-sources`, { as, body: { name: 'S', kind: 'files' } });
  const dataSourceId = source.body.id;
  const report = await server.call('POST /api/reports', {
    as,
    body: { organizationId, dataSourceId, name: 'R', query: 'select 1' },
  });
  const widgets = [{ reportId: report.body.id }];
  await server.call('POST /api/dashboards', { as, body: { name: 'D', organizationId, widgets } });
  return { as, organizationId, dataSourceId, reportId: report.body.id };
}

/** Creates dashboards of a person, and stars each. */
async function starMany(server: TestServer, { id: userId }: Person, count: number): Promise<void> {
  await server.database.write(async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const content = { name: 'D', widgets: [] };
      const record = { userId, organizationId: undefined, at: '', change: 'created', content } as const;
      const { id } = await createRecord(transaction, dashboardKind, record);
      await putStar(transaction, { userId, dashboardId: id, at: '' });
    }
  });
}

/** Writes replies to a thread. */
async function replyMany(
  server: TestServer,
  { id: userId }: Person,
  { threadId, count }: { threadId: string; count: number },
): Promise<void> {
  await server.database.write(async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const comment = { id: newId(), threadId, userId, content: 'Again', createdAt: '' };
      await insertComment(transaction, { kind: 'personal', userId }, comment);
    }
  });
}

/** Creates an organization with a configuration that names a domain. */
async function configure(
  server: TestServer,
  domain: string,
): Promise<{ as: Person; organizationId: string }> {
  const { as, organizationId } = await createOwner(server);
  const body = { provider: 'idp_ad', clientId: 'client', emailDomains: [domain], enabled: true };
  const { status } = await server.call(`POST /api/sso/orgs/${organizationId}/config`, { as, body });
  assert.equal(status, 200);
  return { as, organizationId };
}
