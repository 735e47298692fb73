import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles } from '#shared/permissions.ts';
import {
  anId,
  at,
  secondsLater,
  weekLater,
  password,
  touches,
  remove,
  invite,
  accept,
  readInvitation,
  signUp,
  listInvitations,
  pagesOf,
  inPages,
  statusesOf,
  notFound,
  linkNotValid,
  forbidden,
  alreadyMember,
} from '../../../../tests/support/organizations/calls.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
} from '../../../../tests/support/server/test-server.ts';
import { makeOperator } from '../../../../tests/support/organizations/operators.ts';
import { daysMs } from '../../base/clock.ts';
import { prepare } from '../../storage/prepared-query.ts';

const allInvitations = prepare((sql) => sql.selectFrom('invitations').selectAll());

describeOnUsualEngine('invitations', (engine) => {
  test('an invitation shows its link once if no mail server is configured', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await makeOperator(server, ada);
    const { body: organization } = await server.call('POST /api/organizations', {
      as: ada,
      body: { name: 'Acme Bcc: eve@example.com' },
    });
    const { status, body, token } = await invite(server, ada, organization.id, ' Bob@EXAMPLE.com ', 'editor');
    assert.match(body.id, anId);
    assert.match(token, /^[\w-]{43}$/);
    const open = {
      id: body.id,
      email: 'bob@example.com',
      role: 'editor',
      createdAt: at,
      expiresAt: weekLater,
    };
    const link = `http://localhost:3000/invitation#${token}`;
    assert.deepEqual({ status, body }, { status: 201, body: { ...open, link, mailed: false } });
    assert.deepEqual((await listInvitations(server, ada, organization.id)).body, { items: [open] });
    assert.deepEqual(server.mails, []);
    const read = await readInvitation(server, token);
    assert.deepEqual(
      { status: read.status, body: read.body },
      {
        status: 200,
        body: {
          email: 'bob@example.com',
          role: 'editor',
          organizationName: 'Acme Bcc: eve@example.com',
          expiresAt: weekLater,
          hasAccount: false,
        },
      },
    );
  });

  test('an emailed invitation shows its link only in the email', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_ORGANIZATION_CREATION: 'everyone' });
    server.mailServer.state = 'accepts';
    const ada = await server.createPerson('Ada');
    await makeOperator(server, ada);
    const { body: organization } = await server.call('POST /api/organizations', {
      as: ada,
      body: { name: 'Acme Bcc: eve@example.com' },
    });
    const { status, body } = await invite(server, ada, organization.id, 'bob@example.com', 'editor');
    assert.deepEqual([status, body.mailed, body.link, body.mailFailure], [201, true, undefined, undefined]);
    const [mail] = server.mails;
    assert.deepEqual(
      [mail?.to, mail?.subject],
      ['bob@example.com', 'You are invited to an organization on Atrium'],
    );
    assert.match(
      mail?.text ?? '',
      /^You are invited to join the organization “Acme Bcc: eve example com” on /,
    );
    assert.match(mail?.text ?? '', /\/invitation#[\w-]{43}\n/);
  });

  test('an invitation whose email is refused shows no link, stays open, and can be resent', async (context) => {
    const server = await startTestServer(context, engine);
    server.mailServer.state = 'refuses';
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { status, body } = await invite(server, ada, id, 'bob@example.com', 'editor');
    const open = {
      id: body.id,
      email: 'bob@example.com',
      role: 'editor',
      createdAt: at,
      expiresAt: weekLater,
    };
    const mailFailure =
      'The email could not be sent: the mail server refused it with code 451. The invitation stays open: send it again.';
    assert.deepEqual({ status, body }, { status: 201, body: { ...open, mailed: false, mailFailure } });
    assert.deepEqual((await listInvitations(server, ada, id)).body, { items: [open] });
    server.mailServer.state = 'accepts';
    assert.equal((await invite(server, ada, id, 'bob@example.com', 'editor')).body.mailed, true);
    const tokens = server.mails.map(({ text }) => /#([\w-]{43})\n/.exec(text)?.[1] ?? '');
    assert.deepEqual(problemOf(await readInvitation(server, tokens[0] ?? '')), linkNotValid);
    assert.equal((await signUp(server, tokens[1] ?? '')).status, 201);
  });

  test('names are on one line, short enough, visible, and cannot change the text direction', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson('Ada');
    await makeOperator(server, as);
    const unfit = ['', 'x'.repeat(201), 'Acme\r\nBcc: eve@example.com', 'a\tb', 'a\u2028b', 'a\u0085b'];
    const unseen = [' ', '\u00a0', '\u200b\u2060 '];
    const turned = ['Eve \u202e(nimda)', 'Eve\u2067x'];
    const nameIt = (name: string) => server.call('POST /api/organizations', { as, body: { name } });
    for (const name of [...unfit, ...unseen, ...turned])
      assert.equal((await nameIt(name)).status, 400, JSON.stringify(name));
    for (const name of ['x', 'שלום\u200f 1', '日本', '👩‍🚀', '<script>'])
      assert.equal((await nameIt(name)).status, 201, JSON.stringify(name));
  });

  test('the token is neither stored nor logged', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, 'bob@example.com');
    await readInvitation(server, token);
    await accept(server, ada, token);
    const rows = await server.database.all(allInvitations, {});
    assert.equal(rows.length, 1);
    for (const text of [JSON.stringify(rows), ...server.log]) assert.ok(!text.includes(token), text);
    await signUp(server, token);
    assert.ok(!server.log.some((line) => line.includes(token) || line.includes(password)));
  });

  test('the link starts with the public URL, whatever the host of the request is', async (context) => {
    const settings = { ATRIUM_PUBLIC_URL: 'https://atrium.example' };
    const server = await startTestServer(context, engine, settings);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const forged = [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
      { forwarded: 'host=evil.example;proto=http', 'x-original-url': 'http://evil.example/' },
      { origin: 'https://atrium.example', referer: 'https://evil.example/' },
    ];
    for (const headers of forged) {
      const { status, body } = await server.call(`POST /api/organizations/${id}/invitations`, {
        as: ada,
        body: { email: 'bob@example.com', role: 'viewer' },
        headers,
      });
      assert.equal(status, 201);
      assert.match(body.link, /^https:\/\/atrium\.example\/invitation#[\w-]{43}$/);
    }
    server.mailServer.state = 'accepts';
    for (const headers of forged) {
      const body = { email: 'bob@example.com', role: 'viewer' };
      await server.call(`POST /api/organizations/${id}/invitations`, { as: ada, body, headers });
      assert.match(server.mails.at(-1)?.text ?? '', /\nhttps:\/\/atrium\.example\/invitation#[\w-]{43}\n/);
    }
    assert.equal(server.mails.length, forged.length);
    assert.ok(!JSON.stringify(server.mails).includes('evil'));
  });

  test('owners can invite to every role, admins to every role except owner, others to none', async (context) => {
    const server = await startTestServer(context, engine);
    server.mailServer.state = 'accepts';
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const actorRole of roles) {
      const actor = await server.createMember(id, actorRole);
      for (const role of roles) {
        const response = await invite(server, actor, id, `${actorRole}.${role}@example.com`, role);
        if (touches[actorRole].includes(role))
          assert.equal(response.status, 201, `${actorRole} invites ${role}`);
        else assert.deepEqual(problemOf(response), forbidden, `${actorRole} invites ${role}`);
      }
      const listed = await listInvitations(server, actor, id);
      assert.equal(listed.status, touches[actorRole].length > 0 ? 200 : 403);
      const { body } = await invite(server, ada, id, 'bob@example.com');
      const revoked = await server.call(`DELETE /api/organizations/${id}/invitations/${body.id}`, {
        as: actor,
      });
      assert.equal(revoked.status, touches[actorRole].length > 0 ? 204 : 403);
    }
    assert.equal(server.mails.length, Object.values(touches).flat().length + roles.length);
  });

  test('the email address and the role must be valid', async (context) => {
    const server = await startTestServer(context, engine);
    server.mailServer.state = 'accepts';
    const ada = await server.createPerson('Ada');
    const path = `/api/organizations/${await server.createOrganization(ada)}/invitations`;
    const tried: [object, string[]][] = [
      [{}, ['/email required', '/role required']],
      [{ email: 'bob', role: 'viewer' }, ['/email pattern']],
      [{ email: 'a@b@example.com', role: 'viewer' }, ['/email pattern']],
      [{ email: 'a b@example.com', role: 'viewer' }, ['/email pattern']],
      [{ email: '@example.com', role: 'viewer' }, ['/email pattern']],
      [{ email: '', role: 'god' }, ['/email pattern', '/role enum']],
      [{ email: 'bob@ｅxample.com', role: 'viewer' }, ['/email email']],
      [{ email: 'bob@exa_mple', role: 'viewer' }, ['/email email']],
      [{ email: `${'b'.repeat(310)}@example.com`, role: 'viewer' }, ['/email maxLength']],
      [{ email: null, role: null }, ['/email type', '/role enum']],
    ];
    for (const [body, faults] of tried) {
      const response = problemOf(await server.call(`POST ${path}`, { as: ada, body }));
      assert.deepEqual(response, { status: 400, code: 'invalid_body', faults }, JSON.stringify(body));
    }
    assert.deepEqual(server.mails, []);
  });

  test('a member cannot be invited, in any notation of the address', async (context) => {
    const server = await startTestServer(context, engine);
    server.mailServer.state = 'accepts';
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const viewer = await server.createMember(id, 'viewer');
    for (const email of [ada.email, viewer.email, ` ${viewer.email.toUpperCase()}`]) {
      assert.deepEqual(problemOf(await invite(server, ada, id, email)), alreadyMember);
    }
    assert.deepEqual(server.mails, []);
    await remove(server, ada, id, viewer.id);
    assert.equal((await invite(server, ada, id, viewer.email)).status, 201);
  });

  test('a replaced link stops working, and the new one works', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const first = await invite(server, ada, id, bob.email, 'owner');
    server.advance(5_000);
    const second = await invite(server, ada, id, ` ${bob.email.toUpperCase()}`, 'viewer');
    assert.notEqual(second.body.id, first.body.id);
    assert.deepEqual((await listInvitations(server, ada, id)).body, {
      items: [
        {
          id: second.body.id,
          email: bob.email,
          role: 'viewer',
          createdAt: secondsLater,
          expiresAt: '2026-11-28T09:00:05.000Z',
        },
      ],
    });
    assert.deepEqual(problemOf(await accept(server, bob, first.token)), linkNotValid);
    assert.equal((await accept(server, bob, second.token)).body.role, 'viewer');
  });

  test('only its own organization can revoke a link, which then stops working', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [own, foreign] = [await server.createOrganization(ada), await server.createOrganization(eve)];
    const { body, token } = await invite(server, ada, own, 'bob@example.com');
    const revoke = (as: Person, organizationId: string, id: string) =>
      server.call(`DELETE /api/organizations/${organizationId}/invitations/${id}`, { as });
    assert.deepEqual(problemOf(await revoke(eve, foreign, body.id)), notFound);
    assert.deepEqual(problemOf(await revoke(eve, own, body.id)), notFound);
    assert.deepEqual(problemOf(await revoke(ada, own, crypto.randomUUID())), notFound);
    assert.equal((await readInvitation(server, token)).status, 200);
    const { status, text } = await revoke(ada, own, body.id);
    assert.deepEqual({ status, text }, { status: 204, text: '' });
    assert.deepEqual(problemOf(await revoke(ada, own, body.id)), notFound);
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
    assert.deepEqual((await listInvitations(server, ada, own)).body, { items: [] });
  });

  test('a link expires after seven days', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, 'bob.2@example.com');
    server.advance(daysMs(7) - 1);
    assert.equal((await readInvitation(server, token)).status, 200);
    server.advance(1);
    const bob = await server.createPerson('Bob');
    assert.equal(bob.email, 'bob.2@example.com');
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await accept(server, bob, token)), linkNotValid);
    const owner = await server.createMember(id, 'owner');
    assert.deepEqual((await listInvitations(server, owner, id)).body, { items: [] });
    const next = await invite(server, owner, id, bob.email);
    assert.equal((await accept(server, bob, next.token)).status, 200);
  });

  test('any text that is not the token of a link is not valid', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    for (const token of ['', 'x', 'x'.repeat(43), 'x'.repeat(100), '%', `' or 1=1 --`]) {
      for (const response of [
        await readInvitation(server, token),
        await accept(server, ada, token),
        await signUp(server, token),
      ]) {
        assert.deepEqual(problemOf(response), linkNotValid);
      }
    }
  });

  test('open invitations are listed page by page', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [own, foreign] = [await server.createOrganization(ada), await server.createOrganization(eve)];
    const ids: string[] = [];
    for (const name of ['e', 'd', 'c', 'b', 'a']) {
      ids.push((await invite(server, ada, own, `${name}@example.com`)).body.id);
      await invite(server, eve, foreign, `${name}@example.com`);
    }
    const pages = await pagesOf(server, ada, `/api/organizations/${own}/invitations`, 'id');
    assert.deepEqual(pages, inPages(ids));
  });

  test('only one link of ten simultaneous invitations to an address is valid', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const links = await Promise.all(
      Array.from({ length: 10 }, () => invite(server, ada, id, 'bob@example.com')),
    );
    assert.deepEqual(statusesOf(links), Array(10).fill(201));
    const valid = [];
    for (const { token, body } of links) {
      if ((await readInvitation(server, token)).status === 200) valid.push(body.id);
    }
    const { body } = await listInvitations(server, ada, id);
    assert.deepEqual(
      valid,
      body.items.map((open: { id: string }) => open.id),
    );
    assert.equal(valid.length, 1);
  });
});
