import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles, type Role } from '#contract/organizations.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Answer,
  type Person,
  type TestServer,
} from '../../../tests/support/test-server.ts';
import { daysMs } from '../base/clock.ts';
import { prepare } from '../storage/prepared-query.ts';

const anId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const at = '2026-11-21T09:00:00.000Z';
const secondsLater = '2026-11-21T09:00:05.000Z';
const weekLater = '2026-11-28T09:00:00.000Z';
const password = 'correct horse battery';

/** The roles that each role may give, change and take away. */
const touches: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'editor', 'viewer'],
  admin: ['admin', 'editor', 'viewer'],
  editor: [],
  viewer: [],
};

const allInvitations = prepare((sql) => sql.selectFrom('invitations').selectAll());

async function change(server: TestServer, as: Person, organizationId: string, userId: string, role: string) {
  return server.call(`PATCH /api/organizations/${organizationId}/members/${userId}`, { as, body: { role } });
}

async function remove(server: TestServer, as: Person, organizationId: string, userId: string) {
  return server.call(`DELETE /api/organizations/${organizationId}/members/${userId}`, { as });
}

/** The members as `owner ada.1@example.com`, in the order of the addresses. */
async function membersOf(server: TestServer, as: Person, organizationId: string): Promise<string[]> {
  const { body } = await server.call(`GET /api/organizations/${organizationId}/members?limit=200`, { as });
  return body.items.map(({ role, email }: { role: string; email: string }) => `${role} ${email}`).toSorted();
}

async function invite(
  server: TestServer,
  as: Person,
  organizationId: string,
  email: string,
  role: Role = 'viewer',
): Promise<Answer & { token: string }> {
  const path = `/api/organizations/${organizationId}/invitations`;
  const answer = await server.call(`POST ${path}`, { as, body: { email, role } });
  return { ...answer, token: String(answer.body.link).split('#')[1] ?? '' };
}

const accept = (server: TestServer, as: Person, token: string): Promise<Answer> =>
  server.call('POST /api/invitations/accept', { as, body: { token } });

const readInvitation = (server: TestServer, token: string): Promise<Answer> =>
  server.call('POST /api/invitations/read', { body: { token } });

const signUp = (server: TestServer, token: string, name = 'Bob'): Promise<Answer> =>
  server.call('POST /api/invitations/sign-up', { body: { token, name, password } });

async function listInvitations(server: TestServer, as: Person, organizationId: string): Promise<Answer> {
  return server.call(`GET /api/organizations/${organizationId}/invitations`, { as });
}

