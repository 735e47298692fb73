import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { codeOf, enterPassword, setUpApp } from '../../../../tests/support/organizations/second-factors.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
  type TestResponse,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { minutesMs } from '../../base/clock.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { sweepPendingSignIns } from './pending-sign-in.ts';

const password = 'correct horse battery';
const stepMs = 30_000;
const wrongCode = { status: 401, code: 'invalid_credentials' };
const expired = { status: 400, code: 'sign_in_expired' };
const allPending = prepare((sql) => sql.selectFrom('pending_sign_ins').selectAll());

/** A server with a mail server, and people with a password and an authenticator app. */
async function startOffice(...start: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...start);
  server.mailServer.state = 'accepts';
  const createAccount = async (name: string) => {
    const person = await server.createPerson(name);
    await setPassword(server, person, password);
    const organizationId = await server.createOrganization(person);
    return { person, organizationId, ...(await setUpApp(server, person)) };
  };
  const ada = await createAccount('Ada');
  await finishAfterResponses(server.app.server);
  server.mails.splice(0);
  // The code of the set-up is used up.
  server.advance(stepMs);
  return { server, ada, createAccount };
}

const enterCode = (
  server: TestServer,
  cookie: string | undefined,
  code: string,
  method = 'authenticator_app',
): Promise<TestResponse> =>
  server.call('POST /api/auth/sign-in/second-factor', {
    body: { method, code },
    headers: cookie === undefined ? {} : { cookie },
  });

/** Returns the person with the session of a response. */
function signedIn(person: Person, { status, headers, text }: TestResponse): Person {
  assert.equal(status, 200, text);
  const token = new RegExp(`^${sessionCookie}=([^;]+)`).exec(String(headers['set-cookie']))?.[1] ?? '';
  return { ...person, token };
}

const statusOf = async (server: TestServer, as: Person): Promise<number> =>
  (await server.call('GET /api/auth/get-session', { as })).status;

/** Returns the six digits of a code that is wrong in every accepted step. */
function wrongCodeOf(server: TestServer, secret: string): string {
  const accepted = [-30, 0, 30].map((laterS) => codeOf(server, secret, laterS));
  return ['000000', '111111', '222222', '333333'].find((code) => !accepted.includes(code)) ?? '';
}

