import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import type { Role } from '#contract/organizations.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { sessionCookie } from '#contract/sessions.ts';
import { hoursMs } from '../../src/server/base/clock.ts';
import { domainRecord } from '../../src/server/sso/domain-record.ts';
import { vouchForDomain } from '../../src/server/sso/sso-domain-proofs.ts';
import { startDirectory } from '../support/directory.ts';
import { startDnsServer } from '../support/dns-server.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type Answer,
  type Person,
  type TestServer,
} from '../support/test-server.ts';
import { dashboardRequests } from './dashboard-requests.ts';
import { reportRequests } from './report-requests.ts';
import { dataSourceRequests } from './data-source-requests.ts';
import { expectSuccess, withoutIdentity, withUnknownIds, type Request, type World } from './request-world.ts';

/**
 * What each route answers to each kind of session, for a valid request about one organization or its people:
 *
 * - `none` sends no cookie, `expired` one of an owner that has ended;
 * - `viewer` to `owner` are its members, by a session that opens all they have;
 * - `other` owns another organization;
 * - `sso` is its owner, by a session obtained through its identity provider;
 * - `sso-other` is its owner, by a session obtained through the identity provider of another organization.
 *
 * Signing in is open to everybody: an address, a code or the directory tells who it is, not the session sent along.
 */
