import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursMs } from '../base/clock.ts';
import { finishAfterResponses } from '../http/response/after-response.ts';
import { createUser } from '../organizations/users.ts';
import { startSession } from '../sessions/sessions.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';

const [old, fresh] = ['the old password', 'the fresh password'];

const change = (server: TestServer, as: Person, body: object = {}): Promise<TestResponse> =>
  server.call('POST /api/auth/change-password', {
    as,
    body: { currentPassword: old, newPassword: fresh, ...body },
  });

const signIn = (server: TestServer, { email }: Person, password: string): Promise<TestResponse> =>
  server.call('POST /api/auth/sign-in/email', { body: { email, password } });

const statusOf = async (server: TestServer, as: Person): Promise<number> =>
  (await server.call('GET /api/auth/get-session', { as })).status;

describeOnUsualEngine('an account', (engine) => {
  test('can be renamed by its owner', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const user = { id: ada.id, email: ada.email, name: 'Ada Lovelace' };
    const response = await server.call('POST /api/auth/update-user', { as: ada, body: { name: user.name } });
    assert.deepEqual([response.status, response.body], [200, user]);
    const account = await server.call('GET /api/auth/account', { as: ada });
    assert.deepEqual(account.body, {
      user,
      hasPassword: false,
      secondFactors: [],
      isManagedByDirectory: false,
      mayCreateOrganizations: false,
      commentMails: true,
    });
    const bad = await server.call('POST /api/auth/update-user', { as: ada, body: { name: 'two\nlines' } });
    assert.deepEqual(problemOf(bad), { status: 400, code: 'invalid_body', faults: ['/name pattern'] });
  });

  test('changes its password with the current one, ends its other sessions, and returns how many', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    await setPassword(server, ada, old);
    const timedOut = await server.createSsoSession(ada, organizationId);
    server.advance(hoursMs(11));
    assert.equal(await statusOf(server, ada), 200);
    const elsewhere = await server.createSsoSession(ada, organizationId);
    const eve = await server.createPerson('Eve');
    server.advance(hoursMs(1));

    const changed = await change(server, ada);
    assert.deepEqual([changed.status, changed.body], [200, { endedSessions: 1 }]);
    assert.deepEqual(
      [await statusOf(server, ada), await statusOf(server, eve), await statusOf(server, elsewhere)],
      [200, 200, 401],
    );
    assert.equal(await statusOf(server, timedOut), 401);
    assert.deepEqual(
      [(await signIn(server, ada, old)).status, (await signIn(server, ada, fresh)).status],
      [401, 200],
    );
    assert.deepEqual(server.mails, [], 'there is no mail server');
    server.mailServer.state = 'accepts';
    const again = await change(server, ada, { currentPassword: fresh, newPassword: old });
    assert.deepEqual([again.status, again.body], [200, { endedSessions: 1 }]);
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [to, subject]),
      [[ada.email, 'Your Atrium password was changed']],
    );

    const audit = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=account.password_changed`,
      { as: ada },
    );
    assert.deepEqual(
      audit.body.items.map(({ actorId, details }: { actorId: string; details: object }) => [
        actorId,
        details,
      ]),
      [1, 1].map((endedSessions) => [ada.id, { email: ada.email, endedSessions }]),
    );
    assert.ok(!server.log.join('').includes(fresh) && !audit.text.includes(fresh));
  });

  test('accepts one of two simultaneous changes with the same password', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, old);
    const responses = await Promise.all([change(server, ada), change(server, ada)]);
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200, 401]));
  });

  test('ends every session that was started with the old password, even at the same time', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    for (let round = 0; round < 5; round += 1) {
      await setPassword(server, ada, old);
      const progress = { isChanged: false };
      const changing = change(server, ada).finally(() => {
        progress.isChanged = true;
      });
      const begun: TestResponse[] = [];
      while (!progress.isChanged)
        begun.push(...(await Promise.all([1, 2].map(() => signIn(server, ada, old)))));
      assert.equal((await changing).status, 200);
      for (const { status, headers } of begun) {
        if (status !== 200) continue;
        const token = /=([\w-]{43});/.exec(String(headers['set-cookie']))?.[1] ?? '';
        assert.equal(await statusOf(server, { ...ada, token }), 401);
      }
    }
  });

  test('refuses a password that is common, repeated or its own address', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, old);
    for (const [newPassword, code] of [
      ['passwordpassword', 'repeated_password'],
      ['Password2026!', 'common_password'],
      [ada.email, 'own_address'],
    ]) {
      assert.deepEqual(problemOf(await change(server, ada, { newPassword })), {
        status: 400,
        code: 'invalid_body',
        faults: [`/newPassword ${code}`],
      });
    }
    assert.equal((await signIn(server, ada, old)).status, 200);
  });

  test('reports every fault of a password', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, old);
    const response = await change(server, ada, { currentPassword: 1, newPassword: 'short' });
    assert.deepEqual(problemOf(response), {
      status: 400,
      code: 'invalid_body',
      faults: ['/currentPassword type', '/newPassword minLength'],
    });
  });

  test('prevents guessing its password in a session left open', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    await setPassword(server, ada, old);
    // Members that take the place of what the guesses are counted by are refused.
    const more = { currentPassword: 'a guess', email: 'e@example.com', address: '192.0.2.1', refusal: 'x' };
    const unknown = await change(server, ada, more);
    assert.deepEqual(
      unknown.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/email', 'unknown'],
        ['/address', 'unknown'],
        ['/refusal', 'unknown'],
      ],
    );
    for (let guess = 0; guess < 10; guess += 1) {
      assert.deepEqual(problemOf(await change(server, ada, { currentPassword: 'a guess' })), {
        status: 401,
        code: 'invalid_credentials',
      });
    }
    assert.deepEqual(problemOf(await change(server, ada)), { status: 429, code: 'too_many_attempts' });
    assert.equal((await signIn(server, ada, old)).status, 429);
    const { body } = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=sign_in.refused`,
      { as: ada },
    );
    assert.ok(body.items.length > 0);
    assert.equal(body.items[0].details.code, 'wrong_password');
  });

  test('that signs in only through a directory has no password, and gets none', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    assert.deepEqual(problemOf(await change(server, ada)), { status: 403, code: 'forbidden' });
  });

  test('cannot be changed in a session obtained through a directory', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    await setPassword(server, ada, old);
    const scoped = await server.createSsoSession(ada, organizationId);
    assert.deepEqual(problemOf(await change(server, scoped)), { status: 403, code: 'forbidden' });
    const renamed = await server.call('POST /api/auth/update-user', { as: scoped, body: { name: 'Eve' } });
    assert.deepEqual(problemOf(renamed), { status: 403, code: 'forbidden' });
    assert.equal((await server.call('POST /api/auth/revoke-other-sessions', { as: scoped })).status, 204);
    assert.equal(await statusOf(server, ada), 200, 'it sees no other session, and ends none');
    assert.equal((await signIn(server, ada, old)).status, 200);
  });

  test('that a directory manages is changed there', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const { token, user } = await server.database.write(async (transaction) => {
      const fields = { email: 'bob@contoso.test', name: 'Bob', passwordHash: null, organizationId };
      const created = await createUser(transaction, Date.now, fields);
      return startSession(transaction, () => Date.UTC(2026, 10, 21, 9), created, { method: 'operator' });
    });
    const bob = { ...user, token };
    const renamed = await server.call('POST /api/auth/update-user', { as: bob, body: { name: 'Robert' } });
    assert.deepEqual(problemOf(renamed), { status: 403, code: 'forbidden' });
    const account = await server.call('GET /api/auth/account', { as: bob });
    assert.deepEqual(account.body, {
      user,
      hasPassword: false,
      secondFactors: [],
      isManagedByDirectory: true,
      mayCreateOrganizations: false,
      commentMails: true,
    });
  });

  test('ends its own other sessions only', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const elsewhere = await server.createSsoSession(ada, await server.createOrganization(ada));
    assert.equal((await server.call('POST /api/auth/revoke-other-sessions', { as: ada })).status, 204);
    assert.deepEqual(
      [await statusOf(server, ada), await statusOf(server, elsewhere), await statusOf(server, eve)],
      [200, 401, 200],
    );
  });
});
