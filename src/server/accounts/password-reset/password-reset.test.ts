import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { hoursMs } from '../../base/clock.ts';
import { hashToken } from '../../base/credentials/tokens.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { addVerifiedDomain } from '../../../../tests/support/sso/verified-domain.ts';
import { setSsoRequirement } from '../../organizations/organizations.ts';
import { createUser } from '../../organizations/users.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { createPasswordReset, sweepPasswordResets } from './password-reset.ts';

const [old, fresh] = ['the old password', 'the fresh password'];
const nothingElse = { endedTokens: 0, endedDisplayLinks: 0 };
const linkNotValid = { status: 404, code: 'link_not_valid' };
const allResets = prepare((sql) => sql.selectFrom('password_resets').selectAll());

/** Requests a link, and returns the response once its email is sent. */
async function request(server: TestServer, email: string, headers = {}): Promise<TestResponse> {
  const response = await server.call('POST /api/auth/request-password-reset', { body: { email }, headers });
  await finishAfterResponses(server.app.server);
  return response;
}

const reset = (server: TestServer, token: string, newPassword = fresh): Promise<TestResponse> =>
  server.call('POST /api/auth/reset-password', { body: { token, newPassword } });

const signIn = (server: TestServer, { email }: Person, password: string): Promise<TestResponse> =>
  server.call('POST /api/auth/sign-in/email', { body: { email, password } });

const statusOf = async (server: TestServer, as: Person): Promise<number> =>
  (await server.call('GET /api/auth/get-session', { as })).status;

/** Returns the token in the last email. */
const mailedToken = ({ mails }: TestServer): string =>
  /\nhttp:\/\/localhost:3000\/reset-password#([\w-]{43})\n/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';

/** A server with a mail server, and Ada, who has a password. */
async function startOffice(...start: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...start);
  server.mailServer.state = 'accepts';
  const ada = await server.createPerson('Ada');
  await setPassword(server, ada, old);
  return { server, ada };
}

