import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { readLogins, writeLogins } from '../../src/cli/connection/logins.ts';
import { runIn, startCliServer, temporaryFolder } from '../support/cli.ts';

interface Answer {
  readonly status?: number;
  readonly body: object;
}

/** Starts a server that answers the requests to each path in turn, and records them. */
async function startScripted(context: TestContext, answers: Readonly<Record<string, Answer[]>>) {
  const requests: { path: string; form: Record<string, string>; authorization: string | undefined }[] = [];
  const host = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url?.split('?')[0] ?? '';
      const form = Object.fromEntries(new URLSearchParams(body));
      requests.push({ path, form, authorization: request.headers.authorization });
      const { status = 200, body: answer } = answers[path]?.shift() ?? { status: 404, body: {} };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  context.after(() => void host.close());
  return { origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, requests };
}

const device = {
  device_code: 'canary-device-code',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://atrium.example.com/device',
  expires_in: 600,
  interval: 5,
};
const tokens = (number: number) => ({
  access_token: `canary-access-${number}`,
  refresh_token: `canary-refresh-${number}`,
  token_type: 'Bearer',
  expires_in: 3600,
});
const failure = (error: string) => ({ status: 400, body: { error, error_description: 'why' } });
const list = { body: { items: [] } };

/** A place with a clock that only `wait` moves. */
function placeIn(directory: string) {
  const waited: number[] = [];
  const state = { now: 1_000_000 };
  return {
    waited,
    state,
    more: {
      configDirectory: directory,
      now: () => state.now,
      wait: async (durationMs: number) => {
        waited.push(durationMs);
        state.now += durationMs;
      },
    },
  };
}

describe('atrium login', () => {
  test('stores the tokens of a person who authorizes it, and prints none', async (context) => {
    const directory = join(temporaryFolder(context), 'config', 'atrium');
    const { origin, requests } = await startScripted(context, {
      '/api/oauth/device_authorization': [{ body: device }],
      '/api/oauth/token': [failure('authorization_pending'), failure('slow_down'), { body: tokens(1) }],
      '/api/organizations': [list],
    });
    const { waited, more } = placeIn(directory);
    const exit = await runIn({}, ['login', origin, '--scope', 'read', '--scope', 'administer'], more);
    assert.deepEqual(exit, {
      code: 0,
      output: `Logged in to ${origin}.\n`,
      errorOutput: 'Open https://atrium.example.com/device and enter the code BCDF-GHJK\n',
    });
    assert.deepEqual(waited, [5000, 5000, 10_000]);
    const poll = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'canary-device-code',
      client_id: 'atrium-cli',
    };
    assert.deepEqual(
      requests.map(({ form }) => form),
      [{ client_id: 'atrium-cli', scope: 'read administer' }, poll, poll, poll],
    );
    assert.equal(statSync(join(directory, 'logins.json')).mode & 0o777, 0o600);
    const called = await runIn({}, ['api', 'GET', '/api/organizations'], more);
    assert.equal(called.code, 0, called.errorOutput);
    assert.equal(requests.at(-1)?.authorization, 'Bearer canary-access-1');
  });

  const refusals = [
    ['access_denied', /refused in the browser/],
    ['expired_token', /code has expired/],
    ['invalid_client', /^why\n$/],
  ] as const;
  for (const [code, expected] of refusals)
    test(`stores nothing after ${code}`, async (context) => {
      const directory = temporaryFolder(context);
      const { origin } = await startScripted(context, {
        '/api/oauth/device_authorization': [{ body: device }],
        '/api/oauth/token': [failure(code)],
      });
      const { code: exitCode, errorOutput } = await runIn({}, ['login', origin], placeIn(directory).more);
      assert.equal(exitCode, 1);
      assert.match(errorOutput.split('\n').slice(1).join('\n'), expected);
      assert.deepEqual(readLogins(directory), { servers: {} });
    });

  test('ends when the code expires, even if the server says nothing else', async (context) => {
    const { origin } = await startScripted(context, {
      '/api/oauth/device_authorization': [{ body: { ...device, expires_in: 20 } }],
      '/api/oauth/token': Array.from({ length: 9 }, () => failure('authorization_pending')),
    });
    const { waited, more } = placeIn(temporaryFolder(context));
    assert.equal((await runIn({}, ['login', origin], more)).code, 1);
    assert.deepEqual(waited, [5000, 5000, 5000, 5000]);
  });

  test('explains a server that does not offer it, and refuses http', async (context) => {
    const { origin } = await startScripted(context, {});
    const { more } = placeIn(temporaryFolder(context));
    assert.match((await runIn({}, ['login', origin], more)).errorOutput, /doesn't offer to log in/);
    const refused = await runIn({}, ['login', 'http://atrium.example.com'], {
      ...more,
      fetch: () => assert.fail('something was sent'),
    });
    assert.match(refused.errorOutput, /without encryption/);
  });
});

