import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anId,
  at,
  weekLater,
  password,
  remove,
  membersOf,
  invite,
  accept,
  readInvitation,
  signUp,
  listInvitations,
  statusesOf,
  linkNotValid,
  forbidden,
  alreadyMember,
} from '../../../../tests/support/organizations/calls.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Person,
} from '../../../../tests/support/server/test-server.ts';

describeOnBothEngines('the acceptance of invitations', (engine) => {
  test('an account with the address can accept it once', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email.toUpperCase(), 'admin');
    assert.equal((await readInvitation(server, token)).body.hasAccount, true);
    const { status, body } = await accept(server, bob, token);
    const organization = {
      id,
      name: 'Organization',
      timeZone: 'UTC',
      weekStart: 'monday',
      locale: 'auto',
      currency: 'XXX',
      accentColor: '#3b59b4',
      chartColors: [],
      role: 'admin',
      createdAt: at,
      updatedAt: at,
    };
    assert.deepEqual({ status, body }, { status: 200, body: organization });
    assert.deepEqual(await membersOf(server, bob, id), [`admin ${bob.email}`, `owner ${ada.email}`]);
    assert.deepEqual((await listInvitations(server, ada, id)).body, { items: [] });
    assert.deepEqual(problemOf(await accept(server, bob, token)), linkNotValid);
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
  });

  test('an account with another address cannot accept it, and the invitation stays open', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const eve = await server.createPerson('Eve');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email);
    assert.deepEqual(problemOf(await accept(server, eve, token)), forbidden);
    assert.deepEqual(problemOf(await accept(server, ada, token)), forbidden);
    assert.deepEqual(problemOf(await server.call('POST /api/invitations/accept', { body: { token } })), {
      status: 401,
      code: 'unauthenticated',
    });
    assert.equal((await server.call(`GET /api/organizations/${id}`, { as: eve })).status, 404);
    assert.equal((await accept(server, bob, token)).status, 200);
  });

  test('someone who became a member in the meantime gets an error', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email, 'owner');
    await server.addMember(id, bob, 'viewer');
    assert.deepEqual(problemOf(await accept(server, bob, token)), alreadyMember);
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`, `viewer ${bob.email}`]);
  });

  test('a new account from a link is a member and signed in', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_PUBLIC_URL: 'https://atrium.example' });
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, 'bob@example.com', 'editor');
    const { status, headers, body } = await signUp(server, token, 'Bob \u{1F600}');
    const { user, session } = body;
    assert.match(user.id, anId);
    assert.match(session.id, anId);
    assert.deepEqual(
      { status, body },
      {
        status: 201,
        body: {
          user: { id: user.id, email: 'bob@example.com', name: 'Bob \u{1F600}' },
          session: {
            id: session.id,
            method: 'invitation',
            createdAt: at,
            lastUsedAt: at,
            expiresAt: weekLater,
            userAgent: 'lightMyRequest',
            address: '127.0.0.1',
          },
        },
      },
    );
    const [, cookie = ''] =
      /^auth\.session_token=([\w-]{43}); Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/.exec(
        String(headers['set-cookie']),
      ) ?? [];
    const bob: Person = { id: user.id, email: user.email, token: cookie };
    assert.deepEqual((await server.call('GET /api/auth/get-session', { as: bob })).body, body);
    assert.deepEqual(await membersOf(server, bob, id), ['editor bob@example.com', `owner ${ada.email}`]);
    const signedIn = await server.call('POST /api/auth/sign-in/email', {
      body: { email: 'Bob@example.com', password },
    });
    assert.equal(signedIn.status, 200);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
  });

  test('people with an account sign in to accept, and their password stays the same', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email);
    const response = await signUp(server, token);
    assert.deepEqual(problemOf(response), { status: 409, code: 'account_exists' });
    assert.equal(response.headers['set-cookie'], undefined);
    const body = { email: bob.email, password };
    assert.equal((await server.call('POST /api/auth/sign-in/email', { body })).status, 401);
    assert.equal((await accept(server, bob, token)).status, 200);
  });

  test('a sign-up without a name or a long enough password leaves the invitation open', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const { token } = await invite(server, ada, await server.createOrganization(ada), 'bob@example.com');
    const response = await server.call('POST /api/invitations/sign-up', {
      body: { token, name: '', password: 'x'.repeat(11), email: 'eve@example.com', role: 'owner' },
    });
    assert.deepEqual(problemOf(response), {
      status: 400,
      code: 'invalid_body',
      faults: ['/email unknown', '/name minLength', '/password minLength', '/role unknown'],
    });
    assert.equal((await signUp(server, token)).body.user.email, 'bob@example.com');
  });

  test('an address can be invited to several organizations at a time', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve, bob] = await Promise.all(['Ada', 'Eve', 'Bob'].map((name) => server.createPerson(name)));
    assert.ok(ada && eve && bob);
    const [one, other] = [await server.createOrganization(ada), await server.createOrganization(eve)];
    const links = [await invite(server, ada, one, bob.email), await invite(server, eve, other, bob.email)];
    for (const { token } of links) assert.equal((await accept(server, bob, token)).status, 200);
    const { body } = await server.call('GET /api/organizations', { as: bob });
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      [one, other].toSorted(),
    );
  });

  test('only one of twenty simultaneous acceptances of an invitation succeeds', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    for (let round = 0; round < 3; round += 1) {
      const id = await server.createOrganization(ada);
      const { token } = await invite(server, ada, id, bob.email);
      const responses = await Promise.all(Array.from({ length: 20 }, () => accept(server, bob, token)));
      assert.deepEqual(statusesOf(responses), [200, ...Array(19).fill(404)]);
      for (const response of responses) {
        if (response.status !== 200) assert.deepEqual(problemOf(response), linkNotValid);
      }
      assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`, `viewer ${bob.email}`]);
    }
  });

  test('only one of ten simultaneous sign-ups with a link succeeds', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, 'bob@example.com');
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => signUp(server, token, `Bob ${index}`)),
    );
    const losers = responses.filter(({ status }) => status !== 201);
    assert.equal(losers.length, 9);
    for (const response of losers) {
      assert.ok(['link_not_valid', 'account_exists'].includes(problemOf(response).code), response.text);
    }
    const created = responses.find(({ status }) => status === 201);
    const { body } = await server.call(`GET /api/organizations/${id}/members`, { as: ada });
    assert.deepEqual(
      body.items.map(({ name }: { name: string }) => name),
      ['Ada', created?.body.user.name],
    );
  });

  test('an invitation is accepted or revoked, never both', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    for (let round = 0; round < 10; round += 1) {
      const id = await server.createOrganization(ada);
      const { token, body } = await invite(server, ada, id, bob.email);
      const [accepted, revoked] = await Promise.all([
        accept(server, bob, token),
        server.call(`DELETE /api/organizations/${id}/invitations/${body.id}`, { as: ada }),
      ]);
      assert.ok(accepted && revoked);
      const isMember = (await server.call(`GET /api/organizations/${id}`, { as: bob })).status === 200;
      assert.deepEqual([accepted.status, revoked.status], isMember ? [200, 404] : [404, 204]);
    }
  });

  test('an invitation is accepted or replaced, never both', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    for (let round = 0; round < 20; round += 1) {
      const id = await server.createOrganization(ada);
      const { token } = await invite(server, ada, id, bob.email);
      const responses = await Promise.all([accept(server, bob, token), invite(server, ada, id, bob.email)]);
      const { body } = await listInvitations(server, ada, id);
      const seen = [...responses.map(({ status }) => status), body.items.length].join(' ');
      assert.ok(['200 409 0', '404 201 1'].includes(seen), seen);
    }
  });

  test('a removed member cannot join again with a used link', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, 'bob@example.com');
    const { body, headers } = await signUp(server, token);
    assert.match(String(headers['set-cookie']), /HttpOnly; SameSite=Lax$/);
    assert.equal((await remove(server, ada, id, body.user.id)).status, 204);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`]);
  });
});
