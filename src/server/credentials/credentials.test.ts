import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { bearer, createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';
import { kindOfToken } from '../base/credentials/bearer-tokens.ts';
import { daysMs, hoursMs, minutesMs } from '../base/clock.ts';
import { updateDisabledAt } from '../organizations/user-store.ts';
import { setSsoRequirement } from '../organizations/organizations.ts';
import { prepare } from '../storage/prepared-query.ts';
import { findToken } from './store.ts';
import { toToken } from './validity.ts';

const storedTokens = prepare((sql) => sql.selectFrom('tokens').selectAll());

describeOnUsualEngine('a personal token', (engine) => {
  async function startOffice(context: Parameters<typeof startTestServer>[0], role = 'owner') {
    const server = await startTestServer(context, engine, { ATRIUM_LOG_REQUESTS: 'true' });
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const as = role === 'owner' ? owner : await server.createMember(organizationId, role as 'admin');
    const path = `/api/organizations/${organizationId}`;
    return { server, owner, as, organizationId, path };
  }

  test('acts as its owner in one organization, with only its scopes', async (context) => {
    const { server, as, organizationId } = await startOffice(context);
    const other = await server.createOrganization(as);
    const reader = bearer(await createToken(server, as, { organizationId }));
    const writer = bearer(await createToken(server, as, { organizationId, scopes: ['dashboards:write'] }));
    const board = { name: 'D', organizationId };
    const created = await server.call('POST /api/dashboards', { ...writer, body: board });
    assert.equal(created.status, 201, created.text);
    assert.equal((await server.call(`GET /api/dashboards/${created.body.id}`, reader)).body.name, 'D');
    assert.equal((await server.call(`GET /api/organizations/${other}`, reader)).status, 404);
    const elsewhere = { ...writer, body: { name: 'D', organizationId: other } };
    assert.equal((await server.call('POST /api/dashboards', elsewhere)).status, 404);
    assert.equal((await server.call('POST /api/dashboards', { ...writer, body: { name: 'D' } })).status, 403);
    const refused = await server.call('POST /api/dashboards', { ...reader, body: board });
    assert.deepEqual(problemOf(refused), { status: 403, code: 'insufficient_scope' });
    assert.equal(
      refused.headers['www-authenticate'],
      'Bearer realm="Atrium", error="insufficient_scope", scope="dashboards:write"',
    );
    assert.equal((await server.call(`GET /api/dashboards/${created.body.id}`, writer)).status, 403);
  });

  test('does not exceed the role that its owner has now', async (context) => {
    const { server, owner, as, organizationId, path } = await startOffice(context, 'editor');
    const token = bearer(await createToken(server, as, { organizationId, scopes: ['dashboards:write'] }));
    const create = () =>
      server.call('POST /api/dashboards', { ...token, body: { name: 'D', organizationId } });
    assert.equal((await create()).status, 201);
    await server.call(`PATCH ${path}/members/${as.id}`, { as: owner, body: { role: 'viewer' } });
    assert.deepEqual(problemOf(await create()), { status: 403, code: 'forbidden' });
    await server.call(`DELETE ${path}/members/${as.id}`, { as: owner });
    assert.equal((await create()).status, 401);
    await server.addMember(organizationId, as, 'editor');
    assert.equal((await create()).status, 401, 'a new membership does not revive it');
  });

  test('is stored as a hash, shown once, and in no log', async (context) => {
    const { server, as, organizationId, path } = await startOffice(context);
    const created = await createToken(server, as, { organizationId });
    assert.equal(kindOfToken(created.token), 'personal');
    assert.match(created.token, /^atrium_pat_[0-9A-Za-z]{49}$/);
    await server.call('GET /api/dashboards', bearer(created));
    await server.call('GET /api/dashboards', bearer({ token: `${created.token}x` }));
    const texts = [
      JSON.stringify(await server.database.all(storedTokens, {})),
      (await server.call('GET /api/auth/tokens', { as })).text,
      (await server.call(`GET ${path}/tokens`, { as })).text,
      (await server.call(`GET ${path}/audit`, { as })).text,
      server.log.join(''),
    ];
    const [secret] = created.token.split('_').slice(-1);
    for (const text of texts)
      assert.ok(text.includes(created.id) || text.includes('"path"'), text.slice(0, 200));
    for (const text of texts) assert.ok(!text.includes(secret!));
  });

  test('is only accepted in the header, and never together with a cookie', async (context) => {
    const { server, as, organizationId } = await startOffice(context);
    const { token } = await createToken(server, as, { organizationId });
    const cookie = `${sessionCookie}=${as.token}`;
    const statusOf = async (headers: Record<string, string>, query = '') =>
      (await server.call(`GET /api/dashboards${query}`, { headers })).status;
    assert.equal(await statusOf({ authorization: `bearer ${token}` }), 200);
    assert.equal(await statusOf({ cookie: `${sessionCookie}=${token}` }), 401);
    assert.equal(await statusOf({}, `?access_token=${token}`), 401);
    assert.equal(await statusOf({ authorization: `Bearer ${as.token}` }), 401);
    assert.equal(await statusOf({ authorization: 'Bearer nonsense', cookie }), 401);
    assert.equal(await statusOf({ authorization: 'Bearer', cookie }), 401);
    assert.equal(await statusOf({ authorization: `Bearer ${token}`, cookie: `${sessionCookie}=x` }), 200);
    assert.equal(await statusOf({ authorization: `Basic ${token}` }), 401);
  });

  test('is accepted from any origin, and cookies are not', async (context) => {
    const { server, as, organizationId } = await startOffice(context);
    const token = await createToken(server, as, { organizationId, scopes: ['dashboards:write'] });
    const body = { name: 'D', organizationId };
    const origin = 'https://evil.example';
    const post = (headers: Record<string, string>, more: object = {}) =>
      server.call('POST /api/dashboards', { headers: { origin, ...headers }, body, ...more });
    assert.equal((await post(bearer(token).headers)).status, 201);
    assert.deepEqual(problemOf(await post({}, { as })), { status: 403, code: 'cross_site_request' });
    assert.equal((await post({ authorization: 'Bearer x' }, { as })).status, 401);
    assert.equal((await post({ authorization: 'Basic x' }, { as })).status, 403);
    const signIn = await server.call('POST /api/auth/sign-in/email', {
      headers: { origin, ...bearer(token).headers },
      body: { email: 'a@example.com', password: 'x' },
    });
    assert.deepEqual(problemOf(signIn), { status: 403, code: 'cross_site_request' });
  });

  test('expires, and earlier if the organization says so', async (context) => {
    const { server, as, organizationId, path } = await startOffice(context);
    const token = bearer(await createToken(server, as, { organizationId, expiresAt: '2026-12-01' }));
    const status = async () => (await server.call('GET /api/dashboards', token)).status;
    const putPolicy = (personalTokens: boolean, maxDays: number) =>
      server.call(`PUT ${path}/token-policy`, { as, body: { personalTokens, maxDays } });
    assert.equal(await status(), 200);
    await putPolicy(false, 365);
    assert.equal(await status(), 401);
    await putPolicy(true, 1);
    assert.equal(await status(), 200);
    server.advance(hoursMs(6));
    assert.equal((await server.call(`GET ${path}`, { as })).status, 200);
    server.advance(hoursMs(6));
    assert.equal((await server.call(`GET ${path}`, { as })).status, 200);
    server.advance(hoursMs(11.9));
    assert.equal(await status(), 200);
    server.advance(minutesMs(6));
    assert.equal(await status(), 401);
  });

  test('needs a name, a known scope, an expiry within the policy, and a recent confirmation', async (context) => {
    const { server, as, organizationId, path } = await startOffice(context);
    await server.call(`PUT ${path}/token-policy`, { as, body: { personalTokens: true, maxDays: 10 } });
    const good = { organizationId, name: 'S', scopes: ['read'], expiresAt: '2026-11-30' };
    const post = (change: object) =>
      server.call('POST /api/auth/tokens', { as, body: { ...good, ...change } });
    for (const change of [
      { name: ' ' },
      { scopes: [] },
      { scopes: ['read', 'read'] },
      { scopes: ['everything'] },
      { expiresAt: undefined },
      { expiresAt: '2026-11-21T09:00:00Z' },
      { expiresAt: '2026-12-02' },
      { expiresAt: '2026-02-30' },
    ])
      assert.equal((await post(change)).body.code, 'invalid_body', JSON.stringify(change));
    assert.equal((await post({})).status, 201);
    await server.call(`PUT ${path}/token-policy`, { as, body: { personalTokens: false, maxDays: 10 } });
    assert.deepEqual(problemOf(await post({})), { status: 403, code: 'forbidden' });
    server.advance(minutesMs(11));
    assert.deepEqual(problemOf(await post({})), { status: 403, code: 'confirmation_required' });
  });

  test('creates no other credential, and manages no account', async (context) => {
    const { server, as, organizationId, path } = await startOffice(context);
    const all = [
      'read',
      'dashboards:write',
      'reports:write',
      'folders:write',
      'data_sources:write',
      'administer',
    ];
    const token = bearer(await createToken(server, as, { organizationId, scopes: all as ['read'] }));
    const body = { organizationId, name: 'S', scopes: ['read'], expiresAt: '2026-11-30' };
    for (const [line, sent] of [
      ['POST /api/auth/tokens', body],
      ['GET /api/auth/tokens'],
      [`POST ${path}/service-accounts`, { name: 'P', role: 'admin' }],
      [`PUT ${path}/token-policy`, { personalTokens: true, maxDays: 365 }],
      ['GET /api/auth/get-session'],
      ['POST /api/auth/sign-out', {}],
      ['POST /api/auth/update-user', { name: 'Eve' }],
      ['POST /api/organizations', { name: 'Mine' }],
      [`POST /api/sso/orgs/${organizationId}/recovery-codes`, {}],
      ['GET /api/server'],
    ] as const) {
      const response = await server.call(line, { ...token, body: sent });
      assert.deepEqual(problemOf(response), { status: 403, code: 'insufficient_scope' }, line);
    }
  });

  test('works in an organization that requires SSO while the directory vouches for its owner', async (context) => {
    const { server, as, organizationId, path } = await startOffice(context, 'admin');
    const token = await createToken(server, as, { organizationId });
    const account = await createServiceAccount(server, as, { organizationId });
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    const read = (one: { token: string }) => server.call(`GET ${path}`, bearer(one));
    assert.deepEqual(problemOf(await read(token)), { status: 403, code: 'sso_required' });
    assert.equal((await read(account)).status, 200, 'a service account is the act of an admin');
    await server.createSsoSession(as, organizationId);
    assert.equal((await read(token)).status, 200);
    server.advance(daysMs(7) - minutesMs(1));
    assert.equal((await read(token)).status, 200);
    server.advance(minutesMs(1));
    assert.deepEqual(problemOf(await read(token)), { status: 403, code: 'sso_required' });
  });

  test('shows when and from where it was used, and is revoked at once by its owner or an admin', async (context) => {
    const { server, owner, as, organizationId, path } = await startOffice(context, 'editor');
    const admin = await server.createMember(organizationId, 'admin');
    const tokens = [];
    for (let index = 0; index < 2; index += 1) tokens.push(await createToken(server, as, { organizationId }));
    const [first, second] = tokens;
    const ofOwner = await createToken(server, owner, { organizationId });
    await server.call('GET /api/dashboards', bearer(first!));
    const { items } = (await server.call('GET /api/auth/tokens', { as })).body;
    assert.deepEqual(
      items.map(({ lastUsedAt, lastUsedAddress }: Record<string, string>) => [lastUsedAt, lastUsedAddress]),
      [
        [undefined, undefined],
        ['2026-11-21T09:00:00.000Z', '127.0.0.1'],
      ],
    );
    const revoke = (id: string, who: typeof as) => server.call(`DELETE /api/auth/tokens/${id}`, { as: who });
    assert.equal((await revoke(first!.id, admin)).status, 404);
    assert.equal((await revoke(first!.id, as)).status, 204);
    assert.equal((await server.call('GET /api/dashboards', bearer(first!))).status, 401);
    assert.equal((await server.call(`DELETE ${path}/tokens/${second!.id}`, { as: admin })).status, 204);
    assert.equal((await server.call('GET /api/dashboards', bearer(second!))).status, 401);
    const ofAnOwner = await server.call(`DELETE ${path}/tokens/${ofOwner.id}`, { as: admin });
    assert.deepEqual(problemOf(ofAnOwner), { status: 403, code: 'forbidden' });
    const stranger = await server.createPerson('Eve');
    const own = await server.createOrganization(stranger);
    const foreign = await server.call(`DELETE /api/organizations/${own}/tokens/${ofOwner.id}`, {
      as: stranger,
    });
    assert.equal(foreign.status, 404);
  });
});

describeOnUsualEngine('the list of tokens', (engine) => {
  test('shows whether each works, why it doesn’t, and when it ends by the policy', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(as);
    const path = `/api/organizations/${organizationId}`;
    const created = await createToken(server, as, { organizationId, expiresAt: '2026-12-01' });
    await createServiceAccount(server, as, { organizationId });
    assert.equal(created.state, 'active');
    const states = async (line = `GET ${path}/tokens`) =>
      (await server.call(line, { as })).body.items.map(({ state }: { state: string }) => state);
    const putPolicy = (personalTokens: boolean, maxDays: number) =>
      server.call(`PUT ${path}/token-policy`, { as, body: { personalTokens, maxDays } });
    assert.deepEqual(await states(), ['active', 'active']);
    await putPolicy(false, 365);
    assert.deepEqual(await states(), ['active', 'not_permitted']);
    assert.deepEqual(await states('GET /api/auth/tokens'), ['not_permitted']);
    await putPolicy(true, 3);
    const [, personal] = (await server.call(`GET ${path}/tokens`, { as })).body.items;
    assert.deepEqual([personal.state, personal.expiresAt], ['active', '2026-11-24T09:00:00.000Z']);
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    assert.deepEqual(await states('GET /api/auth/tokens'), ['sso_required']);
    const sso = await server.createSsoSession(as, organizationId);
    assert.deepEqual(
      (await server.call(`GET ${path}/tokens`, { as: { ...as, ...sso } })).body.items.map(
        ({ state }: { state: string }) => state,
      ),
      ['active', 'active'],
    );
    await server.database.write((transaction) =>
      updateDisabledAt(transaction, as.id, '2026-11-21T09:00:00Z'),
    );
    const stored = await findToken(server.database, created.id);
    assert.equal(stored && toToken(stored, server.clock()).state, 'disabled');
    assert.equal(stored && toToken(stored, server.clock() + daysMs(3)).state, 'expired');
  });
});

