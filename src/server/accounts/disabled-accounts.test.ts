import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invite, linkNotValid, readInvitation, signUp } from '../../../tests/support/organizations/calls.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';
import { disableAccount, enableAccount } from './disabled-accounts.ts';

const password = 'the password of Ada';

describeOnUsualEngine('a disabled account', (engine) => {
  test('has no session, gets none, and leaves what it owns', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const bob = await server.createPerson('Bob');
    await setPassword(server, ada, password);
    const organizationId = await server.createOrganization(ada);
    await server.addMember(organizationId, bob, 'admin');
    const other = await server.createSsoSession(ada, organizationId);
    const signIn = () =>
      server.call('POST /api/auth/sign-in/email', { body: { email: ada.email, password } });
    const codes = await server.call(`POST /api/sso/orgs/${organizationId}/recovery-codes`, { as: ada });
    const [code] = codes.body.items;

    const { database, clock } = server;
    assert.equal(await disableAccount(database, clock, ada.id), 2);
    assert.equal(await disableAccount(database, clock, ada.id), undefined);
    for (const as of [ada, other])
      assert.equal((await server.call('GET /api/auth/get-session', { as })).status, 401);
    const refusal = { status: 403, code: 'sign_in_refused' };
    assert.deepEqual(problemOf(await signIn()), refusal);
    const recovery = { body: { email: ada.email, code } };
    assert.deepEqual(problemOf(await server.call('POST /api/auth/sign-in/recovery', recovery)), refusal);
    await assert.rejects(server.createSsoSession(ada, organizationId), /This account is disabled/);
    // Someone who doesn't know the password learns nothing.
    const wrong = await server.call('POST /api/auth/sign-in/email', {
      body: { email: ada.email, password: 'a wrong password' },
    });
    assert.deepEqual(problemOf(wrong), { status: 401, code: 'invalid_credentials' });
    const members = await server.call(`GET /api/organizations/${organizationId}/members`, { as: bob });
    assert.equal(members.body.items.length, 2);

    assert.equal(await enableAccount(database, clock, ada.id), true);
    assert.equal(await enableAccount(database, clock, ada.id), false);
    assert.equal((await signIn()).status, 200);
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: bob });
    assert.deepEqual(
      audit.body.items
        .filter(({ action }: { action: string }) => /^account\.(dis|en)abled$/.test(action))
        .map(({ action, actorId, details }: { action: string; actorId?: string; details: object }) => [
          action,
          actorId,
          details,
        ]),
      [
        ['account.enabled', undefined, { userId: ada.id, email: ada.email }],
        ['account.disabled', undefined, { userId: ada.id, email: ada.email, endedSessions: 2 }],
      ],
    );
  });

  test('does not return through its invitations', async (context) => {
    const server = await startTestServer(context, engine);
    const { database, clock } = server;
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const eve = await server.createMember(id, 'admin');
    const { token } = await invite(server, eve, id, 'eve.again@example.com', 'admin');
    await disableAccount(database, clock, eve.id);
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
    await enableAccount(database, clock, eve.id);
    assert.equal((await signUp(server, token)).status, 201);
  });
});
