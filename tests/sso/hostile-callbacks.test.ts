import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutesMs } from '../../src/server/base/clock.ts';
import { sweepSignIns } from '../../src/server/sso/sso-sweep.ts';
import { prepare } from '../../src/server/storage/prepared-query.ts';
import { raw } from '../support/hostile-provider.ts';
import {
  cookieOf,
  countRows,
  expectControl,
  expectRefusal,
  startTenancies,
  type HostileCase,
  type Tenancy,
} from '../support/hostile-world.ts';
import { describeOnBothEngines, problemOf, type Answer } from '../support/test-server.ts';

/** A sign-in that has come back from the provider, and is not completed. */
async function comeBack(tenancy: Tenancy, query?: string): Promise<{ path: string; cookie: string }> {
  const started = await tenancy.start(query);
  assert.equal(started.status, 302, started.text);
  const back = await tenancy.provider.authorize(String(started.headers.location));
  return { path: `${back.pathname}${back.search}`, cookie: cookieOf(started) };
}

const get = ({ server }: Tenancy, path: string, cookie?: string): Promise<Answer> =>
  server.call(`GET ${path}`, cookie === undefined ? {} : { headers: { cookie } });

const other = 'x'.repeat(43);
type Sent = { path: string; cookie: string };

/** What a callback is changed to; `400` for what is under way in no such browser. */
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
  test('is a 400, and spoils nothing for the browser that the sign-in belongs to', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const sessions = await countRows(tenancy.server, 'sessions');
    const sent = await comeBack(tenancy);
    for (const [name, stray] of strays) {
      const { path, cookie } = stray(sent);
      const answer = await get(tenancy, path, cookie);
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
    assert.equal((await get(tenancy, sent.path, sent.cookie)).status, 302);
    // A code and a state are good for once.
    assert.deepEqual(problemOf(await get(tenancy, sent.path, sent.cookie)), {
      status: 400,
      code: 'sign_in_expired',
    });
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions + 1);
  });

  test('comes twice at once, and one gets in', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const sessions = await countRows(tenancy.server, 'sessions');
    const { path, cookie } = await comeBack(tenancy);
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(tenancy, path, cookie)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [302, ...Array.from({ length: 7 }, () => 400)],
    );
    assert.equal(await countRows(tenancy.server, 'sessions'), sessions + 1);
  });

  test('brings the state of one organization to the other (mix-up)', async (context) => {
    const [one, two] = await startTenancies(context, engine, 2);
    assert.ok(two);
    const sent = await comeBack(one);
    const mixed = sent.path.replace(one.configurationId, two.configurationId);
    assert.deepEqual(problemOf(await get(two, mixed, sent.cookie)), { status: 400, code: 'sign_in_expired' });
    // One browser, both sign-ins under way: the code of one never reaches the provider of the other.
    const started = await two.start('', { cookie: sent.cookie });
    const back = await two.provider.authorize(String(started.headers.location));
    const state = back.searchParams.get('state') ?? '';
    const swapped = sent.path.replace(/state=[^&]*/, `state=${state}`);
    assert.equal((await get(one, swapped, sent.cookie)).status, 400);
    assert.equal(two.provider.requests.filter(({ path }) => path.endsWith('/token')).length, 0);
    assert.equal((await get(one, sent.path, sent.cookie)).status, 302);
    assert.equal((await get(two, `${back.pathname}${back.search}`, sent.cookie)).status, 302);
  });

  test('comes after what it began with has ended', async (context) => {
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
      const answer = await get(tenancy, path, cookie);
      assert.deepEqual(problemOf(answer), { status: 400, code: 'sign_in_expired' }, name);
      assert.equal(tenancy.provider.requests.length, asked, name);
    }
  });

  test('is swept away', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server } = tenancy;
    for (let count = 0; count < 20; count += 1) await tenancy.start();
    assert.equal(await countRows(server, 'attempts'), 20);
    server.advance(minutesMs(11));
    const { cookie, path } = await comeBack(tenancy);
    await sweepSignIns(server.database, () => Date.UTC(2026, 10, 21, 9) + minutesMs(11));
    assert.equal(await countRows(server, 'attempts'), 1);
    assert.equal((await get(tenancy, path, cookie)).status, 302);
  });

  test('comes while the configuration is turned off during the exchange', async (context) => {
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
    assert.equal((await get(tenancy, path, cookie)).status, 403);
    assert.equal(await countRows(server, 'sessions'), sessions);
    assert.equal((await tenancy.lastRefusal())?.code, 'configuration_changed');
  });
});

