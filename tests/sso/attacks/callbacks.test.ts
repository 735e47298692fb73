import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import {
  findFirstConfiguration,
  upsertSsoConfiguration,
} from '../../../src/server/sso/configuration/store.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { sweepSignIns } from '../../../src/server/sso/sign-in/sweep.ts';
import { problemOf, type TestResponse } from '../../support/server/test-server.ts';
import { raw } from '../../support/sso/hostile-provider.ts';
import {
  comeBack,
  countRows,
  describeTenancies,
  visit,
  type Tenancy,
} from '../../support/sso/hostile-world.ts';

const other = 'x'.repeat(43);
const expired = { status: 400, code: 'sign_in_expired' };
const refused = { status: 403, code: 'sign_in_refused' };
type Sent = { path: string; cookie: string };

const cookie = (change: (cookie: string) => string | undefined) => (sent: Sent) => ({
  path: sent.path,
  cookie: change(sent.cookie),
});
const path = (change: (path: string) => string) => (sent: Sent) => ({ ...sent, path: change(sent.path) });
const state = (value: string) => path((sent) => sent.replace(/state=[^&]*/, value));

/** How a callback is changed, so that this browser has no such sign-in in progress. */
const strays: [name: string, stray: (sent: Sent) => { path: string; cookie: string | undefined }][] = [
  ['no cookie', cookie(() => undefined)],
  ["another browser's cookie", cookie(() => `atrium.sign_in=${other}`)],
  ['the cookie sent twice', cookie((sent) => `${sent}; atrium.sign_in=${other}`)],
  ['a garbled cookie', cookie(() => 'atrium.sign_in=%00')],
  ['the session cookie in its place', cookie((sent) => sent.replace('atrium.sign_in', 'auth.session_token'))],
  ['no state', state('')],
  ['an empty state', state('state=')],
  ['another state', state(`state=${other}`)],
  ['a state with U+0000', state('state=%00')],
  ['a state that is not UTF-8', state('state=%ff%fe')],
  ['a state of 10,000 characters', state(`state=${'s'.repeat(10_000)}`)],
  ['another state before the right one', path((sent) => sent.replace('?', `?state=${other}&`))],
  ['no parameters', path((sent) => sent.replace(/\?.*/, ''))],
  [
    'another configuration',
    path((sent) => sent.replace(/callback\/[^?]*/, 'callback/01900000-0000-7000-8000-000000000000')),
  ],
];