const table = `
                                                                  none expired viewer editor admin owner other sso sso-other
GET    /api/health/live                                           200  200     200    200    200   200   200   200 200
GET    /api/health/ready                                          200  200     200    200    200   200   200   200 200
GET    /api/set-up                                                200  200     200    200    200   200   200   200 200
POST   /api/set-up                                                404  404     404    404    404   404   404   404 404

POST   /api/auth/sign-in/email                                    200  200     200    200    200   200   200   200 200
POST   /api/auth/sign-in/recovery                                 200  200     200    200    200   200   200   200 200
POST   /api/auth/sign-out                                         401  401     200    200    200   200   200   200 200
GET    /api/auth/get-session                                      401  401     200    200    200   200   200   200 200
GET    /api/auth/list-sessions                                    401  401     200    200    200   200   200   200 200
POST   /api/auth/revoke-session                                   401  401     404    404    404   204   404   404 404

POST   /api/organizations                                         401  401     201    201    201   201   201   403 403
GET    /api/organizations                                         401  401     200    200    200   200   200   200 200
GET    /api/organizations/{orgId}                                 401  401     200    200    200   200   404   200 404
PATCH  /api/organizations/{orgId}                                 401  401     403    403    200   200   404   200 404
GET    /api/organizations/{orgId}/members                         401  401     200    200    200   200   404   200 404
PATCH  /api/organizations/{orgId}/members/{userId}                401  401     403    403    200   200   404   200 404
DELETE /api/organizations/{orgId}/members/{userId}                401  401     403    403    204   204   404   204 404
POST   /api/organizations/{orgId}/invitations                     401  401     403    403    201   201   404   201 404
GET    /api/organizations/{orgId}/invitations                     401  401     403    403    200   200   404   200 404
DELETE /api/organizations/{orgId}/invitations/{invitationId}      401  401     403    403    204   204   404   204 404
GET    /api/organizations/{orgId}/audit                           401  401     403    403    200   200   404   200 404
GET    /api/organizations/{orgId}/audit/export                    401  401     403    403    200   200   404   200 404

POST   /api/invitations/read                                      200  200     200    200    200   200   200   200 200
POST   /api/invitations/accept                                    401  401     200    200    200   200   200   403 403
POST   /api/invitations/sign-up                                   201  201     201    201    201   201   201   201 201

POST   /api/sso/orgs/{orgId}/config                               401  401     403    403    200   200   404   200 404
GET    /api/sso/orgs/{orgId}/config                               401  401     403    403    200   200   404   200 404
DELETE /api/sso/orgs/{orgId}/config                               401  401     403    403    204   204   404   204 404
POST   /api/sso/orgs/{orgId}/config/test                          401  401     403    403    201   201   404   201 404
GET    /api/sso/orgs/{orgId}/config/test/{testId}                 401  401     403    403    200   200   404   200 404
GET    /api/sso/orgs/{orgId}/status                               401  401     403    403    200   200   404   200 404
GET    /api/sso/orgs/{orgId}/domains                              401  401     403    403    200   200   404   200 404
POST   /api/sso/orgs/{orgId}/domains/{domain}/verify              401  401     403    403    200   200   404   200 404
GET    /api/sso/orgs/{orgId}/policy                               401  401     403    403    200   200   404   200 404
PUT    /api/sso/orgs/{orgId}/policy                               401  401     403    403    200   200   404   200 404
POST   /api/sso/orgs/{orgId}/recovery-codes                       401  401     403    403    403   201   404   201 404

POST   /api/sso/sign-in                                           200  200     200    200    200   200   200   200 200
GET    /api/sso/start/{orgId}                                     302  302     302    302    302   302   302   302 302
GET    /api/sso/callback/{configId}                               302  302     302    302    302   302   302   302 302

POST   /api/dashboards                       in the organization  401  401     403    201    201   201   404   201 404
POST   /api/dashboards                       one's own            401  401     201    201    201   201   201   403 403
GET    /api/dashboards/{dashboardId}         the organization's   401  401     200    200    200   200   404   200 404
GET    /api/dashboards/{dashboardId}         the owner's own      401  401     404    404    404   200   404   404 404
GET    /api/dashboards                       the organization's   401  401     200    200    200   200   404   200 404
GET    /api/dashboards                       all                  401  401     200    200    200   200   200   200 200
PUT    /api/dashboards/{dashboardId}                              401  401     403    200    200   200   404   200 404
PATCH  /api/dashboards/{dashboardId}                              401  401     403    200    200   200   404   200 404
DELETE /api/dashboards/{dashboardId}                              401  401     403    204    204   204   404   204 404
POST   /api/dashboards/{dashboardId}/duplicate                    401  401     403    201    201   201   404   201 404
GET    /api/dashboards/{dashboardId}/events                       401  401     200    200    200   200   404   200 404
PUT    /api/dashboards/{dashboardId}/editing                      401  401     403    204    204   204   404   204 404
DELETE /api/dashboards/{dashboardId}/editing                      401  401     204    204    204   204   404   204 404
GET    /api/dashboards/{dashboardId}/versions                     401  401     403    200    200   200   404   200 404
GET    /api/dashboards/{dashboardId}/versions/{version}           401  401     403    200    200   200   404   200 404
POST   /api/dashboards/{dashboardId}/versions/{version}/restore   401  401     403    200    200   200   404   200 404
GET    /api/dashboards/{dashboardId}/changes                      401  401     403    200    200   200   404   200 404
GET    /api/dashboards/{dashboardId}/permissions                  401  401     200    200    200   200   404   200 404
GET    /api/dashboards/{dashboardId}/access                       401  401     403    200    200   200   404   200 404
PUT    /api/dashboards/{dashboardId}/access                       401  401     403    403    200   200   404   200 404
POST   /api/dashboards/{dashboardId}/transfer                     401  401     403    403    200   200   404   200 404
GET    /api/bin/dashboards                   the organization's   401  401     200    200    200   200   404   200 404
GET    /api/bin/dashboards                   all                  401  401     200    200    200   200   200   200 200
POST   /api/bin/dashboards/{dashboardId}/restore                  401  401     403    200    200   200   404   200 404
DELETE /api/bin/dashboards/{dashboardId}                          401  401     403    403    204   204   404   204 404
GET    /api/organizations/{orgId}/dashboards/export               401  401     200    200    200   200   404   200 404
POST   /api/organizations/{orgId}/dashboards/import               401  401     403    200    200   200   404   200 404
PUT    /api/dashboards/{dashboardId}/star                         401  401     204    204    204   204   404   204 404
DELETE /api/dashboards/{dashboardId}/star                         401  401     204    204    204   204   404   204 404
PUT    /api/dashboards/{dashboardId}/visit                        401  401     204    204    204   204   404   204 404

POST   /api/organizations/{orgId}/data-sources          of files  401  401     403    201    201   201   404   201 404
POST   /api/organizations/{orgId}/data-sources       of a server  401  401     403    403    201   201   404   201 404
GET    /api/organizations/{orgId}/data-sources                    401  401     200    200    200   200   404   200 404
GET    /api/data-sources/{dataSourceId}                           401  401     200    200    200   200   404   200 404
PUT    /api/data-sources/{dataSourceId}                 of files  401  401     403    200    200   200   404   200 404
PUT    /api/data-sources/{dataSourceId}              of a server  401  401     403    403    200   200   404   200 404
DELETE /api/data-sources/{dataSourceId}                 of files  401  401     403    204    204   204   404   204 404
DELETE /api/data-sources/{dataSourceId}              of a server  401  401     403    403    204   204   404   204 404
POST   /api/organizations/{orgId}/sample                          401  401     403    201    201   201   404   201 404
POST   /api/data-sources/{dataSourceId}/test            of files  401  401     403    200    200   200   404   200 404
POST   /api/data-sources/{dataSourceId}/test         of a server  401  401     403    403    200   200   404   200 404
GET    /api/data-sources/{dataSourceId}/tables                    401  401     403    200    200   200   404   200 404
GET    /api/data-sources/{dataSourceId}/tables/{table}/preview    401  401     403    200    200   200   404   200 404
PUT    /api/data-sources/{dataSourceId}/tables/{table}            401  401     403    200    200   200   404   200 404
DELETE /api/data-sources/{dataSourceId}/tables/{table}            401  401     403    204    204   204   404   204 404

POST   /api/reports                                               401  401     403    201    201   201   404   201 404
GET    /api/reports                                               401  401     200    200    200   200   404   200 404
GET    /api/reports/{reportId}                                    401  401     200    200    200   200   404   200 404
PUT    /api/reports/{reportId}                                    401  401     403    200    200   200   404   200 404
DELETE /api/reports/{reportId}                                    401  401     403    204    204   204   404   204 404
GET    /api/reports/{reportId}/versions                           401  401     403    200    200   200   404   200 404
GET    /api/reports/{reportId}/versions/{version}                 401  401     403    200    200   200   404   200 404
POST   /api/reports/{reportId}/versions/{version}/restore         401  401     403    200    200   200   404   200 404
GET    /api/reports/{reportId}/changes                            401  401     403    200    200   200   404   200 404
POST   /api/reports/{reportId}/run                                401  401     200    200    200   200   404   200 404
POST   /api/reports/preview                                       401  401     403    200    200   200   404   200 404
GET    /api/reports/{reportId}/parameters/{parameter}/values      401  401     200    200    200   200   404   200 404
GET    /api/bin/reports                                           401  401     403    200    200   200   404   200 404
POST   /api/bin/reports/{reportId}/restore                        401  401     403    200    200   200   404   200 404
DELETE /api/bin/reports/{reportId}                                401  401     403    403    204   204   404   204 404
GET    /api/dashboards/{dashboardId}/results                      401  401     200    200    200   200   404   200 404
`;

