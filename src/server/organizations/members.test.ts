import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles, type Role } from '#shared/permissions.ts';
import {
  at,
  secondsLater,
  touches,
  change,
  remove,
  membersOf,
  listInvitations,
  pagesOf,
  inPages,
  statusesOf,
  notFound,
  forbidden,
} from '../../../tests/support/organizations/calls.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
} from '../../../tests/support/server/test-server.ts';

const lastOwner = { status: 409, code: 'last_owner' };

describeOnBothEngines('members', (engine) => {
  test('every member can list them, as a whole and page by page', async (context) => {
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

  test('only admins and owners see how each member can sign in', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const [admin, editor] = [await server.createMember(id, 'admin'), await server.createMember(id, 'editor')];
    await setPassword(server, ada, 'correct horse battery');
    const other = await server.createOrganization(ada);
    await server.database.write(async (transaction) => {
      for (const [subject, organization, person] of [
        ['1', id, ada],
        ['2', id, admin],
        ['3', other, editor],
      ] as const) {
        await transaction.execute(
          `insert into sso_identities (configuration_id, issuer, subject, organization_id, user_id, created_at) values ('c', 'i', '${subject}', '${organization}', '${person.id}', '${at}')`,
        );
      }
    });
    const seenBy = async (as: Person) => {
      const { body } = await server.call(`GET /api/organizations/${id}/members`, { as });
      return body.items.map(({ signInMethods }: { signInMethods?: string[] }) => signInMethods);
    };
    assert.deepEqual(await seenBy(admin), [['directory', 'password'], ['directory'], []]);
    assert.deepEqual(await seenBy(editor), [undefined, undefined, undefined]);
  });

  test('only owners can add, change or remove owners, and only admins other members', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const actorRole of roles) {
      const actor = await server.createMember(id, actorRole);
      for (const from of roles) {
        for (const to of roles) {
          const member = await server.createMember(id, from);
          const may = touches[actorRole].includes(from) && touches[actorRole].includes(to);
          const response = await change(server, actor, id, member.id, to);
          const { email } = member;
          if (may)
            assert.deepEqual(response.body, {
              userId: member.id,
              email,
              name: from,
              role: to,
              createdAt: at,
            });
          else assert.deepEqual(problemOf(response), forbidden, `${actorRole} makes ${from} ${to}`);
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

  test('an admin can lower their own role, but not raise it', async (context) => {
    const server = await startTestServer(context, engine);
    const id = await server.createOrganization(await server.createPerson('Ada'));
    const admin = await server.createMember(id, 'admin');
    assert.deepEqual(problemOf(await change(server, admin, id, admin.id, 'owner')), forbidden);
    assert.equal((await change(server, admin, id, admin.id, 'editor')).body.role, 'editor');
    assert.deepEqual(problemOf(await change(server, admin, id, admin.id, 'admin')), forbidden);
  });

  test('a role must be one of the four', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const role of ['god', 'Owner', '', 'owner ', null, ['admin'], undefined]) {
      const body = { role };
      const response = await server.call(`PATCH /api/organizations/${id}/members/${ada.id}`, {
        as: ada,
        body,
      });
      assert.equal(problemOf(response).code, 'invalid_body', JSON.stringify(role));
    }
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`]);
  });

  test('everyone can leave, except the last owner', async (context) => {
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

  test('the next request of a removed member is refused', async (context) => {
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
      const responses = [];
      for (const as of [editor, scoped]) {
        for (const [line, body] of requests)
          responses.push(await server.call(line, { as, ...(body && { body }) }));
      }
      return responses.map(({ status }) => status);
    };
    assert.deepEqual(await ask(), [200, 200, 200, 200, 201, 200, 200, 200, 200, 201]);
    assert.equal((await remove(server, ada, id, editor.id)).status, 204);
    // A session that is limited to the organization ends.
    assert.deepEqual(await ask(), [...Array(5).fill(404), ...Array(5).fill(401)]);
    assert.equal((await server.call('GET /api/auth/get-session', { as: editor })).status, 200);
    assert.deepEqual((await server.call('GET /api/dashboards', { as: editor })).body, { items: [] });
    assert.equal((await server.call('GET /api/auth/get-session', { as: scoped })).status, 401);
    const kept = await server.call(`GET /api/dashboards/${dashboard.id}`, { as: ada });
    assert.deepEqual(kept.body, dashboard, 'what the member made stays');
  });

  test('a lowered role applies to the next request', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const admin = await server.createMember(id, 'admin');
    assert.equal((await listInvitations(server, admin, id)).status, 200);
    await change(server, ada, id, admin.id, 'viewer');
    assert.deepEqual(problemOf(await listInvitations(server, admin, id)), forbidden);
  });

  test('a member of one organization cannot be changed through another organization’s path', async (context) => {
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

  test('one owner remains if two owners demote or remove each other, or leave, at the same time', async (context) => {
    const server = await startTestServer(context, engine);
    type Act = (as: Person, id: string, self: Person, other: Person) => Promise<TestResponse>;
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
    // Repeated, since the first requests open the connections that the others need to collide.
    for (let round = 0; round < 5; round += 1) {
      for (const [name, { act, statuses }] of Object.entries(acts)) {
        const id = await server.createOrganization(ada);
        await server.addMember(id, bob, 'owner');
        const responses = await Promise.all([act(ada, id, ada, bob), act(bob, id, bob, ada)]);
        assert.deepEqual(statusesOf(responses), statuses, name);
        const lists = await Promise.all(
          [ada, bob].map((as) => server.call(`GET /api/organizations/${id}/members`, { as })),
        );
        const seen = lists.find(({ status }) => status === 200);
        const left: Role[] = seen?.body.items.map(({ role }: { role: Role }) => role);
        assert.equal(left.filter((role) => role === 'owner').length, 1, name);
      }
    }
  });

  test('one owner remains if ten leave at the same time', async (context) => {
    const server = await startTestServer(context, engine);
    const people = await Promise.all(Array.from({ length: 10 }, () => server.createPerson()));
    const [first, ...others] = people;
    assert.ok(first);
    for (let round = 0; round < 3; round += 1) {
      const id = await server.createOrganization(first);
      for (const person of others) await server.addMember(id, person, 'owner');
      const responses = await Promise.all(people.map((person) => remove(server, person, id, person.id)));
      assert.deepEqual(statusesOf(responses), [...Array(9).fill(204), 409]);
    }
  });
});