describeTenancies('a callback that belongs to no sign-in of the browser', (world) => {
  test('returns 400, and does not affect the browser of the sign-in', async () => {
    const tenancy = await world.createTenancy();
    const sessions = await countRows(tenancy.server, 'sessions');
    const sent = await comeBack(tenancy);
    for (const [name, stray] of strays) {
      const { path, cookie } = stray(sent);
      const response = await visit(tenancy, path, cookie);
      assert.ok(
        response.status === 400 || response.status === 404,
        `${name}: ${response.status} ${response.text}`,
      );
      assert.equal(response.headers['set-cookie'], undefined, name);
    }
    for (const [method, status] of Object.entries({ HEAD: 405, POST: 405, PUT: 405, OPTIONS: 204 })) {
      const response = await tenancy.server.call(`${method} ${sent.path}`, {
        headers: { cookie: sent.cookie },
      });
      assert.equal(response.status, status, method);
      assert.equal(response.headers['set-cookie'], undefined, method);
    }
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions);
    assert.equal((await visit(tenancy, sent.path, sent.cookie)).status, 302);
    // A code and a state work only once.
    assert.deepEqual(problemOf(await visit(tenancy, sent.path, sent.cookie)), expired);
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions + 1);
  });

  test('is sent several times at once, and one succeeds', async () => {
    const tenancy = await world.createTenancy();
    const sessions = await countRows(tenancy.server, 'sessions');
    const { path, cookie } = await comeBack(tenancy);
    const responses = await Promise.all(Array.from({ length: 8 }, () => visit(tenancy, path, cookie)));
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((one, other) => one - other),
      [302, ...Array.from({ length: 7 }, () => 400)],
    );
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions + 1);
  });

  test('sends the state of one organization to another (mix-up)', async () => {
    const [one, two] = [await world.createTenancy(), await world.createTenancy()];
    const sent = await comeBack(one);
    const mixed = sent.path.replace(one.configurationId, two.configurationId);
    assert.deepEqual(problemOf(await visit(two, mixed, sent.cookie)), expired);
    // Two sign-ins are in progress in one browser: the code of one never reaches the provider of the other.
    const started = await two.start('', { cookie: sent.cookie });
    const back = await two.provider.authorize(String(started.headers.location));
    const state = back.searchParams.get('state') ?? '';
    const swapped = sent.path.replace(/state=[^&]*/, `state=${state}`);
    assert.equal((await visit(one, swapped, sent.cookie)).status, 400);
    assert.equal(two.provider.requests.filter(({ path }) => path.endsWith('/token')).length, 0);
    assert.equal((await visit(one, sent.path, sent.cookie)).status, 302);
    assert.equal((await visit(two, `${back.pathname}${back.search}`, sent.cookie)).status, 302);
  });

  test('is sent after the sign-in has ended', async () => {
    const tenancy = await world.createTenancy();
    const { server, owner, organizationId, domain } = tenancy;
    const remove = () => server.call(`DELETE /api/sso/orgs/${organizationId}/config`, { as: owner });
    const ends: [name: string, end: () => Promise<unknown>][] = [
      ['ten minutes', async () => server.advance(minutesMs(10))],
      ['a change', () => tenancy.save({ clientSecret: undefined })],
      ['turning off', () => tenancy.save({ enabled: false })],
      [
        'turning off and on',
        async () => {
          await tenancy.save({ enabled: false });
          await tenancy.save();
        },
      ],
      ['another tenant', () => tenancy.save({ tenantId: undefined })],
      [
        'deletion and creation',
        async () => {
          await remove();
          await tenancy.save();
          await verifyDomainAsOperator(server.database, server.clock, { organizationId, domain });
        },
      ],
      ['deletion', remove],
    ];
    for (const [name, end] of ends) {
      await tenancy.save();
      const { path, cookie } = await comeBack(tenancy);
      const asked = tenancy.provider.requests.length;
      await end();
      const response = await visit(tenancy, path, cookie);
      assert.deepEqual(problemOf(response), expired, name);
      assert.equal(tenancy.provider.requests.length, asked, name);
    }
  });

  test('is deleted by maintenance', async () => {
    const tenancy = await world.createTenancy();
    const { server } = tenancy;
    const before = await countRows(server, 'attempts');
    for (let count = 0; count < 20; count += 1) await tenancy.start();
    assert.equal(await countRows(server, 'attempts'), before + 20);
    server.advance(minutesMs(11));
    const { cookie, path } = await comeBack(tenancy);
    await sweepSignIns(server.database, server.clock);
    assert.equal(await countRows(server, 'attempts'), 1);
    assert.equal((await visit(tenancy, path, cookie)).status, 302);
  });
});

/** Starts a sign-in at the provider. Returns a function that sends its callback. */
async function callbackOf(tenancy: Tenancy): Promise<() => Promise<TestResponse>> {
  const { path, cookie } = await comeBack(tenancy);
  return () => visit(tenancy, path, cookie);
}

/** Makes the provider wait with its token until `meanwhile` has happened. */
function during(tenancy: Tenancy, meanwhile: () => Promise<unknown>, response?: unknown): void {
  tenancy.provider.bend({ token: (honest) => meanwhile().then(() => response ?? honest) });
}