const actors = [
  'none',
  'expired',
  'viewer',
  'editor',
  'admin',
  'owner',
  'other',
  'sso',
  'sso-other',
] as const;
type ActorName = (typeof actors)[number];

const password = 'correct horse battery';
const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const configuration = {
  provider: 'idp_ad',
  clientId: 'client',
  emailDomains: ['example.com'],
  enabled: true,
};

/** A domain that only this organization names. */
const domainOf = (organizationId: string): string => `${organizationId}.example`;

/** A valid request for each line of the table, about things that were just made. */
const requests: Readonly<Record<string, (world: World) => Request | Promise<Request>>> = {
  'GET /api/health/live': () => ({ line: 'GET /api/health/live' }),
  'GET /api/health/ready': () => ({ line: 'GET /api/health/ready' }),
  'GET /api/set-up': () => ({ line: 'GET /api/set-up' }),
  'POST /api/set-up': () => ({
    line: 'POST /api/set-up',
    body: { token: 'x'.repeat(43), email: 'eve@example.com', name: 'Eve', password, organization: 'Eve' },
  }),
  'POST /api/auth/sign-in/email': ({ accountEmail: email }) => ({
    line: 'POST /api/auth/sign-in/email',
    body: { email, password },
  }),
  'POST /api/auth/sign-in/recovery': async ({ server, owner, organizationId: id }) => {
    const { body } = await expectSuccess(server, owner, `POST /api/sso/orgs/${id}/recovery-codes`);
    return { line: 'POST /api/auth/sign-in/recovery', body: { email: owner.email, code: body.codes[0] } };
  },
  'POST /api/auth/sign-out': () => ({ line: 'POST /api/auth/sign-out' }),
  'GET /api/auth/get-session': () => ({ line: 'GET /api/auth/get-session' }),
  'GET /api/auth/list-sessions': () => ({ line: 'GET /api/auth/list-sessions' }),
  'POST /api/auth/revoke-session': async ({ server, owner }) => {
    const { body } = await expectSuccess(server, owner, 'GET /api/auth/get-session');
    return { line: 'POST /api/auth/revoke-session', body: { id: body.session.id }, ids: [body.session.id] };
  },
  'POST /api/organizations': () => ({ line: 'POST /api/organizations', body: { name: 'New' } }),
  'GET /api/organizations': () => ({ line: 'GET /api/organizations' }),
  'GET /api/organizations/{orgId}': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}`,
    ids: [id],
  }),
  'PATCH /api/organizations/{orgId}': ({ organizationId: id }) => ({
    line: `PATCH /api/organizations/${id}`,
    body: { name: 'Renamed' },
    ids: [id],
  }),
  'GET /api/organizations/{orgId}/members': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/members`,
    ids: [id],
  }),
  'PATCH /api/organizations/{orgId}/members/{userId}': async ({ server, organizationId: id }) => {
    const member = await server.createMember(id, 'viewer');
    const line = `PATCH /api/organizations/${id}/members/${member.id}`;
    return { line, body: { role: 'editor' }, ids: [id, member.id] };
  },
  'DELETE /api/organizations/{orgId}/members/{userId}': async ({ server, organizationId: id }) => {
    const member = await server.createMember(id, 'viewer');
    return { line: `DELETE /api/organizations/${id}/members/${member.id}`, ids: [id, member.id] };
  },
  'POST /api/organizations/{orgId}/invitations': ({ organizationId: id }) => ({
    line: `POST /api/organizations/${id}/invitations`,
    body: { email: 'new@example.com', role: 'viewer' },
    ids: [id],
  }),
  'GET /api/organizations/{orgId}/invitations': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/invitations`,
    ids: [id],
  }),
  'DELETE /api/organizations/{orgId}/invitations/{invitationId}': async (world) => {
    const { organizationId: id } = world;
    const { invitationId } = await invite(world, 'new@example.com');
    return { line: `DELETE /api/organizations/${id}/invitations/${invitationId}`, ids: [id, invitationId] };
  },
  'GET /api/organizations/{orgId}/audit': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/audit`,
    ids: [id],
  }),
  'GET /api/organizations/{orgId}/audit/export': async (world) => {
    const { organizationId: id } = world;
    await configure(world);
    return { line: `GET /api/organizations/${id}/audit/export?action=sso.configuration.saved`, ids: [id] };
  },
  'POST /api/invitations/read': async (world) => {
    const { token } = await invite(world, 'new@example.com');
    return { line: 'POST /api/invitations/read', body: { token } };
  },
  // To a third organization, since the members of this one have nothing to accept here.
  'POST /api/invitations/accept': async ({ as, ...world }) => {
    const owner = await world.server.createPerson();
    const organizationId = await world.server.createOrganization(owner);
    const { token } = await invite({ ...world, as, owner, organizationId }, as?.email ?? 'new@example.com');
    return { line: 'POST /api/invitations/accept', body: { token } };
  },
  'POST /api/invitations/sign-up': async (world) => {
    const { token } = await invite(world, `${crypto.randomUUID()}@example.com`);
    return { line: 'POST /api/invitations/sign-up', body: { token, name: 'New', password } };
  },
  'POST /api/sso/orgs/{orgId}/config': ({ organizationId: id }) => ({
    line: `POST /api/sso/orgs/${id}/config`,
    body: configuration,
    ids: [id],
  }),
  'GET /api/sso/orgs/{orgId}/config': async (world) => ({
    line: `GET ${await configure(world)}`,
    ids: [world.organizationId],
  }),
  'DELETE /api/sso/orgs/{orgId}/config': async (world) => ({
    line: `DELETE ${await configure(world)}`,
    ids: [world.organizationId],
  }),
  'POST /api/sso/orgs/{orgId}/config/test': async (world) => ({
    line: `POST ${await connect(world)}/config/test`,
    ids: [world.organizationId],
  }),
  'GET /api/sso/orgs/{orgId}/config/test/{testId}': async (world) => {
    const path = `${await connect(world)}/config/test`;
    const { body } = await expectSuccess(world.server, world.owner, `POST ${path}`);
    return { line: `GET ${path}/${body.id}`, ids: [world.organizationId, body.id] };
  },
  'GET /api/sso/orgs/{orgId}/status': async (world) => ({
    line: `GET ${await connect(world)}/status`,
    ids: [world.organizationId],
  }),
  'GET /api/sso/orgs/{orgId}/domains': async (world) => ({
    line: `GET ${await connect(world)}/domains`,
    ids: [world.organizationId],
  }),
  'POST /api/sso/orgs/{orgId}/domains/{domain}/verify': async (world) => {
    const { dns, organizationId: id } = world;
    const { name, value } = domainRecord(id, domainOf(id));
    dns.publish(name, value);
    return { line: `POST ${await connect(world)}/domains/${domainOf(id)}/verify`, ids: [id] };
  },
  'GET /api/sso/orgs/{orgId}/policy': ({ organizationId: id }) => ({
    line: `GET /api/sso/orgs/${id}/policy`,
    ids: [id],
  }),
  'PUT /api/sso/orgs/{orgId}/policy': ({ organizationId: id }) => ({
    line: `PUT /api/sso/orgs/${id}/policy`,
    body: { requireSso: false, defaultRole: 'editor', roleMappings: [] },
    ids: [id],
  }),
  'POST /api/sso/orgs/{orgId}/recovery-codes': ({ organizationId: id }) => ({
    line: `POST /api/sso/orgs/${id}/recovery-codes`,
    ids: [id],
  }),
  'POST /api/sso/sign-in': async (world) => {
    await connect(world);
    const email = `someone@${domainOf(world.organizationId)}`;
    return { line: 'POST /api/sso/sign-in', body: { email } };
  },
  'GET /api/sso/start/{orgId}': async (world) => {
    await connect(world);
    return { line: `GET /api/sso/start/${world.organizationId}` };
  },
  'GET /api/sso/callback/{configId}': async (world) => {
    const { server, directory, organizationId: id } = world;
    await connect(world);
    const { headers } = await server.call(`GET /api/sso/start/${id}`);
    const subject = `someone of ${id}`;
    directory.addPerson({ subject, claims: { preferred_username: `someone@${domainOf(id)}` } });
    const back = new URL(await directory.signIn(String(headers['location']), subject));
    return {
      line: `GET ${back.pathname}${back.search}`,
      cookie: String(headers['set-cookie']).split(';')[0] ?? '',
    };
  },
  ...dashboardRequests,
  ...reportRequests,
  ...dataSourceRequests,
};