const comesBackWith = (change: (parameters: URLSearchParams) => void): HostileCase['bends'] => ({
  callback: change,
});
const advertised: HostileCase['bends'] = {
  discovery: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }),
};
const script = '<script>alert(1)</script>';

const answers: HostileCase[] = [
  {
    name: 'no issuer where one is advertised (RFC 9207)',
    bends: advertised,
    refusal: ['token_invalid', /iss/],
  },
  {
    name: 'another issuer where one is advertised',
    bends: { ...advertised, callback: (p) => p.set('iss', 'https://elsewhere.example') },
    refusal: ['token_invalid', /iss/],
  },
  {
    name: 'another issuer where none is advertised',
    bends: comesBackWith((p) => p.set('iss', 'https://elsewhere.example')),
    refusal: ['token_invalid', /iss/],
  },
  {
    name: 'an error without description',
    bends: comesBackWith((p) => {
      p.delete('code');
      p.set('error', 'access_denied');
    }),
    refusal: ['access_denied', /^The identity provider answers: access_denied\. \(The browser says so/],
  },
  {
    name: 'an error with description',
    bends: comesBackWith((p) => {
      p.delete('code');
      p.set('error', 'access_denied');
      p.set('error_description', 'AADSTS50105: not assigned');
    }),
    refusal: ['AADSTS50105', /not assigned/],
  },
  {
    name: 'an error beside a code',
    bends: comesBackWith((p) => p.set('error', 'server_error')),
    refusal: ['server_error', /server_error\. \(The browser says so/],
  },
  {
    name: 'a script',
    bends: comesBackWith((p) => {
      p.set('error', script);
      p.set('error_description', script);
    }),
    refusal: ['provider_error', /^[^<]*$/],
  },
  {
    name: 'an error of 3,000 characters',
    bends: comesBackWith((p) => {
      p.set('error', 'e'.repeat(3_000));
      p.set('error_description', 'd'.repeat(3_000));
    }),
    refusal: ['provider_error', /^The identity provider answers: provider_error\./],
  },
  {
    name: 'an error of line breaks',
    bends: comesBackWith((p) => {
      p.set('error', '\r\n');
      p.set('error_description', 'a\r\nSet-Cookie: x=y\u001b[2J');
    }),
    refusal: ['provider_error', /^\P{C}*$/u],
  },
  { name: 'no code', bends: comesBackWith((p) => p.delete('code')), refusal: ['token_invalid', /code/] },
  { name: 'an empty code', bends: comesBackWith((p) => p.set('code', '')), refusal: ['token_invalid', /./] },
  {
    name: 'another code',
    bends: comesBackWith((p) => p.set('code', 'another')),
    refusal: ['invalid_grant', /invalid_grant/],
  },
  {
    name: 'two codes',
    bends: comesBackWith((p) => p.append('code', 'another')),
    refusal: ['token_invalid', /code/],
  },
  {
    name: 'the state twice',
    bends: comesBackWith((p) => p.append('state', p.get('state') ?? '')),
    refusal: ['token_invalid', /state/],
  },
  {
    name: 'an ID token beside the code',
    bends: comesBackWith((p) => p.set('id_token', 'x.y.z')),
    refusal: ['token_invalid', /of implicit and hybrid flows/],
  },
  {
    name: 'a signed response',
    bends: comesBackWith((p) => {
      p.delete('code');
      p.set('response', 'x.y.z');
    }),
    refusal: ['token_invalid', /./],
  },
];

describe('a callback is refused for', () => {
  test('what the provider answers with', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    tenancy.provider.bend({ ...advertised, callback: (p) => p.set('iss', tenancy.provider.issuer) });
    await expectControl(tenancy, 'the right issuer where one is advertised');
    for (const hostile of answers) {
      await context.test(hostile.name, () => expectRefusal(tenancy, { ...hostile, isOfBrowser: true }));
    }
  });

  test('a script as text alone', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    tenancy.provider.bend(comesBackWith((p) => p.set('error', script)));
    const { answer } = await tenancy.signIn();
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
  });
});