describe('a stored login', () => {
  const stored = (origin: string) => ({
    current: origin,
    servers: {
      [origin]: { accessToken: 'canary-access-1', refreshToken: 'canary-refresh-1', expiresAt: 1_030_000 },
    },
  });
  const words = ['api', 'GET', '/api/organizations'];

  test('is refreshed before it expires, once, and its successor is stored', async (context) => {
    const directory = temporaryFolder(context);
    const { origin, requests } = await startScripted(context, {
      '/api/oauth/token': [{ body: tokens(2) }],
      '/api/organizations': [list, list],
    });
    writeLogins(directory, stored(origin));
    const { more } = placeIn(directory);
    assert.equal((await runIn({}, words, more)).code, 0);
    assert.equal((await runIn({}, words, more)).code, 0);
    assert.deepEqual(
      requests.map(({ path, form, authorization }) => [path, form['refresh_token'], authorization]),
      [
        ['/api/oauth/token', 'canary-refresh-1', undefined],
        ['/api/organizations', undefined, 'Bearer canary-access-2'],
        ['/api/organizations', undefined, 'Bearer canary-access-2'],
      ],
    );
    assert.match(readFileSync(join(directory, 'logins.json'), 'utf8'), /canary-refresh-2/);
  });

  test('is refreshed once by two processes that start at the same time', async (context) => {
    const directory = temporaryFolder(context);
    const { origin, requests } = await startScripted(context, {
      '/api/oauth/token': [{ body: tokens(2) }],
      '/api/organizations': [list, list],
    });
    writeLogins(directory, stored(origin));
    const { more } = placeIn(directory);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = runIn({}, words, {
      ...more,
      fetch: async (...call) => {
        if (requests.length === 0) {
          first.resolve();
          await second.promise;
        }
        return fetch(...call);
      },
    });
    await first.promise;
    const other = runIn({}, words, {
      ...more,
      wait: async () => {
        second.resolve();
        await waiting;
      },
    });
    assert.deepEqual([(await waiting).code, (await other).code], [0, 0]);
    assert.deepEqual(
      requests.map(({ path, authorization }) => [path, authorization]),
      [
        ['/api/oauth/token', undefined],
        ['/api/organizations', 'Bearer canary-access-2'],
        ['/api/organizations', 'Bearer canary-access-2'],
      ],
    );
    assert.deepEqual(readdirSync(directory), ['logins.json']);
  });

  test('is refreshed although a process that was killed, or one that hangs, has locked it', async (context) => {
    // No process has the first ID; this one has the second.
    for (const holder of ['4194305', String(process.pid)]) {
      const directory = temporaryFolder(context);
      const { origin } = await startScripted(context, {
        '/api/oauth/token': [{ body: tokens(2) }],
        '/api/organizations': [list],
      });
      writeLogins(directory, stored(origin));
      writeFileSync(join(directory, 'logins.lock'), holder);
      const { waited, more } = placeIn(directory);
      assert.equal((await runIn({}, words, more)).code, 0);
      assert.equal(waited.length > 0, holder === String(process.pid));
    }
  });

  test('that has ended asks to log in again, without its token', async (context) => {
    const directory = temporaryFolder(context);
    const { origin } = await startScripted(context, { '/api/oauth/token': [failure('invalid_grant')] });
    writeLogins(directory, stored(origin));
    const exit = await runIn({}, words, placeIn(directory).more);
    assert.deepEqual(
      [exit.code, exit.errorOutput],
      [1, `The login has ended. Run atrium login ${origin}.\n`],
    );
  });

  test('ends on the server when a person logs out', async (context) => {
    const directory = temporaryFolder(context);
    const { origin, requests } = await startScripted(context, { '/api/oauth/revoke': [{ body: {} }] });
    writeLogins(directory, {
      current: origin,
      servers: { ...stored(origin).servers, 'https://other.example.com': { accessToken: 'other' } },
    });
    const exit = await runIn({}, ['logout'], placeIn(directory).more);
    assert.deepEqual([exit.code, exit.output], [0, `Logged out of ${origin}.\n`]);
    assert.equal(requests[0]?.form['token'], 'canary-refresh-1');
    assert.deepEqual(readLogins(directory), {
      current: 'https://other.example.com',
      servers: { 'https://other.example.com': { accessToken: 'other' } },
    });
  });
});

