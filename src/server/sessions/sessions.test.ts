import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { hoursMs, minutesMs } from '../base/clock.ts';
import { isToken } from '../base/credentials/tokens.ts';
import { createUser } from '../organizations/users.ts';
import { prepare } from '../storage/prepared-query.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { sweepSessions } from './sessions.ts';

const password = 'correct horse battery';
const at = '2026-11-21T09:00:00.000Z';

async function createAccount(server: TestServer, email = 'ada@example.com') {
  const passwordHash = await hashPassword(password);
  return server.database.write((transaction) =>
    createUser(transaction, () => Date.UTC(2026, 10, 21, 9), { email, name: 'Ada', passwordHash }),
  );
}

const signIn = (server: TestServer, body: object = { email: 'ada@example.com', password }, headers = {}) =>
  server.call('POST /api/auth/sign-in/email', { body, headers });

/** The token that a response sets, and the attributes of its cookie. */
function cookieOf({ headers }: TestResponse): { token: string; attributes: string } {
  const [pair = '', ...attributes] = String(headers['set-cookie']).split('; ');
  return { token: pair.slice(sessionCookie.length + 1), attributes: attributes.join('; ') };
}

const statusWith = async (server: TestServer, cookie: string): Promise<number> =>
  (await server.call('GET /api/auth/get-session', { headers: { cookie } })).status;

const withToken = (token: string): string => `${sessionCookie}=${token}`;

const storedSessions = prepare((sql) => sql.selectFrom('sessions').selectAll());