/** The pages of a list, two items each, as the values of one member of the items. */
async function pagesOf(server: TestServer, as: Person, path: string, member: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? 'limit=2' : `limit=2&cursor=${cursor}`;
    const { body } = await server.call(`GET ${path}?${query}`, { as });
    pages.push(body.items.map((item: Record<string, string>) => item[member]));
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Ids of one millisecond are in no order, so the order that counts is that of the ids. */
function inPages(ids: readonly string[]): string[][] {
  const sorted = ids.toSorted();
  return [sorted.slice(0, 2), sorted.slice(2, 4), sorted.slice(4)];
}

const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

const notFound = { status: 404, code: 'not_found' };
const linkNotValid = { status: 404, code: 'link_not_valid' };
const forbidden = { status: 403, code: 'forbidden' };
const lastOwner = { status: 409, code: 'last_owner' };
const alreadyMember = { status: 409, code: 'already_member' };

describeOnBothEngines('organizations', (engine) => {
  test('who creates one owns it, and nobody else sees it', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const name = ' <b>Äcme</b> \u{1F600} ';
    const { status, body } = await server.call('POST /api/organizations', {
      as: ada,
      body: { name, id: 'mine', role: 'viewer', createdAt: 'x' },
    });
    assert.match(body.id, anId);
    const organization = { id: body.id, name, role: 'owner', createdAt: at, updatedAt: at };
    assert.deepEqual({ status, body }, { status: 201, body: organization });
    const read = await server.call(`GET /api/organizations/${body.id}`, { as: ada });
    assert.deepEqual({ status: read.status, body: read.body }, { status: 200, body: organization });
    assert.deepEqual((await server.call('GET /api/organizations', { as: ada })).body, {
      items: [organization],
    });
    assert.deepEqual((await server.call('GET /api/organizations', { as: eve })).body, { items: [] });
    assert.deepEqual(
      problemOf(await server.call(`GET /api/organizations/${body.id}`, { as: eve })),
      notFound,
    );
  });

  test('a name has at least one character', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const line of ['POST /api/organizations', `PATCH /api/organizations/${id}`]) {
      const faults = [];
      for (const body of [{}, { name: '' }, { name: null }, { name: ['x'] }]) {
        faults.push(problemOf(await server.call(line, { as: ada, body })).faults?.join());
      }
      assert.deepEqual(faults, ['/name required', '/name minLength', '/name type', '/name type']);
    }
    assert.equal((await server.call('GET /api/organizations', { as: ada })).body.items.length, 1);
  });

  test('an owner and an admin rename it, an editor and a viewer do not', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    server.advance(5_000);
    for (const role of roles) {
      const as = await server.createMember(id, role);
      const answer = await server.call(`PATCH /api/organizations/${id}`, {
        as,
        body: { name: `by ${role}` },
      });
      if (touches[role].length === 0) {
        assert.deepEqual(problemOf(answer), forbidden);
        continue;
      }
      assert.deepEqual(
        { status: answer.status, body: answer.body },
        { status: 200, body: { id, name: `by ${role}`, role, createdAt: at, updatedAt: secondsLater } },
      );
    }
    const { body } = await server.call(`GET /api/organizations/${id}`, { as: ada });
    assert.deepEqual(body, { id, name: 'by admin', role: 'owner', createdAt: at, updatedAt: secondsLater });
  });

  test('one’s organizations are listed page by page, in the order of their ids', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await server.createOrganization(ada));
      await server.createOrganization(eve);
    }
    const pages = await pagesOf(server, ada, '/api/organizations', 'id');
    assert.deepEqual(pages, inPages(ids));
    assert.deepEqual(await pagesOf(server, ada, '/api/organizations', 'role'), [
      ['owner', 'owner'],
      ['owner', 'owner'],
      ['owner'],
    ]);
  });

  test('a session of one organization sees that one alone, and makes or joins no other', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [one, other] = [await server.createOrganization(ada), await server.createOrganization(ada)];
    const foreign = await server.createOrganization(eve);
    const { token } = await invite(server, eve, foreign, ada.email);
    const scoped = await server.createSsoSession(ada, one);
    const { body } = await server.call('GET /api/organizations', { as: scoped });
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      [one],
    );
    for (const path of ['', '/members', '/invitations']) {
      assert.equal((await server.call(`GET /api/organizations/${one}${path}`, { as: scoped })).status, 200);
      const answer = await server.call(`GET /api/organizations/${other}${path}`, { as: scoped });
      assert.deepEqual(problemOf(answer), notFound);
    }
    const created = await server.call('POST /api/organizations', { as: scoped, body: { name: 'N' } });
    assert.deepEqual(problemOf(created), forbidden);
    assert.deepEqual(problemOf(await accept(server, scoped, token)), forbidden);
    assert.equal((await accept(server, ada, token)).status, 200, 'the invitation is still open');
    assert.deepEqual(problemOf(await remove(server, scoped, other, ada.id)), notFound);
  });
});