test('a request waits if there were too many, and fails if that takes long', async () => {
  const environment = { ATRIUM_URL: 'https://atrium.example.com', ATRIUM_TOKEN: 'token' };
  const attempt = async (retryAfter: string[]) => {
    const { waited, more } = placeIn('/nonexistent');
    const fetch = async () => {
      const next = retryAfter.shift();
      return next === undefined
        ? new Response('{}')
        : new Response('', { status: 429, headers: { 'retry-after': next } });
    };
    const { code } = await runIn(environment, ['api', 'GET', '/api/x'], { ...more, fetch });
    return { code, waited };
  };
  assert.deepEqual(await attempt(['2', '3']), { code: 0, waited: [2000, 3000] });
  assert.deepEqual(await attempt(['3600']), { code: 1, waited: [] });
  assert.deepEqual(await attempt(['1', '1', '1', '1', '1']), { code: 1, waited: [1000, 1000, 1000] });
});

test('a person logs in to a server, stays logged in, and logs out', async (context) => {
  const { server, person, organizationId, environment } = await startCliServer(context);
  const origin = environment.ATRIUM_URL;
  const directory = temporaryFolder(context);
  let userCode = '';
  const more = {
    configDirectory: directory,
    now: () => server.clock(),
    warn: (line: string) => {
      userCode = /enter the code ([A-Z]{4}-[A-Z]{4})$/.exec(line)?.[1] ?? line;
    },
    wait: async () => {
      const approval = { userCode, organizationId, scopes: ['read'] };
      const approved = await server.call('POST /api/auth/device-requests/approve', {
        as: person,
        body: approval,
      });
      assert.equal(approved.status, 204, approved.text);
    },
  };
  const login = await runIn({}, ['login', origin], more);
  assert.deepEqual([login.code, login.output], [0, `Logged in to ${origin}.\n`]);
  const call = (method = 'GET') => runIn({}, ['api', method, '/api/dashboards'], more);
  assert.equal((await call()).output, '{"items":[]}');
  assert.equal((await call('POST')).code, 1, 'only the scopes that the person chose');
  const before = readLogins(directory).servers[origin];
  server.advance(3_600_000);
  assert.equal((await call()).code, 0);
  const after = readLogins(directory).servers[origin];
  assert.notEqual(after?.accessToken, before?.accessToken);
  assert.notEqual(after?.refreshToken, before?.refreshToken);
  assert.equal((await runIn({}, ['logout'], more)).code, 0);
  const revoked = await runIn({ ATRIUM_URL: origin, ATRIUM_TOKEN: after?.accessToken ?? '' }, [
    'api',
    'GET',
    '/api/dashboards',
  ]);
  assert.equal(revoked.code, 1);
  assert.equal((await call()).code, 2);
});