/** The table by its lines: `POST /api/dashboards one's own`, with the statuses by actor. */
const expected: Readonly<Record<string, Readonly<Record<ActorName, number>>>> = Object.fromEntries(
  table
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', statuses = ''] = /^(\S+ .*?) +((?:\d{3} *)+)$/.exec(line) ?? [];
      const columns = statuses.trim().split(/ +/).map(Number);
      assert.equal(columns.length, actors.length, line);
      const byActor = Object.fromEntries(actors.map((actor, index) => [actor, columns[index]]));
      return [name.replaceAll(/ +/g, ' '), byActor as Record<ActorName, number>];
    }),
);

describe('the table of routes and roles', () => {
  test('has the columns that are tried', () => {
    assert.deepEqual(table.split('\n')[1]?.trim().split(/ +/), actors);
  });

  test('has every route of the contract, and no other', () => {
    const inTable = new Set(Object.keys(expected).map((line) => line.split(' ').slice(0, 2).join(' ')));
    const inContract = routes.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual([...inTable].toSorted(), inContract.toSorted());
    assert.deepEqual(Object.keys(requests).toSorted(), Object.keys(expected).toSorted());
  });

  test('refuses who has no session wherever the contract asks for one', () => {
    for (const [line, { none, expired }] of Object.entries(expected)) {
      const isRefused = routeOf(line).access === 'session';
      assert.deepEqual([none === 401, expired === 401], [isRefused, isRefused], line);
    }
  });
});