describeTenancies('while a code is being exchanged', (world) => {
  test('a member is removed, and the sign-in ends', async () => {
    const tenancy = await world.createTenancy();
    const { server, owner, organizationId } = tenancy;
    const send = await callbackOf(tenancy);
    const member = await server.createMember(organizationId, 'viewer');
    const sessions = await countRows(server, 'sessions');
    const path = `DELETE /api/organizations/${organizationId}/members/${member.id}`;
    during(tenancy, async () => assert.equal((await server.call(path, { as: owner })).status, 204));
    assert.deepEqual(problemOf(await send()), refused);
    assert.equal(await countRows(server, 'sessions'), sessions);
    assert.equal((await tenancy.lastRefusal())?.code, 'sign_in_ended');
    assert.deepEqual(problemOf(await send()), expired);
  });

  test('a member leaves, which does not end other people’s sign-ins', async () => {
    const tenancy = await world.createTenancy();
    const { server, organizationId } = tenancy;
    const send = await callbackOf(tenancy);
    // Someone could leave and sign in again and again, so that nobody else could sign in.
    const member = await server.createMember(organizationId, 'viewer');
    const path = `DELETE /api/organizations/${organizationId}/members/${member.id}`;
    during(tenancy, async () => assert.equal((await server.call(path, { as: member })).status, 204));
    assert.equal((await send()).status, 302);
  });

  test('the browser signs out, and the sign-in ends', async () => {
    const tenancy = await world.createTenancy();
    const { server, owner } = tenancy;
    const { path, cookie } = await comeBack(tenancy);
    const both = `auth.session_token=${owner.token}; ${cookie}`;
    during(tenancy, async () => {
      const out = await server.call('POST /api/auth/sign-out', { headers: { cookie: both } });
      assert.equal(out.status, 200);
    });
    const response = await visit(tenancy, path, cookie);
    assert.deepEqual(problemOf(response), refused);
    assert.equal(response.headers['set-cookie'], undefined);
  });

  test('the same callback is repeated, which returns 400, and the first one succeeds', async () => {
    const tenancy = await world.createTenancy();
    const attempts = await countRows(tenancy.server, 'attempts');
    const send = await callbackOf(tenancy);
    during(tenancy, async () => assert.deepEqual(problemOf(await send()), expired));
    assert.equal((await send()).status, 302);
    assert.deepEqual(problemOf(await send()), expired);
    assert.equal(await countRows(tenancy.server, 'attempts'), attempts);
  });

  test('the configuration is replaced, and failures of the old one do not count for it', async () => {
    const tenancy = await world.createTenancy();
    const send = await callbackOf(tenancy);
    const wrongSecret = raw({
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"invalid_client"}',
    });
    during(tenancy, () => tenancy.save(), wrongSecret);
    assert.deepEqual(problemOf(await send()), refused);
    const { state, lastFailure } = (await tenancy.status()).body;
    assert.deepEqual([state, lastFailure], ['ready', undefined]);
    assert.equal((await tenancy.lastRefusal())?.code, 'invalid_client');
  });

  test('the configuration is turned off, and the sign-in ends', async () => {
    const tenancy = await world.createTenancy();
    const { server } = tenancy;
    const sessions = await countRows(server, 'sessions');
    const send = await callbackOf(tenancy);
    during(tenancy, () => tenancy.save({ enabled: false }));
    assert.equal((await send()).status, 403);
    assert.equal(await countRows(server, 'sessions'), sessions);
    assert.equal((await tenancy.lastRefusal())?.code, 'configuration_changed');
  });

  test('a configuration that changed during a sign-in refuses it, which is recorded', async () => {
    const tenancy = await world.createTenancy();
    const { server, organizationId } = tenancy;
    for (const change of [{ enabled: false }, { version: 99 }]) {
      await tenancy.save();
      const send = await callbackOf(tenancy);
      const stored = await findFirstConfiguration(server.database, organizationId);
      assert.ok(stored);
      // Like a save at another server between two steps of this sign-in.
      await server.database.write((transaction) =>
        upsertSsoConfiguration(transaction, { ...stored, ...change }),
      );
      const asked = tenancy.provider.requests.length;
      assert.deepEqual(problemOf(await send()), refused);
      assert.equal(tenancy.provider.requests.length, asked);
      assert.deepEqual(await tenancy.lastRefusal(), {
        code: 'configuration_changed',
        message: 'The configuration was changed or turned off during the sign-in.',
        address: '127.0.0.1',
      });
    }
  });
});