describeOnUsualEngine('sessions', (engine) => {
  test('signing in returns the user and the session, and sets the cookie', async (context) => {
    const server = await startTestServer(context, engine);
    const user = await createAccount(server);
    const response = await signIn(
      server,
      { email: ' ADA@Example.COM', password },
      { 'user-agent': 'Browser' },
    );
    const { token, attributes } = cookieOf(response);
    const session = {
      id: response.body.session.id,
      method: 'password',
      createdAt: at,
      lastUsedAt: at,
      expiresAt: '2026-11-28T09:00:00.000Z',
      userAgent: 'Browser',
      address: '127.0.0.1',
    };
    assert.deepEqual(
      { status: response.status, body: response.body },
      { status: 200, body: { user, session } },
    );
    assert.ok(isToken(token));
    assert.equal(attributes, 'Path=/; Max-Age=604800; HttpOnly; SameSite=Lax');
    const read = await server.call('GET /api/auth/get-session', { headers: { cookie: withToken(token) } });
    assert.deepEqual(read.body, { user, session });
  });

  test('the cookie is Secure when people use https', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_PUBLIC_URL: 'https://atrium.example' });
    await createAccount(server);
    assert.match(cookieOf(await signIn(server)).attributes, /; HttpOnly; SameSite=Lax; Secure$/);
  });

  test('the response is the same for a wrong password, an unknown email and an invalid email', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    await server.createPerson('Nopassword');
    const responses = await Promise.all(
      [
        { email: 'ada@example.com', password: 'wrong' },
        { email: 'nobody@example.com', password },
        { email: 'nopassword.1@example.com', password: '' },
        { email: 'ada@example.com@example.com', password },
        { email: 'ada＠example.com', password },
      ].map((body) => signIn(server, body)),
    );
    const distinct = new Set(
      responses.map(({ status, text, body }) => `${status} ${text.replace(body.requestId, '')}`),
    );
    assert.equal(distinct.size, 1);
    assert.deepEqual(problemOf(responses[0]!), { status: 401, code: 'invalid_credentials' });
    assert.ok(responses.every(({ headers }) => headers['set-cookie'] === undefined));
  });

  test('an unknown account takes as much work as a wrong password', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    // CPU time instead of clock time, and the least of many, so that it is the same on a busy machine.
    const least = { 'ada@example.com': Infinity, 'nobody@example.com': Infinity };
    for (let round = 0; round < 7; round += 1) {
      for (const email of ['ada@example.com', 'nobody@example.com'] as const) {
        const before = process.cpuUsage();
        await signIn(server, { email, password: 'wrong' });
        const { user, system } = process.cpuUsage(before);
        least[email] = Math.min(least[email], user + system);
      }
    }
    const [known, unknown] = [least['ada@example.com'], least['nobody@example.com']];
    // Without hashing, an unknown account would take a few thousand microseconds instead of about twenty thousand.
    assert.ok(unknown / known > 0.5 && unknown / known < 2, `${unknown} µs against ${known} µs`);
  });

  test('ten failures block an account for 15 minutes, known or not, and no others', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const failures = await Promise.all(
        Array.from({ length: 10 }, () => signIn(server, { email, password: 'wrong' })),
      );
      assert.deepEqual(new Set(failures.map(({ status }) => status)), new Set([401]));
      assert.deepEqual(problemOf(await signIn(server, { email: email.toUpperCase(), password })), {
        status: 429,
        code: 'too_many_attempts',
      });
    }
    await createAccount(server, 'bob@example.com');
    assert.equal((await signIn(server, { email: 'bob@example.com', password })).status, 200);
  });

  test('a hundred failures block an address', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    const guesses = Array.from({ length: 100 }, (_, index) =>
      signIn(server, { email: `user${index}@example.com`, password }),
    );
    await Promise.all(guesses);
    assert.deepEqual(problemOf(await signIn(server)), { status: 429, code: 'too_many_attempts' });
  });

  test('signing in many times with the correct password blocks nothing', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    for (let round = 0; round < 12; round += 1) assert.equal((await signIn(server)).status, 200);
  });

  test('a cookie from before signing in never becomes a session', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    const planted = 'A'.repeat(43);
    const { token } = cookieOf(await signIn(server, undefined, { cookie: withToken(planted) }));
    assert.notEqual(token, planted);
    assert.equal(await statusWith(server, withToken(planted)), 401);
    assert.notEqual(cookieOf(await signIn(server, undefined, { cookie: withToken(token) })).token, token);
  });

  test('only the hash of a token is stored, and no token is logged', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_LOG_REQUESTS: 'true' });
    await createAccount(server);
    const { token } = cookieOf(await signIn(server));
    await server.call('GET /api/auth/get-session', { headers: { cookie: withToken(token) } });
    assert.ok(!JSON.stringify(await server.database.all(storedSessions, {})).includes(token));
    const log = server.log.join('');
    assert.ok(log.includes('sign-in/email') && !log.includes(token) && !log.includes(password));
  });

  test('the cookie is accepted only if it is sent once and unchanged', async (context) => {
    const server = await startTestServer(context, engine);
    const { token } = await server.createPerson();
    const cookies = {
      [withToken(token)]: 200,
      [`a=b; ${withToken(token)}; c=d`]: 200,
      [`${withToken(token)}; ${withToken(token)}`]: 401,
      [`${withToken('x')};${withToken(token)}`]: 401,
      [`${withToken(token)}; ${sessionCookie}=`]: 401,
      [`${sessionCookie.toUpperCase()}=${token}`]: 401,
      [withToken(`"${token}"`)]: 401,
      [withToken(token.slice(1))]: 401,
      [sessionCookie]: 401,
      [`x${withToken(token)}`]: 401,
    };
    for (const [cookie, status] of Object.entries(cookies))
      assert.equal(await statusWith(server, cookie), status, cookie);
  });

  test('signing out ends the session, and only that', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    const [one, other] = [cookieOf(await signIn(server)).token, cookieOf(await signIn(server)).token];
    const response = await server.call('POST /api/auth/sign-out', { headers: { cookie: withToken(one) } });
    assert.deepEqual({ status: response.status, text: response.text }, { status: 200, text: '{}' });
    assert.equal(
      response.headers['set-cookie'],
      `${sessionCookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
    );
    assert.equal(await statusWith(server, withToken(one)), 401);
    assert.equal(await statusWith(server, withToken(other)), 200);
  });

  test('a session ends 12 hours after its last use', async (context) => {
    const server = await startTestServer(context, engine);
    const { token } = await server.createPerson();
    for (let use = 0; use < 3; use += 1) {
      server.advance(hoursMs(11.8));
      assert.equal(await statusWith(server, withToken(token)), 200);
    }
    server.advance(hoursMs(12));
    assert.equal(await statusWith(server, withToken(token)), 401);
  });

  test('a session ends seven days after it started, however much it is used', async (context) => {
    const server = await startTestServer(context, engine);
    const { token } = await server.createPerson();
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      assert.equal(await statusWith(server, withToken(token)), 200, `after ${hours} hours`);
      server.advance(hoursMs(8));
    }
    assert.equal(await statusWith(server, withToken(token)), 401);
  });

  test('the sweep deletes the sessions that have ended, and no others', async (context) => {
    const server = await startTestServer(context, engine);
    const idle = await server.createPerson();
    server.advance(hoursMs(11));
    const used = await server.createPerson();
    server.advance(hoursMs(2));
    await sweepSessions(server.database, () => Date.UTC(2026, 10, 21, 9) + hoursMs(13));
    const rows = await server.database.all(storedSessions, {});
    assert.deepEqual(
      rows.map(({ user_id: userId }) => userId),
      [used.id],
    );
    assert.equal(await statusWith(server, withToken(idle.token)), 401);
  });

  test('your sessions are listed, newest first, with their last use to within five minutes', async (context) => {
    const server = await startTestServer(context, engine);
    await createAccount(server);
    await server.createPerson('Other');
    const tokens: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      tokens.push(cookieOf(await signIn(server)).token);
      server.advance(minutesMs(6));
    }
    const headers = { cookie: withToken(tokens[0] ?? '') };
    const { body } = await server.call('GET /api/auth/list-sessions?limit=2', { headers });
    const rest = await server.call(`GET /api/auth/list-sessions?limit=2&cursor=${body.nextCursor}`, {
      headers,
    });
    const seen = [...body.items, ...rest.body.items].map(({ createdAt, lastUsedAt }) =>
      [createdAt, lastUsedAt].map((text) => text.slice(11, 16)),
    );
    assert.deepEqual(seen, [
      ['09:12', '09:12'],
      ['09:06', '09:06'],
      ['09:00', '09:18'],
    ]);
    assert.equal(rest.body.nextCursor, undefined);
    assert.ok(!JSON.stringify(body).includes('token'));
  });

  test('people can revoke only their own sessions', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const { session } = (await server.call('GET /api/auth/get-session', { as: ada })).body;
    const revoke = (id: string, as = eve) =>
      server.call('POST /api/auth/revoke-session', { as, body: { id } });
    assert.deepEqual(problemOf(await revoke(session.id)), { status: 404, code: 'not_found' });
    assert.deepEqual(problemOf(await revoke('nothing')), { status: 404, code: 'not_found' });
    assert.equal(await statusWith(server, withToken(ada.token)), 200);
    assert.equal((await revoke(session.id, ada)).status, 204);
    assert.equal(await statusWith(server, withToken(ada.token)), 401);
  });

  test('a session that is limited to one organization can neither see nor end the user’s others', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const { session } = (await server.call('GET /api/auth/get-session', { as: ada })).body;
    const scoped = await server.createSsoSession(ada, organizationId);
    const { items } = (await server.call('GET /api/auth/list-sessions', { as: scoped })).body;
    assert.deepEqual(
      items.map(({ organizationId: only }: { organizationId: string }) => only),
      [organizationId],
    );
    const response = await server.call('POST /api/auth/revoke-session', {
      as: scoped,
      body: { id: session.id },
    });
    assert.equal(response.status, 404);
    assert.equal(await statusWith(server, withToken(ada.token)), 200);
  });
});