describeOnBothEngines('every route', (engine) => {
  test('answers every kind of session as the table says, and as it is documented', async (context) => {
    const { server, createWorld } = await startWorlds(context, engine);
    const { body: document } = await server.call('GET /api/openapi.json');
    const seen: Record<string, Record<string, number>> = {};
    for (const [line, toRequest] of Object.entries(requests)) {
      const answers = await Promise.all(
        actors.map(async (actor) => {
          const world = await createWorld(actor);
          return [actor, await send(world, await toRequest(world))] as const;
        }),
      );
      for (const [actor, answer] of answers)
        assertDocumented(document, routeOf(line), answer, `${line}, ${actor}`);
      seen[line] = Object.fromEntries(answers.map(([actor, { status }]) => [actor, status]));
    }
    assert.deepEqual(seen, expected);
  });

  test('tells of another’s what it tells of nothing, byte for byte', async (context) => {
    const { createWorld } = await startWorlds(context, engine);
    let compared = 0;
    for (const [line, toRequest] of Object.entries(requests)) {
      for (const actor of ['other', 'sso-other'] as const) {
        const world = await createWorld(actor);
        const request = await toRequest(world);
        if (expected[line]?.[actor] !== 404 || request.ids === undefined) continue;
        const [foreign, unknown] = [await send(world, request), await send(world, withUnknownIds(request))];
        assert.deepEqual(withoutIdentity(foreign), withoutIdentity(unknown), `${line}, ${actor}`);
        assert.equal(foreign.status, 404);
        compared += 1;
      }
    }
    assert.ok(compared > routes.length, `${compared} comparisons`);
  });
});