describeOnUsualEngine('a service account', (engine) => {
  test('names its maker, and is renamed by an admin', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const path = `/api/organizations/${organizationId}`;
    const admin = await server.createMember(organizationId, 'admin');
    const { userId } = await createServiceAccount(server, admin, { organizationId });
    const rename = (id: string) =>
      server.call(`PATCH ${path}/service-accounts/${id}`, { as: owner, body: { name: 'Exports' } });
    const renamed = await rename(userId);
    assert.equal(renamed.status, 200, renamed.text);
    const { items } = (await server.call(`GET ${path}/service-accounts`, { as: owner })).body;
    assert.deepEqual(items, [renamed.body]);
    assert.deepEqual([items[0].name, items[0].createdBy], ['Exports', admin.id]);
    assert.equal((await rename(admin.id)).status, 404, 'not a person');
    const [entry] = (await server.call(`GET ${path}/audit`, { as: owner })).body.items;
    assert.deepEqual(
      [entry.action, entry.details],
      ['service_account.renamed', { userId, before: 'Pipeline', after: 'Exports' }],
    );
  });

  test('is a member with a role of its own, that outlives its maker', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const path = `/api/organizations/${organizationId}`;
    const maker = await server.createMember(organizationId, 'admin');
    const scopes = ['read', 'dashboards:write'] as const;
    const account = await createServiceAccount(server, maker, {
      organizationId,
      role: 'editor',
      scopes: [...scopes],
    });
    await server.call(`DELETE ${path}/members/${maker.id}`, { as: owner });
    const token = bearer(account);
    const created = await server.call('POST /api/dashboards', {
      ...token,
      body: { name: 'D', organizationId },
    });
    assert.equal(created.status, 201, created.text);
    const { items } = (await server.call(`GET ${path}/members`, { as: owner })).body;
    const listed = items.find(({ userId }: { userId: string }) => userId === account.userId);
    assert.deepEqual([listed.name, listed.role, listed.isServiceAccount], ['Pipeline', 'editor', true]);
    const promote = (role: string) =>
      server.call(`PATCH ${path}/members/${account.userId}`, { as: owner, body: { role } });
    assert.deepEqual(problemOf(await promote('owner')), { status: 403, code: 'forbidden' });
    assert.equal((await promote('viewer')).status, 200);
    const refused = await server.call('POST /api/dashboards', {
      ...token,
      body: { name: 'D', organizationId },
    });
    assert.deepEqual(problemOf(refused), { status: 403, code: 'forbidden' });
    assert.equal((await server.call(`DELETE ${path}/members/${account.userId}`, { as: owner })).status, 204);
    assert.equal((await server.call(`GET ${path}`, token)).status, 401);
  });

  test('can’t sign in, be invited or reset a password, and its prefix is its own', async (context) => {
    const server = await startTestServer(context, engine);
    server.mailServer.state = 'accepts';
    const as = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(as);
    const path = `/api/organizations/${organizationId}`;
    const account = await createServiceAccount(server, as, { organizationId });
    assert.equal(kindOfToken(account.token), 'serviceAccount');
    const { items } = (await server.call(`GET ${path}/members`, { as })).body;
    const { email } = items.find(({ userId }: { userId: string }) => userId === account.userId);
    const signIn = await server.call('POST /api/auth/sign-in/email', { body: { email, password: '' } });
    assert.equal(signIn.status, 401);
    await server.call('POST /api/auth/request-password-reset', { body: { email } });
    assert.deepEqual(server.mails, []);
    const personalToken = await server.call('POST /api/auth/tokens', {
      ...bearer(account),
      body: { organizationId, name: 'S', scopes: ['read'], expiresAt: '2026-11-30' },
    });
    assert.equal(personalToken.status, 403);
    const ofPerson = await server.call(`POST ${path}/service-accounts/${as.id}/tokens`, {
      as,
      body: { name: 'S', scopes: ['read'], expiresAt: '2026-11-30' },
    });
    assert.equal(ofPerson.status, 404, 'not a token of a person');
  });
});