describe('a sign-in', () => {
  test('ends on a path of this server', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    const evil = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/%2f/evil.example',
      '/%5cevil.example',
      '/\t/evil.example',
      '/\r\nLocation: https://evil.example',
      '%2f%2fevil.example',
      '/x/..//evil.example',
      '/.//evil.example',
      ' //evil.example',
      '/%09/evil.example',
      'evil.example',
      '@evil.example',
      '',
      '/%',
      '/%ff',
    ];
    for (const returnTo of evil) {
      const { answer } = await tenancy.signIn(`?returnTo=${encodeURIComponent(returnTo)}`);
      assert.equal(answer.status, 302, answer.text);
      const location = String(answer.headers.location);
      const url = new URL(location, 'http://localhost:3000');
      assert.equal(url.origin, 'http://localhost:3000', returnTo);
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/, returnTo);
      const asked = await tenancy.server.call('POST /api/sso/sign-in', {
        body: { email: 'bob@corp0.example', returnTo },
      });
      assert.equal(new URL(asked.body.url).origin, 'http://localhost:3000');
    }
    for (const returnTo of ['/', '/dashboards/1?x=y#z', '/日本']) {
      const { answer } = await tenancy.signIn(`?returnTo=${encodeURIComponent(returnTo)}`);
      assert.equal(answer.headers.location, encodeURI(returnTo));
    }
    const twice = await tenancy.start('?returnTo=/a&returnTo=//evil.example');
    assert.equal(twice.status, 400);
  });

  test('begins a session of its own, whatever cookie was there before', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    const { server } = tenancy;
    const { path, cookie } = await comeBack(tenancy);
    const planted = `auth.session_token=${other}`;
    const answer = await server.call(`GET ${path}`, { headers: { cookie: `${cookie}; ${planted}` } });
    assert.equal(answer.status, 302);
    assert.notEqual(cookieOf(answer), planted);
    assert.match(cookieOf(answer), /^auth\.session_token=[\w-]{43}$/);
    assert.notEqual(cookieOf(answer).split('=')[1], cookie.split('=')[1]);
    assert.equal((await get(tenancy, '/api/auth/get-session', planted)).status, 401);
    const again = await tenancy.signIn();
    assert.notEqual(cookieOf(again.answer), cookieOf(answer));
  });

  test('goes by the public address alone, whatever a request says of its host', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '444',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '/evil',
      referer: 'https://evil.example/',
    };
    const started = await tenancy.start('', forged);
    const location = new URL(String(started.headers.location));
    assert.equal(
      location.searchParams.get('redirect_uri'),
      `http://localhost:3000/api/sso/callback/${tenancy.configurationId}`,
    );
    assert.doesNotMatch(JSON.stringify(started.headers), /evil|Secure/);
    const back = await tenancy.provider.authorize(location.href);
    const done = await tenancy.server.call(`GET ${back.pathname}${back.search}`, {
      headers: { ...forged, cookie: cookieOf(started) },
    });
    assert.equal(done.status, 302, done.text);
    assert.doesNotMatch(JSON.stringify(done.headers), /evil/);
    const asked = await tenancy.server.call('POST /api/sso/sign-in', {
      body: { email: 'bob@corp0.example' },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    assert.match(asked.body.url, /^http:\/\/localhost:3000\//);
    const status = await tenancy.server.call(`GET /api/sso/orgs/${tenancy.organizationId}/status`, {
      as: tenancy.owner,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    assert.doesNotMatch(status.text, /evil/);
  });
});

const tables = prepare((sql) =>
  sql
    .selectFrom('sqlite_master' as never)
    .select(['name' as never])
    .where('type' as never, '=', 'table' as never),
);

describe('what must stay secret in a sign-in', () => {
  test('is in no log, audit entry, status, answer or row, not even when the provider says it back', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    const { server, provider, owner, organizationId } = tenancy;
    const { trace } = provider;
    const answered: string[] = [];
    const secrets: Record<string, string>[] = [];

    const echo = (): Record<string, string> => ({ ...trace, clientSecret: provider.clientSecret });
    const echoed = () => Object.values(echo()).join(' ');
    const bends: HostileCase['bends'][] = [
      {},
      { claims: (honest) => ({ ...honest, nonce: 'wrong' }) },
      {
        token: () =>
          raw({
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ error: provider.clientSecret, error_description: echoed() }),
          }),
      },
      {
        token: () =>
          raw({
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ error: trace.code, error_description: encodeURIComponent(echoed()) }),
          }),
      },
      { token: () => raw({ status: 500, body: echoed() }) },
      {
        callback: (p) => {
          p.set('error', 'x');
          // The verifier is not sent yet.
          p.set('error_description', Object.values({ ...echo(), codeVerifier: '' }).join(' '));
        },
      },
      { discovery: (honest) => ({ ...honest, issuer: provider.clientSecret }) },
    ];
    for (const bend of bends) {
      provider.bend(bend);
      await tenancy.save();
      const { answer, callback } = await tenancy.signIn();
      secrets.push(echo());
      // The cookie is where the token belongs.
      answered.push(answer.text, String(answer.headers.location));
      const token = /session_token=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1];
      if (token !== undefined) secrets.push({ token });
      if (callback !== undefined) answered.push((await get(tenancy, callback)).text);
      answered.push((await tenancy.status()).text);
      const begun = await server.call(`POST /api/sso/orgs/${organizationId}/config/test`, { as: owner });
      if (begun.status !== 201) continue;
      const back = await provider.authorize(begun.body.url);
      await get(tenancy, `${back.pathname}${back.search}`, cookieOf(begun));
      secrets.push(echo());
      answered.push(
        (await server.call(`GET /api/sso/orgs/${organizationId}/config/test/${begun.body.id}`, { as: owner }))
          .text,
      );
    }
    // One that is still under way has a row.
    await tenancy.save();
    provider.bend({});
    await comeBack(tenancy);
    secrets.push(echo());
    for (const path of ['audit', 'audit/export'])
      answered.push(
        (await server.call(`GET /api/organizations/${organizationId}/${path}`, { as: owner })).text,
      );
    answered.push((await server.call(`GET /api/sso/orgs/${organizationId}/config`, { as: owner })).text);

    const names = (await server.database.all(tables, {})) as { name: string }[];
    assert.ok(names.some(({ name }) => name === 'sso_attempts'));
    const rows = [];
    for (const { name } of names) {
      const every = prepare((sql) => sql.selectFrom(name as never).selectAll());
      rows.push(JSON.stringify(await server.database.all(every, {})));
    }
    const places = { log: server.log.join(''), answers: answered.join('\n'), database: rows.join('\n') };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 100, place);
      for (const [name, secret] of secrets.flatMap(Object.entries)) {
        if (secret === '') continue;
        assert.equal(
          text.includes(secret),
          false,
          `${name} is in the ${place}: …${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 20)}`,
        );
      }
    }
  });
});