/** Starts a server. Its worlds share an owner whose session has expired, and an account with a password. */
async function startWorlds(
  context: Parameters<typeof startTestServer>[0],
  engine: Parameters<typeof startTestServer>[1],
): Promise<{ server: TestServer; createWorld(actor: ActorName): Promise<World> }> {
  const [directory, dns] = [await startDirectory({ tenantId }), await startDnsServer()];
  context.after(() => Promise.all([directory.stop(), dns.stop()]));
  const server = await startTestServer(context, engine, {
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
    ATRIUM_DNS_SERVERS: dns.address,
  });
  const outside = { directory, dns };
  const lapsed = await server.createPerson('Lapsed');
  server.advance(hoursMs(12));
  const host = await server.createPerson('Host');
  const accountEmail = 'account@example.com';
  const organizationId = await server.createOrganization(host);
  const hostWorld = { server, as: host, owner: host, organizationId, accountEmail, ...outside };
  const { token } = await invite(hostWorld, accountEmail);
  const body = { token, name: 'Account', password };
  await expectSuccess(server, undefined, 'POST /api/invitations/sign-up', body);

  async function createWorld(actor: ActorName): Promise<World> {
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const as = await createActor(actor, owner, organizationId);
    return { server, organizationId, owner, as, accountEmail, ...outside };
  }

  async function createActor(
    actor: ActorName,
    owner: Person,
    organizationId: string,
  ): Promise<Person | undefined> {
    switch (actor) {
      case 'none':
        return undefined;
      case 'expired':
        await server.addMember(organizationId, lapsed, 'owner');
        return lapsed;
      case 'owner':
        return owner;
      case 'other': {
        const other = await server.createPerson('Other');
        await server.createOrganization(other);
        return other;
      }
      case 'sso':
        return server.createSsoSession(owner, organizationId);
      case 'sso-other':
        return server.createSsoSession(owner, await server.createOrganization(owner));
      default:
        return server.createMember(organizationId, actor satisfies Role);
    }
  }

  return { server, createWorld };
}

