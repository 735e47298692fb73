import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../src/server/base/clock.ts';
import { sweepSignIns } from '../../src/server/sso/sign-in/sweep.ts';
import { comeBack, countRows, startTenancies, visit } from '../support/sso/hostile-world.ts';
import { describeOnBothEngines, problemOf } from '../support/server/test-server.ts';

const other = 'x'.repeat(43);
type Sent = { path: string; cookie: string };

/** How a callback is changed; `400` if this browser has no such sign-in in progress. */
const strays: [name: string, stray: (sent: Sent) => { path: string; cookie?: string }][] = [
  ['no cookie', ({ path }) => ({ path })],
  ["another browser's cookie", ({ path }) => ({ path, cookie: `atrium.sign_in=${other}` })],
  ['the cookie sent twice', ({ path, cookie }) => ({ path, cookie: `${cookie}; atrium.sign_in=${other}` })],
  ['a garbled cookie', ({ path }) => ({ path, cookie: 'atrium.sign_in=%00' })],
  [
    'the session cookie in its place',
    ({ path, cookie }) => ({ path, cookie: cookie.replace('atrium.sign_in', 'auth.session_token') }),
  ],
  ['no state', ({ path, cookie }) => ({ path: path.replace(/state=[^&]*/, ''), cookie })],
  ['an empty state', ({ path, cookie }) => ({ path: path.replace(/state=[^&]*/, 'state='), cookie })],
  ['another state', ({ path, cookie }) => ({ path: path.replace(/state=[^&]*/, `state=${other}`), cookie })],
  ['a state with U+0000', ({ path, cookie }) => ({ path: path.replace(/state=[^&]*/, 'state=%00'), cookie })],
  [
    'a state that is no UTF-8',
    ({ path, cookie }) => ({ path: path.replace(/state=[^&]*/, 'state=%ff%fe'), cookie }),
  ],
  [
    'a state of 10,000 characters',
    ({ path, cookie }) => ({ path: path.replace(/state=[^&]*/, `state=${'s'.repeat(10_000)}`), cookie }),
  ],
  [
    'another state before the right one',
    ({ path, cookie }) => ({ path: path.replace('?', `?state=${other}&`), cookie }),
  ],
  ['no parameters', ({ path, cookie }) => ({ path: path.replace(/\?.*/, ''), cookie })],
  [
    'another configuration',
    ({ path, cookie }) => ({
      path: path.replace(/callback\/[^?]*/, 'callback/01900000-0000-7000-8000-000000000000'),
      cookie,
    }),
  ],
];

describeOnBothEngines('a callback that belongs to no sign-in of the browser', (engine) => {
  test('returns 400, and does not affect the browser of the sign-in', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const sessions = await countRows(tenancy.server, 'sessions');
    const sent = await comeBack(tenancy);
    for (const [name, stray] of strays) {
      const { path, cookie } = stray(sent);
      const answer = await visit(tenancy, path, cookie);
      assert.ok(answer.status === 400 || answer.status === 404, `${name}: ${answer.status} ${answer.text}`);
      assert.equal(answer.headers['set-cookie'], undefined, name);
    }
    for (const method of ['HEAD', 'POST', 'PUT', 'OPTIONS']) {
      const answer = await tenancy.server.call(`${method} ${sent.path}`, {
        headers: { cookie: sent.cookie },
      });
      assert.equal(answer.status, 404, method);
      assert.equal(answer.headers['set-cookie'], undefined, method);
    }
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions);
    assert.equal((await visit(tenancy, sent.path, sent.cookie)).status, 302);
    // A code and a state work only once.
    assert.deepEqual(problemOf(await visit(tenancy, sent.path, sent.cookie)), {
      status: 400,
      code: 'sign_in_expired',
    });
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions + 1);
  });

  test('is sent several times at once, and one succeeds', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const sessions = await countRows(tenancy.server, 'sessions');
    const { path, cookie } = await comeBack(tenancy);
    const answers = await Promise.all(Array.from({ length: 8 }, () => visit(tenancy, path, cookie)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [302, ...Array.from({ length: 7 }, () => 400)],
    );
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions + 1);
  });

  test('sends the state of one organization to another (mix-up)', async (context) => {
    const [one, two] = await startTenancies(context, engine, 2);
    assert.ok(two);
    const sent = await comeBack(one);
    const mixed = sent.path.replace(one.configurationId, two.configurationId);
    assert.deepEqual(problemOf(await visit(two, mixed, sent.cookie)), {
      status: 400,
      code: 'sign_in_expired',
    });
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

  test('is sent after the sign-in has ended', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server, owner, organizationId } = tenancy;
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
      ['deletion', () => server.call(`DELETE /api/sso/orgs/${organizationId}/config`, { as: owner })],
    ];
    for (const [name, end] of ends) {
      await tenancy.save();
      const { path, cookie } = await comeBack(tenancy);
      const asked = tenancy.provider.requests.length;
      await end();
      const answer = await visit(tenancy, path, cookie);
      assert.deepEqual(problemOf(answer), { status: 400, code: 'sign_in_expired' }, name);
      assert.equal(tenancy.provider.requests.length, asked, name);
    }
  });

  test('is deleted by maintenance', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server } = tenancy;
    for (let count = 0; count < 20; count += 1) await tenancy.start();
    assert.equal(await countRows(server, 'attempts'), 20);
    server.advance(minutesMs(11));
    const { cookie, path } = await comeBack(tenancy);
    await sweepSignIns(server.database, () => Date.UTC(2026, 10, 21, 9) + minutesMs(11));
    assert.equal(await countRows(server, 'attempts'), 1);
    assert.equal((await visit(tenancy, path, cookie)).status, 302);
  });

  test('is sent while the configuration is turned off during the exchange', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server, provider } = tenancy;
    const sessions = await countRows(server, 'sessions');
    const { path, cookie } = await comeBack(tenancy);
    const turnedOff = Promise.withResolvers<unknown>();
    provider.bend({
      token: (answer) => {
        turnedOff.resolve(tenancy.save({ enabled: false }));
        return turnedOff.promise.then(() => answer);
      },
    });
    assert.equal((await visit(tenancy, path, cookie)).status, 403);
    assert.equal(await countRows(server, 'sessions'), sessions);
    assert.equal((await tenancy.lastRefusal())?.code, 'configuration_changed');
  });
});