describeOnUsualEngine('the reset of a password', (engine) => {
  test('with an emailed link sets a new password, ends every session, and is reported by email', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const [own, other] = [await server.createOrganization(ada), await server.createOrganization(ada)];
    const scoped = await server.createSsoSession(ada, own);
    const eve = await server.createPerson('Eve');
    assert.deepEqual((await request(server, ` ${ada.email.toUpperCase()}`)).body, { sendsMail: true });
    assert.deepEqual([server.mails.length, server.mails[0]?.to], [1, ada.email]);
    const token = mailedToken(server);
    const rows = await server.database.all(allResets, {});
    assert.deepEqual(
      rows.map(({ token_hash, user_id, expires_at }) => [token_hash, user_id, expires_at]),
      [[hashToken(token), ada.id, '2026-11-21T10:00:00.000Z']],
    );
    assert.equal(await statusOf(server, ada), 200, 'asking ends nothing');

    const response = await reset(server, token);
    assert.deepEqual([response.status, response.body], [200, { endedSessions: 2, ...nothingElse }]);
    assert.equal(response.headers['set-cookie'], undefined, 'it signs nobody in');
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      [await statusOf(server, ada), await statusOf(server, scoped), await statusOf(server, eve)],
      [401, 401, 200],
    );
    assert.deepEqual(
      [(await signIn(server, ada, old)).status, (await signIn(server, ada, fresh)).status],
      [401, 200],
    );
    assert.deepEqual(problemOf(await reset(server, token)), linkNotValid);
    const { to, subject } = server.mails.at(-1) ?? {};
    assert.deepEqual([server.mails.length, to, subject], [2, ada.email, 'Your Atrium password was changed']);
    for (const organizationId of [own, other]) {
      const owner = await server.createSsoSession(ada, organizationId);
      const audit = await server.call(
        `GET /api/organizations/${organizationId}/audit?action=account.password_reset`,
        { as: owner },
      );
      assert.deepEqual(
        audit.body.items.map(({ actorId, details }: { actorId: string; details: object }) => [
          actorId,
          details,
        ]),
        [[ada.id, { email: ada.email, endedSessions: 2, ...nothingElse }]],
      );
    }
    for (const text of server.log) assert.ok(!text.includes(token) && !text.includes(fresh), text);
  });

  test('returns the same whether or not the account exists, and whether or not the email is sent', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const responses: TestResponse[] = [];
    for (const state of ['accepts', 'refuses'] as const) {
      server.mailServer.state = state;
      for (const email of [ada.email, 'nobody@example.com']) responses.push(await request(server, email));
    }
    assert.deepEqual(
      responses.map(({ status, text }) => [status, text]),
      responses.map(() => [200, '{"sendsMail":true}']),
    );
    assert.deepEqual(
      server.mails.map(({ to }) => to),
      [ada.email, ada.email],
    );
    server.mailServer.state = 'none';
    assert.deepEqual((await request(server, ada.email)).body, { sendsMail: false });
    assert.equal(server.mails.length, 2);
  });

  test('accepts only the latest link, for an hour, and once', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    await request(server, ada.email);
    const first = mailedToken(server);
    await request(server, ada.email);
    const second = mailedToken(server);
    assert.notEqual(first, second);
    assert.deepEqual(problemOf(await reset(server, first)), linkNotValid);
    server.advance(hoursMs(1) - 1);
    assert.deepEqual(problemOf(await reset(server, second, 'passwordpassword')), {
      status: 400,
      code: 'invalid_body',
      faults: ['/newPassword repeated_password'],
    });
    assert.deepEqual(problemOf(await reset(server, second, ada.email)), {
      status: 400,
      code: 'invalid_body',
      faults: ['/newPassword own_address'],
    });
    server.advance(1);
    assert.deepEqual(problemOf(await reset(server, second)), linkNotValid);
    await sweepPasswordResets(server.database, () => Date.UTC(2026, 10, 21, 10));
    assert.deepEqual(await server.database.all(allResets, {}), []);
    await request(server, ada.email);
    const attempts = await Promise.all(
      ['one new password', 'other new password'].map((password) =>
        reset(server, mailedToken(server), password),
      ),
    );
    assert.deepEqual(
      attempts.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404],
    );
    for (const token of ['', 'x', 'x'.repeat(43), hashToken(second), '%', `' or 1=1 --`]) {
      assert.deepEqual(problemOf(await reset(server, token)), linkNotValid);
    }
  });

  test('is no longer possible with a link from before a password change', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    await request(server, ada.email);
    const token = mailedToken(server);
    const body = { currentPassword: old, newPassword: 'another horse battery' };
    assert.equal((await server.call('POST /api/auth/change-password', { as: ada, body })).status, 200);
    assert.deepEqual(problemOf(await reset(server, token)), linkNotValid);
  });

  test('is not for people who sign in through a directory: their email has no link', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const organizationId = await server.createOrganization(ada);
    const withoutPassword = await server.createPerson('Bob');
    const { email } = await server.database.write((transaction) =>
      createUser(transaction, Date.now, {
        email: 'cyd@contoso.test',
        name: 'Cyd',
        passwordHash: null,
        organizationId,
      }),
    );
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    // Until it has verified the domain, it must not lock people out of the rest of their account.
    await request(server, ada.email);
    assert.notEqual(mailedToken(server), '');
    await server.database.write((transaction) => transaction.execute('delete from password_resets'));
    await addVerifiedDomain(server, organizationId);
    for (const to of [ada.email, withoutPassword.email, email]) {
      assert.deepEqual((await request(server, to)).body, { sendsMail: true });
      assert.deepEqual([server.mails.at(-1)?.to, mailedToken(server)], [to, '']);
      assert.match(server.mails.at(-1)?.text ?? '', /You sign in through your organization’s directory/);
    }
    assert.deepEqual(await server.database.all(allResets, {}), []);
    // A link from before does not get around the requirement either.
    const token = await server.database.write((transaction) =>
      createPasswordReset(transaction, () => Date.UTC(2026, 10, 21, 9), ada.id),
    );
    assert.equal((await reset(server, token)).status, 200);
    assert.deepEqual(problemOf(await signIn(server, ada, fresh)), { status: 403, code: 'sso_required' });
  });

  test('is limited by email address, with or without an account, and by client address', async (context) => {
    const { server, ada } = await startOffice(context, engine, { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' });
    const tooMany = { status: 429, code: 'too_many_attempts' };
    for (const email of [ada.email, 'nobody@example.com']) {
      for (let count = 0; count < 10; count += 1) {
        const from = { 'x-forwarded-for': `198.51.100.${count}` };
        assert.equal((await request(server, email, from)).status, 200);
      }
      assert.deepEqual(
        problemOf(await request(server, email, { 'x-forwarded-for': '198.51.100.99' })),
        tooMany,
      );
    }
    assert.equal(server.mails.length, 10);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    for (let count = 0; count < 50; count += 1) {
      const body = { email: `nobody${count}@example.com` };
      await server.call('POST /api/auth/request-password-reset', { body, headers: from });
    }
    assert.deepEqual(problemOf(await request(server, 'somebody@example.com', from)), tooMany);
    for (let count = 0; count < 50; count += 1) assert.equal((await reset(server, 'x')).status, 404);
    assert.deepEqual(problemOf(await reset(server, 'x')), tooMany);
  });
});