describeOnBothEngines('members', (engine) => {
  test('any member lists them, whole and page by page', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    server.advance(5_000);
    const expected = [{ userId: ada.id, email: ada.email, name: 'Ada', role: 'owner', createdAt: at }];
    for (const role of ['admin', 'editor', 'viewer', 'viewer'] as const) {
      const { id: userId, email } = await server.createMember(id, role);
      expected.push({ userId, email, name: role, role, createdAt: secondsLater });
    }
    const viewer = await server.createSsoSession({ ...ada, id: expected[4]?.userId ?? '' }, id);
    const { body } = await server.call(`GET /api/organizations/${id}/members`, { as: viewer });
    assert.deepEqual(body, {
      items: expected.toSorted((one, other) => (one.userId < other.userId ? -1 : 1)),
    });
    const ids = expected.map(({ userId }) => userId);
    const pages = await pagesOf(server, viewer, `/api/organizations/${id}/members`, 'userId');
    assert.deepEqual(pages, inPages(ids));
  });

  test('only an owner makes, changes or removes an owner, and only an admin the others', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const actorRole of roles) {
      const actor = await server.createMember(id, actorRole);
      for (const from of roles) {
        for (const to of roles) {
          const member = await server.createMember(id, from);
          const may = touches[actorRole].includes(from) && touches[actorRole].includes(to);
          const answer = await change(server, actor, id, member.id, to);
          const { email } = member;
          if (may)
            assert.deepEqual(answer.body, { userId: member.id, email, name: from, role: to, createdAt: at });
          else assert.deepEqual(problemOf(answer), forbidden, `${actorRole} makes ${from} ${to}`);
          const { body } = await server.call(`GET /api/organizations/${id}`, { as: member });
          assert.equal(body.role, may ? to : from, `${actorRole} makes ${from} ${to}`);
        }
        const member = await server.createMember(id, from);
        const may = touches[actorRole].includes(from);
        const { status } = await remove(server, actor, id, member.id);
        assert.equal(status, may ? 204 : 403, `${actorRole} removes ${from}`);
        const read = await server.call(`GET /api/organizations/${id}`, { as: member });
        assert.equal(read.status, may ? 404 : 200, `${actorRole} removes ${from}`);
      }
    }
  });

  test('an admin may step down, and not up', async (context) => {
    const server = await startTestServer(context, engine);
    const id = await server.createOrganization(await server.createPerson('Ada'));
    const admin = await server.createMember(id, 'admin');
    assert.deepEqual(problemOf(await change(server, admin, id, admin.id, 'owner')), forbidden);
    assert.equal((await change(server, admin, id, admin.id, 'editor')).body.role, 'editor');
    assert.deepEqual(problemOf(await change(server, admin, id, admin.id, 'admin')), forbidden);
  });

  test('a role is one of the four', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const role of ['god', 'Owner', '', 'owner ', null, ['admin'], undefined]) {
      const body = { role };
      const answer = await server.call(`PATCH /api/organizations/${id}/members/${ada.id}`, { as: ada, body });
      assert.equal(problemOf(answer).code, 'invalid_body', JSON.stringify(role));
    }
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`]);
  });

  test('anybody leaves, but for the last owner', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const role of roles) {
      const member = await server.createMember(id, role);
      const { status, text } = await remove(server, member, id, member.id);
      assert.deepEqual({ status, text }, { status: 204, text: '' }, role);
      assert.deepEqual(problemOf(await remove(server, member, id, member.id)), notFound);
    }
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`]);
    assert.deepEqual(problemOf(await remove(server, ada, id, ada.id)), lastOwner);
    await server.createMember(id, 'admin');
    assert.deepEqual(problemOf(await remove(server, ada, id, ada.id)), lastOwner);
    for (const role of ['admin', 'editor', 'viewer']) {
      assert.deepEqual(problemOf(await change(server, ada, id, ada.id, role)), lastOwner);
    }
    assert.equal((await change(server, ada, id, ada.id, 'owner')).status, 200);
    const second = await server.createMember(id, 'owner');
    assert.equal((await remove(server, ada, id, ada.id)).status, 204);
    assert.deepEqual(problemOf(await remove(server, second, id, second.id)), lastOwner);
  });

  test('a member who was removed is refused at the next request', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const editor = await server.createMember(id, 'editor');
    const scoped = await server.createSsoSession(editor, id);
    const { body: dashboard } = await server.call('POST /api/dashboards', {
      as: editor,
      body: { name: 'D', organizationId: id },
    });
    const requests: [string, object?][] = [
      [`GET /api/organizations/${id}`],
      [`GET /api/organizations/${id}/members`],
      [`GET /api/dashboards/${dashboard.id}`],
      [`GET /api/dashboards?organizationId=${id}`],
      ['POST /api/dashboards', { name: 'D', organizationId: id }],
    ];
    const ask = async () => {
      const answers = [];
      for (const as of [editor, scoped]) {
        for (const [line, body] of requests)
          answers.push(await server.call(line, { as, ...(body && { body }) }));
      }
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await ask(), [200, 200, 200, 200, 201, 200, 200, 200, 200, 201]);
    assert.equal((await remove(server, ada, id, editor.id)).status, 204);
    // What a session opens alone is gone, and the session with it.
    assert.deepEqual(await ask(), [...Array(5).fill(404), ...Array(5).fill(401)]);
    assert.equal((await server.call('GET /api/auth/get-session', { as: editor })).status, 200);
    assert.deepEqual((await server.call('GET /api/dashboards', { as: editor })).body, { items: [] });
    assert.equal((await server.call('GET /api/auth/get-session', { as: scoped })).status, 401);
    const kept = await server.call(`GET /api/dashboards/${dashboard.id}`, { as: ada });
    assert.deepEqual(kept.body, dashboard, 'what the member made stays');
  });

  test('a role that was lowered counts at the next request', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const admin = await server.createMember(id, 'admin');
    assert.equal((await listInvitations(server, admin, id)).status, 200);
    await change(server, ada, id, admin.id, 'viewer');
    assert.deepEqual(problemOf(await listInvitations(server, admin, id)), forbidden);
  });

  test('a person is a member of one organization, not of the address in the path', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [own, foreign] = [await server.createOrganization(ada), await server.createOrganization(eve)];
    const viewer = await server.createMember(own, 'viewer');
    for (const userId of [viewer.id, ada.id, crypto.randomUUID(), 'x', '%00']) {
      assert.deepEqual(problemOf(await change(server, eve, foreign, userId, 'admin')), notFound);
      assert.deepEqual(problemOf(await remove(server, eve, foreign, userId)), notFound);
      assert.deepEqual(problemOf(await change(server, eve, own, userId, 'admin')), notFound);
      assert.deepEqual(problemOf(await remove(server, eve, own, userId)), notFound);
    }
    assert.deepEqual(await membersOf(server, ada, own), [`owner ${ada.email}`, `viewer ${viewer.email}`]);
  });

  test('two owners who demote, remove or outleave each other at once leave one', async (context) => {
    const server = await startTestServer(context, engine);
    type Act = (as: Person, id: string, self: Person, other: Person) => Promise<Answer>;
    const acts: Record<string, { act: Act; statuses: number[] }> = {
      demote: {
        act: (as, id, _self, other) => change(server, as, id, other.id, 'viewer'),
        statuses: [200, 403],
      },
      remove: { act: (as, id, _self, other) => remove(server, as, id, other.id), statuses: [204, 404] },
      leave: { act: (as, id, self) => remove(server, as, id, self.id), statuses: [204, 409] },
      stepDown: { act: (as, id, self) => change(server, as, id, self.id, 'viewer'), statuses: [200, 409] },
    };
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    // More than once, since on the way of the first the connections are opened that let the others meet.
    for (let round = 0; round < 5; round += 1) {
      for (const [name, { act, statuses }] of Object.entries(acts)) {
        const id = await server.createOrganization(ada);
        await server.addMember(id, bob, 'owner');
        const answers = await Promise.all([act(ada, id, ada, bob), act(bob, id, bob, ada)]);
        assert.deepEqual(statusesOf(answers), statuses, name);
        const lists = await Promise.all(
          [ada, bob].map((as) => server.call(`GET /api/organizations/${id}/members`, { as })),
        );
        const seen = lists.find(({ status }) => status === 200);
        const left: Role[] = seen?.body.items.map(({ role }: { role: Role }) => role);
        assert.equal(left.filter((role) => role === 'owner').length, 1, name);
      }
    }
  });

  test('ten owners who leave at once leave one', async (context) => {
    const server = await startTestServer(context, engine);
    const people = await Promise.all(Array.from({ length: 10 }, () => server.createPerson()));
    const [first, ...others] = people;
    assert.ok(first);
    for (let round = 0; round < 3; round += 1) {
      const id = await server.createOrganization(first);
      for (const person of others) await server.addMember(id, person, 'owner');
      const answers = await Promise.all(people.map((person) => remove(server, person, id, person.id)));
      assert.deepEqual(statusesOf(answers), [...Array(9).fill(204), 409]);
    }
  });
});