describeOnUsualEngine('signing in with a second factor', (engine) => {
  test('takes the password, and then a code from the app', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { response, cookie } = await enterPassword(server, ada.person, password);
    assert.deepEqual(problemOf(response), { status: 403, code: 'second_factor_required' });
    assert.deepEqual(response.body.methods, ['authenticator_app', 'recovery_code']);
    assert.match(
      String(response.headers['set-cookie']),
      /^atrium\.second_step=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
    );
    const completed = await enterCode(server, cookie, codeOf(server, ada.secret));
    const session = signedIn(ada.person, completed);
    assert.deepEqual(completed.body.user.id, ada.person.id);
    assert.equal(await statusOf(server, session), 200);

    const { body } = await server.call(
      `GET /api/organizations/${ada.organizationId}/audit?action=sign_in.succeeded`,
      { as: session },
    );
    assert.deepEqual(body.items[0].details, {
      method: 'password',
      email: ada.person.email,
      secondFactor: 'authenticator_app',
      address: '127.0.0.1',
    });
    assert.deepEqual(await server.database.all(allPending, {}), []);
  });

  test('accepts the codes of three time steps, with spaces, and each only once', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    server.advance(2 * stepMs);
    const enter = async (code: string) =>
      enterCode(server, (await enterPassword(server, ada.person, password)).cookie, code);
    assert.deepEqual(problemOf(await enter(codeOf(server, ada.secret, -60))), wrongCode);
    assert.deepEqual(problemOf(await enter(codeOf(server, ada.secret, 60))), wrongCode);
    const code = codeOf(server, ada.secret, -30);
    assert.equal((await enter(`${code.slice(0, 3)} ${code.slice(3)}`)).status, 200);
    assert.deepEqual(problemOf(await enter(code)), wrongCode, 'a replayed code');
    assert.equal((await enter(codeOf(server, ada.secret, 30))).status, 200);
    assert.deepEqual(
      problemOf(await enter(codeOf(server, ada.secret))),
      wrongCode,
      'a code from before the last one',
    );
    server.advance(2 * stepMs);
    assert.equal((await enter(codeOf(server, ada.secret))).status, 200);
  });

  test('accepts a code once, even if it is sent twice at the same time', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const cookies = await Promise.all(
      [1, 2, 3].map(async () => (await enterPassword(server, ada.person, password)).cookie),
    );
    const code = codeOf(server, ada.secret);
    const responses = await Promise.all(cookies.map((cookie) => enterCode(server, cookie, code)));
    assert.deepEqual(responses.map(({ status }) => String(status)).toSorted(), ['200', '401', '401']);
  });

  test('accepts a recovery code once, however it is typed, and reports it by email', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const [first = ''] = ada.recoveryCodes;
    assert.deepEqual(
      [new Set(ada.recoveryCodes).size, /^[0-9a-z]{5}(-[0-9a-z]{5}){3}$/.test(first)],
      [10, true],
    );
    const enter = async (code: string) =>
      enterCode(server, (await enterPassword(server, ada.person, password)).cookie, code, 'recovery_code');
    const session = signedIn(ada.person, await enter(first.toUpperCase().replaceAll('-', ' ')));
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [to, subject]),
      [[ada.person.email, 'A recovery code was used to sign in to Atrium']],
    );
    assert.match(server.mails[0]?.text ?? '', /Recovery codes left: 9\./);
    assert.deepEqual(problemOf(await enter(first)), wrongCode);
    const { body } = await server.call('GET /api/auth/second-factors', { as: session });
    assert.equal(body.recoveryCodes, 9);
  });

  test('needs the browser that entered the password, within ten minutes', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { cookie } = await enterPassword(server, ada.person, password);
    const code = codeOf(server, ada.secret);
    assert.deepEqual(problemOf(await enterCode(server, undefined, code)), expired);
    assert.deepEqual(
      problemOf(await enterCode(server, `atrium.second_step=${'x'.repeat(43)}`, code)),
      expired,
    );
    assert.deepEqual(problemOf(await enterCode(server, `${cookie}; ${cookie}`, code)), expired, 'sent twice');
    server.advance(minutesMs(10));
    assert.deepEqual(problemOf(await enterCode(server, cookie, codeOf(server, ada.secret))), expired);
    await sweepPendingSignIns(server.database, server.clock);
    assert.deepEqual(await server.database.all(allPending, {}), []);
  });

  test('gives access to nothing before the second factor', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { cookie } = await enterPassword(server, ada.person, password);
    const token = cookie.split('=')[1] ?? '';
    assert.equal(await statusOf(server, { ...ada.person, token }), 401);
    assert.equal(await statusOf(server, { ...ada.person, token, isBearer: true }), 401);
    const { status } = await server.call('GET /api/auth/account', { headers: { cookie } });
    assert.equal(status, 401);
  });

  test('never accepts the second factor of another account', async (context) => {
    const { server, ada, createAccount } = await startOffice(context, engine);
    const eve = await createAccount('Eve');
    const { cookie } = await enterPassword(server, ada.person, password);
    server.advance(stepMs);
    assert.deepEqual(problemOf(await enterCode(server, cookie, codeOf(server, eve.secret))), wrongCode);
    const [own = ''] = eve.recoveryCodes;
    assert.deepEqual(problemOf(await enterCode(server, cookie, own, 'recovery_code')), wrongCode);
    const { cookie: hers } = await enterPassword(server, eve.person, password);
    assert.equal((await enterCode(server, hers, own, 'recovery_code')).status, 200, 'it was not used up');
  });

  test('ends after five wrong codes, which is recorded and reported by email', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { cookie } = await enterPassword(server, ada.person, password);
    const wrong = wrongCodeOf(server, ada.secret);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      assert.deepEqual(problemOf(await enterCode(server, cookie, wrong)), wrongCode, `${attempt}`);
    }
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [to, subject]),
      [[ada.person.email, 'Someone entered your Atrium password and wrong codes']],
    );
    assert.deepEqual(problemOf(await enterCode(server, cookie, codeOf(server, ada.secret))), expired);
    const path = `/api/organizations/${ada.organizationId}/audit`;
    const { body } = await server.call(`GET ${path}?action=sign_in.refused`, { as: ada.person });
    assert.deepEqual(
      [body.items.length, body.items[0].details],
      [
        5,
        {
          code: 'wrong_second_factor',
          message: 'The password is correct, but the second factor is incorrect or was already used.',
          address: '127.0.0.1',
          email: ada.person.email,
        },
      ],
    );
  });

  test('allows few guesses from anywhere, which never block a recovery code', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const guess = async () => {
      const { cookie } = await enterPassword(server, ada.person, password);
      return enterCode(server, cookie, wrongCodeOf(server, ada.secret));
    };
    for (let count = 0; count < 10; count += 1) assert.deepEqual(problemOf(await guess()), wrongCode);
    const { cookie } = await enterPassword(server, ada.person, password);
    const blocked = await enterCode(server, cookie, codeOf(server, ada.secret));
    assert.deepEqual(problemOf(blocked), { status: 429, code: 'too_many_attempts' });
    const [recoveryCode = ''] = ada.recoveryCodes;
    assert.equal((await enterCode(server, cookie, recoveryCode, 'recovery_code')).status, 200);
    server.advance(minutesMs(15));
    const again = await enterPassword(server, ada.person, password);
    assert.equal((await enterCode(server, again.cookie, codeOf(server, ada.secret))).status, 200);
  });

  test('reveals the second factor only to people who know the password', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const withoutFactor = await server.createPerson('Bob');
    await setPassword(server, withoutFactor, password);
    const responses = await Promise.all(
      [ada.person.email, withoutFactor.email, 'nobody@example.com'].map((email) =>
        server.call('POST /api/auth/sign-in/email', { body: { email, password: 'a wrong password' } }),
      ),
    );
    const [first, ...others] = responses.map(({ status, headers, body: { requestId: _, ...body } }) => ({
      status,
      cookie: headers['set-cookie'],
      body,
    }));
    assert.equal(first?.status, 401);
    for (const other of others) assert.deepEqual(other, first);
  });

  test('is ended by a change of the password, by a reset of it, and by disabling the account', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const next = 'another horse battery';
    const { cookie } = await enterPassword(server, ada.person, password);
    const changed = await server.call('POST /api/auth/change-password', {
      as: ada.person,
      body: { currentPassword: password, newPassword: next },
    });
    assert.equal(changed.status, 200);
    assert.deepEqual(problemOf(await enterCode(server, cookie, codeOf(server, ada.secret))), expired);

    const { cookie: second } = await enterPassword(server, ada.person, next);
    await server.call('POST /api/auth/request-password-reset', { body: { email: ada.person.email } });
    await finishAfterResponses(server.app.server);
    const token = /#([\w-]{43})/.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? '';
    const reset = await server.call('POST /api/auth/reset-password', {
      body: { token, newPassword: password },
    });
    assert.equal(reset.status, 200);
    assert.deepEqual(problemOf(await enterCode(server, second, codeOf(server, ada.secret))), expired);
    const { response, cookie: third } = await enterPassword(server, ada.person, password);
    assert.equal(response.status, 403, 'a reset removes no second factor');

    await server.database.write((transaction) =>
      transaction.execute(`update users set disabled_at = 'now' where id = '${ada.person.id}'`),
    );
    assert.deepEqual(problemOf(await enterCode(server, third, codeOf(server, ada.secret))), {
      status: 403,
      code: 'sign_in_refused',
    });
  });
});