function send({ server, as }: World, { line, body, headers, cookie }: Request): Promise<Answer> {
  const session = as && `${sessionCookie}=${as.token}`;
  const cookies = [cookie, session].filter((pair) => pair !== undefined).join('; ');
  return server.call(line, {
    headers: { ...headers, ...(cookies !== '' && { cookie: cookies }) },
    ...(body && { body }),
  });
}

async function invite(
  { server, owner, organizationId }: World,
  email: string,
): Promise<{ invitationId: string; token: string }> {
  const path = `/api/organizations/${organizationId}/invitations`;
  const { body } = await expectSuccess(server, owner, `POST ${path}`, { email, role: 'viewer' });
  return { invitationId: body.id, token: body.link.split('#')[1] };
}

/** Returns the path of the configuration that the organization then has. */
async function configure({ server, owner, organizationId }: World): Promise<string> {
  const path = `/api/sso/orgs/${organizationId}/config`;
  await expectSuccess(server, owner, `POST ${path}`, configuration);
  return path;
}

/** Gives the organization a configuration that is ready. Returns the path of what belongs to it. */
async function connect({ server, owner, organizationId, directory }: World): Promise<string> {
  const path = `/api/sso/orgs/${organizationId}`;
  const { clientId, clientSecret } = directory;
  const domain = domainOf(organizationId);
  const body = { ...configuration, clientId, clientSecret, tenantId, emailDomains: [domain] };
  await expectSuccess(server, owner, `POST ${path}/config`, body);
  await vouchForDomain(server.database, Date.now, { organizationId, domain });
  const { body: status } = await expectSuccess(server, owner, `GET ${path}/status`);
  assert.equal(status.state, 'ready');
  directory.allowRedirect(status.redirectUri);
  return path;
}

function routeOf(line: string): Route {
  const [method, path] = line.split(' ');
  const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
  assert.ok(route, `${line} is not in the contract`);
  return route;
}

/** Returns the events of a stream as the JSON of what the contract describes. */
const toEvents = (text: string): string[] =>
  [...text.matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)\n\n/gm)].map(
    ([, event, id, data = '']) => `{"event":"${event}","id":"${id}","data":${data}}`,
  );

/** Asserts that the OpenAPI document foresees an answer: its status, the code of its problem, or what it carries. */
function assertDocumented(
  document: { paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>> },
  route: Route,
  { status, headers, text, body }: Answer,
  what: string,
): void {
  const described = document.paths[route.path]?.[route.method.toLowerCase()]?.responses[status];
  assert.ok(described, `${what}: ${status} is not documented`);
  if (status >= 400) {
    assert.match(String(headers['content-type']), /^application\/problem\+json/, what);
    assert.ok(described.description.includes(`\`${body.code}\``), `${what}: ${body.code} is not documented`);
    return;
  }
  assert.equal(status, route.status, what);
  if (route.mediaType) {
    assert.equal(headers['content-type'], `${route.mediaType}; charset=utf-8`, what);
    assert.match(text, /\n$/, what);
    const texts = route.mediaType === 'text/event-stream' ? toEvents(text) : text.trimEnd().split('\n');
    assert.ok(texts.length > 0, what);
    for (const one of texts) assert.ok(Compile(route.reply ?? {}).Check(JSON.parse(one)), `${what}: ${one}`);
  } else if (route.reply) assert.ok(Compile(route.reply).Check(body), `${what}: ${text}`);
  else assert.equal(text, '', what);
}