describeOnBothEngines('invitations', (engine) => {
  test('an invitation shows its link once when no mail server takes it', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
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
    assert.equal(server.mails.length, 1);
    const { to, subject, text } = server.mails[0] ?? {};
    assert.deepEqual(
      [to, subject],
      ['bob@example.com', 'You are invited to Acme Bcc: eve@example.com on Atrium'],
    );
    assert.ok(text?.split('\n').includes(link));
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

  test('an invitation that is mailed shows its link to nobody but the reader of the mail', async (context) => {
    const server = await startTestServer(context, engine);
    server.mailServer.takesMail = true;
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const { status, body } = await server.call(`POST /api/organizations/${organizationId}/invitations`, {
      as: ada,
      body: { email: 'bob@example.com', role: 'editor' },
    });
    assert.deepEqual([status, body.mailed, body.link], [201, true, undefined]);
    assert.match(server.mails[0]?.text ?? '', /\/invitation#[\w-]{43}\n/);
  });

  test('names are on one line, and short enough to show', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson('Ada');
    for (const name of ['', 'x'.repeat(201), 'Acme\r\nBcc: eve@example.com', 'a\tb']) {
      const answer = await server.call('POST /api/organizations', { as, body: { name } });
      assert.equal(answer.status, 400, JSON.stringify(name));
    }
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

  test('the link begins with the public address, whatever a request says of its host', async (context) => {
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
      assert.ok(server.mails.at(-1)?.text.includes(`\n${body.link}\n`));
    }
    assert.ok(!JSON.stringify(server.mails).includes('evil'));
  });

  test('an owner invites to any role, an admin to any but owner, others to none', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const actorRole of roles) {
      const actor = await server.createMember(id, actorRole);
      for (const role of roles) {
        const answer = await invite(server, actor, id, `${actorRole}.${role}@example.com`, role);
        if (touches[actorRole].includes(role))
          assert.equal(answer.status, 201, `${actorRole} invites ${role}`);
        else assert.deepEqual(problemOf(answer), forbidden, `${actorRole} invites ${role}`);
      }
      const listed = await listInvitations(server, actor, id);
      assert.equal(listed.status, touches[actorRole].length > 0 ? 200 : 403);
      const { body } = await invite(server, ada, id, 'bob@example.com');
      const revoked = await server.call(`DELETE /api/organizations/${id}/invitations/${body.id}`, {
        as: actor,
      });
      assert.equal(revoked.status, touches[actorRole].length > 0 ? 204 : 403);
    }
    assert.equal(server.mails.length, 7 + roles.length);
  });

  test('an address is one, and a role is one', async (context) => {
    const server = await startTestServer(context, engine);
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
      const answer = problemOf(await server.call(`POST ${path}`, { as: ada, body }));
      assert.deepEqual(answer, { status: 400, code: 'invalid_body', faults }, JSON.stringify(body));
    }
    assert.deepEqual(server.mails, []);
  });

  test('a member is not invited, in no spelling', async (context) => {
    const server = await startTestServer(context, engine);
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

  test('an account with the address accepts, once', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email.toUpperCase(), 'admin');
    assert.equal((await readInvitation(server, token)).body.hasAccount, true);
    const { status, body } = await accept(server, bob, token);
    const organization = { id, name: 'Organization', role: 'admin', createdAt: at, updatedAt: at };
    assert.deepEqual({ status, body }, { status: 200, body: organization });
    assert.deepEqual(await membersOf(server, bob, id), [`admin ${bob.email}`, `owner ${ada.email}`]);
    assert.deepEqual((await listInvitations(server, ada, id)).body, { items: [] });
    assert.deepEqual(problemOf(await accept(server, bob, token)), linkNotValid);
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
  });

  test('an account with another address does not accept, and leaves the invitation open', async (context) => {
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

  test('who became a member meanwhile is told so', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email, 'owner');
    await server.addMember(id, bob, 'viewer');
    assert.deepEqual(problemOf(await accept(server, bob, token)), alreadyMember);
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`, `viewer ${bob.email}`]);
  });

  test('a new account by a link is a member, and signed in', async (context) => {
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
      /^auth\.session_token=([\w-]{43}); Path=\/; Expires=Sat, 28 Nov 2026 09:00:00 GMT; HttpOnly; SameSite=Lax; Secure$/.exec(
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

  test('an address with an account signs in to accept, and keeps its password', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, bob.email);
    const answer = await signUp(server, token);
    assert.deepEqual(problemOf(answer), { status: 409, code: 'account_exists' });
    assert.equal(answer.headers['set-cookie'], undefined);
    const body = { email: bob.email, password };
    assert.equal((await server.call('POST /api/auth/sign-in/email', { body })).status, 401);
    assert.equal((await accept(server, bob, token)).status, 200);
  });

  test('a sign-up without a name or a long enough password uses nothing up', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const { token } = await invite(server, ada, await server.createOrganization(ada), 'bob@example.com');
    const answer = await server.call('POST /api/invitations/sign-up', {
      body: { token, name: '', password: 'x'.repeat(11), email: 'eve@example.com', role: 'owner' },
    });
    assert.deepEqual(problemOf(answer), {
      status: 400,
      code: 'invalid_body',
      faults: ['/name minLength', '/password minLength'],
    });
    assert.equal((await signUp(server, token)).body.user.email, 'bob@example.com');
  });

  test('a link ends when it is replaced, and the new one counts', async (context) => {
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

  test('a link ends when it is taken back, by its own organization alone', async (context) => {
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

  test('a link ends after seven days', async (context) => {
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

  test('what is no link’s token is not valid, whatever it is', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    for (const token of ['', 'x', 'x'.repeat(43), 'x'.repeat(10_000), '%', `' or 1=1 --`]) {
      for (const answer of [
        await readInvitation(server, token),
        await accept(server, ada, token),
        await signUp(server, token),
      ]) {
        assert.deepEqual(problemOf(answer), linkNotValid);
      }
    }
  });

  test('the open ones are listed page by page', async (context) => {
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

  test('one address is invited to several organizations at a time', async (context) => {
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

  test('of twenty who accept one invitation at once, one does', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    for (let round = 0; round < 3; round += 1) {
      const id = await server.createOrganization(ada);
      const { token } = await invite(server, ada, id, bob.email);
      const answers = await Promise.all(Array.from({ length: 20 }, () => accept(server, bob, token)));
      assert.deepEqual(statusesOf(answers), [200, ...Array(19).fill(404)]);
      for (const answer of answers) {
        if (answer.status !== 200) assert.deepEqual(problemOf(answer), linkNotValid);
      }
      assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`, `viewer ${bob.email}`]);
    }
  });

  test('of ten who sign up by one link at once, one does', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const { token } = await invite(server, ada, id, 'bob@example.com');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => signUp(server, token, `Bob ${index}`)),
    );
    const losers = answers.filter(({ status }) => status !== 201);
    assert.equal(losers.length, 9);
    for (const answer of losers) {
      assert.ok(['link_not_valid', 'account_exists'].includes(problemOf(answer).code), answer.text);
    }
    const created = answers.find(({ status }) => status === 201);
    const { body } = await server.call(`GET /api/organizations/${id}/members`, { as: ada });
    assert.deepEqual(
      body.items.map(({ name }: { name: string }) => name),
      ['Ada', created?.body.user.name],
    );
  });

  test('of ten invitations to one address at once, one link is valid', async (context) => {
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

  test('an invitation is accepted or taken back, not both', async (context) => {
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

  test('an invitation is accepted or replaced, not both', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    for (let round = 0; round < 20; round += 1) {
      const id = await server.createOrganization(ada);
      const { token } = await invite(server, ada, id, bob.email);
      const answers = await Promise.all([accept(server, bob, token), invite(server, ada, id, bob.email)]);
      const { body } = await listInvitations(server, ada, id);
      const seen = [...answers.map(({ status }) => status), body.items.length].join(' ');
      assert.ok(['200 409 0', '404 201 1'].includes(seen), seen);
    }
  });

  test('a link that was used does not bring a removed member back', async (context) => {
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
