import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessGrant } from '#contract/organizations/access-review.ts';
import { createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import { createDashboard } from '../../../tests/support/dashboards/team.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Engine,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import type { Owner } from '../../../tests/support/endings.ts';
import { hoursMs, minutesMs } from '../base/clock.ts';
import { setGroupsOfMember } from '../organizations/groups/groups.ts';
import { suspendMember } from '../organizations/suspension/suspension.ts';

const at = '2026-11-21T09:00:00.000Z';

/** An organization with a dashboard that is shared in every way. */
async function openReviewed(owner: Owner, engine: Engine) {
  const server = await startTestServer(owner, engine);
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const [bob, eve] = [
    await server.createMember(organizationId, 'editor'),
    await server.createMember(organizationId, 'viewer'),
  ];
  await server.database.write((transaction) =>
    setGroupsOfMember(transaction, { organizationId, userId: eve.id }, ['sales: north']),
  );
  const dashboardId = await createDashboard(server, ada, { name: '=Plan', organizationId, widgets: [] });
  const access = await server.call(`PUT /api/dashboards/${dashboardId}/access`, {
    as: ada,
    body: {
      restricted: true,
      members: [{ userId: bob.id, access: 'edit' }],
      groups: [{ groupId: 'sales: north', access: 'view' }],
    },
  });
  assert.equal(access.status, 200, access.text);
  const { body: link } = await server.call(`POST /api/dashboards/${dashboardId}/display-links`, {
    as: ada,
    body: { name: 'Lobby' },
  });
  const token = await createToken(server, bob, { organizationId });
  const program = await createServiceAccount(server, ada, { organizationId });
  const path = `/api/organizations/${organizationId}/access-review`;
  const review = async (query = '', as: Person = ada): Promise<AccessGrant[]> => {
    const response = await server.call(`GET ${path}${query}`, { as });
    assert.equal(response.status, 200, response.text);
    return response.body.items;
  };
  return { server, organizationId, ada, bob, eve, dashboardId, link, token, program, path, review };
}

type Reviewed = Awaited<ReturnType<typeof openReviewed>>;

/** Every grant of the organization, without when members were last seen. */
function expectedGrants({ organizationId, ada, bob, eve, dashboardId, link, token, program }: Reviewed) {
  const grantedBy = { id: ada.id, name: 'Ada' };
  const organization = { kind: 'organization', id: organizationId, name: 'Organization' };
  const dashboard = { kind: 'dashboard', id: dashboardId, name: '=Plan' };
  const person = ({ id, email }: Person, name: string) => ({ kind: 'person', id, name, email });
  const pipeline = { kind: 'service_account', id: program.userId, name: 'Pipeline' };
  const [asAda, asBob, asEve] = [person(ada, 'Ada'), person(bob, 'editor'), person(eve, 'viewer')];
  const byId = (one: { grantee: { id: string } }, other: { grantee: { id: string } }) =>
    one.grantee.id < other.grantee.id ? -1 : 1;
  return [
    ...[
      { grantee: asAda, access: 'owner', grantedBy },
      { grantee: asBob, access: 'editor' },
      { grantee: asEve, access: 'viewer' },
      { grantee: pipeline, access: 'viewer', grantedBy },
    ]
      .toSorted(byId)
      .map((grant) => ({
        id: `role:${grant.grantee.id}`,
        reason: 'role',
        object: organization,
        since: at,
        ...grant,
      })),
    {
      id: `share:${dashboardId}:group:sales: north`,
      reason: 'named',
      grantee: { kind: 'group', id: 'sales: north', name: 'sales: north' },
      object: dashboard,
      access: 'view',
      since: at,
      grantedBy,
    },
    {
      id: `share:${dashboardId}:user:${bob.id}`,
      reason: 'named',
      grantee: asBob,
      object: dashboard,
      access: 'edit',
      since: at,
      grantedBy,
    },
    {
      id: `group:${dashboardId}:${eve.id}:sales: north`,
      reason: 'group',
      grantee: asEve,
      object: dashboard,
      access: 'view',
      groupId: 'sales: north',
      groupName: 'sales: north',
      since: at,
      grantedBy,
    },
    ...[
      {
        grantee: asBob,
        access: 'editor',
        tokenId: token.id,
        tokenName: 'Script',
        grantedBy: { id: bob.id, name: 'editor' },
      },
      { grantee: pipeline, access: 'viewer', tokenId: program.id, tokenName: 'Nightly', grantedBy },
    ].map((grant) => ({
      id: `token:${grant.tokenId}`,
      reason: 'token',
      object: organization,
      scopes: ['read'],
      since: at,
      expiresAt: token.expiresAt,
      ...grant,
    })),
    {
      id: `link:${link.id}`,
      reason: 'link',
      grantee: { kind: 'link', id: link.id, name: 'Lobby' },
      object: dashboard,
      access: 'view',
      since: at,
      grantedBy,
    },
    {
      id: `owner-dashboard:${dashboardId}`,
      reason: 'owner',
      grantee: asAda,
      object: dashboard,
      access: 'manage',
    },
  ];
}

const withoutLastSeen = (grants: readonly AccessGrant[]) =>
  grants.map(({ lastSeenAt: _, ...grant }) => grant);

const idsOf = (grants: readonly { readonly id: string }[]): string[] => grants.map(({ id }) => id);

describeOnUsualEngine('access reviews', (engine) => {
  test('list every grant with its reason, as a whole and page by page', async (context) => {
    const reviewed = await openReviewed(context, engine);
    const { review } = reviewed;
    const grants = await review();
    assert.deepEqual(withoutLastSeen(grants), expectedGrants(reviewed));
    for (const limit of [1, 2, 5]) {
      const ids: string[] = [];
      let cursor = '';
      do {
        const { body } = await reviewed.server.call(
          `GET ${reviewed.path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
          { as: reviewed.ada },
        );
        assert.ok(body.items.length <= limit);
        ids.push(...idsOf(body.items));
        cursor = body.nextCursor ?? '';
      } while (cursor !== '');
      assert.deepEqual(ids, idsOf(grants), `${limit} per page`);
    }
  });

  test('can be limited to a member, to a kind of object and to an object', async (context) => {
    const reviewed = await openReviewed(context, engine);
    const { review, eve, bob, dashboardId, organizationId, ada, link } = reviewed;
    const of = (predicate: (grant: ReturnType<typeof expectedGrants>[number]) => boolean) =>
      idsOf(expectedGrants(reviewed).filter(predicate));
    assert.deepEqual(
      idsOf(await review(`?userId=${eve.id}`)),
      of(({ grantee }) => grantee.id === eve.id),
    );
    assert.deepEqual(
      idsOf(await review(`?userId=${ada.id}`)),
      of(({ grantee }) => grantee.id === ada.id || grantee.id === link.id),
    );
    assert.deepEqual(
      idsOf(await review(`?objectKind=organization`)),
      of(({ object }) => object.kind === 'organization'),
    );
    for (const query of [`objectId=${dashboardId}`, 'objectKind=dashboard'])
      assert.deepEqual(
        idsOf(await review(`?${query}`)),
        of(({ object }) => object.kind === 'dashboard'),
      );
    assert.deepEqual(await review('?objectKind=report'), []);
    assert.deepEqual(
      idsOf(await review(`?userId=${bob.id}&objectId=${organizationId}`)),
      of(({ grantee, object }) => grantee.id === bob.id && object.id === organizationId),
    );
    // What is in the trash gives no access.
    await reviewed.server.call(`DELETE /api/dashboards/${dashboardId}`, { as: ada });
    assert.deepEqual(await review(`?objectId=${dashboardId}`), []);
  });

  test('say when a role came from the directory, and since when, and who gave it', async (context) => {
    const { server, organizationId, ada, bob, eve, review } = await openReviewed(context, engine);
    server.advance(minutesMs(1));
    await server.call(`PATCH /api/organizations/${organizationId}/members/${bob.id}`, {
      as: ada,
      body: { role: 'viewer' },
    });
    await insertIdentity(server, { organizationId, userId: eve.id, role: 'viewer' });
    const roleOf = async ({ id }: Person) => (await review(`?userId=${id}&objectKind=organization`))[0];
    const changed = await roleOf(bob);
    assert.deepEqual(
      [changed?.access, changed?.since, changed?.grantedBy],
      ['viewer', '2026-11-21T09:01:00.000Z', { id: ada.id, name: 'Ada' }],
    );
    assert.equal((await roleOf(eve))?.reason, 'directory');
  });

  test('leave out what suspended people had, and the links that they created', async (context) => {
    const reviewed = await openReviewed(context, engine);
    const { server, organizationId, ada, bob, dashboardId, path, review } = reviewed;
    await server.call(`PATCH /api/organizations/${organizationId}/members/${bob.id}`, {
      as: ada,
      body: { role: 'admin' },
    });
    const { body: link } = await server.call(`POST /api/dashboards/${dashboardId}/display-links`, {
      as: bob,
      body: { name: 'Canteen' },
    });
    const isShown = async () =>
      (await server.call('GET /api/display', { headers: { authorization: `Bearer ${link.token}` } })).status;
    const before = idsOf(await review());
    const ofBob = before.filter((id) => id.includes(bob.id) || id.endsWith(link.id));
    assert.deepEqual(ofBob, [`role:${bob.id}`, `share:${dashboardId}:user:${bob.id}`, `link:${link.id}`]);
    assert.equal(await isShown(), 200);
    await server.database.write((transaction) =>
      suspendMember(transaction, server.clock, undefined, { organizationId, userId: bob.id }),
    );
    assert.equal(await isShown(), 404);
    const gone = [...ofBob, `token:${reviewed.token.id}`];
    assert.deepEqual(
      idsOf(await review()),
      before.filter((id) => !gone.includes(id)),
    );
    const { text } = await server.call(`GET ${path}/export`, { as: ada });
    assert.ok(!text.includes(bob.id) && !text.includes('Canteen'), text);
  });

  test('show when members were last seen, written at most once an hour', async (context) => {
    const { server, ada, bob, eve, token, path, review, organizationId } = await openReviewed(
      context,
      engine,
    );
    const seenAt = async ({ id }: Person) =>
      (await review(`?userId=${id}&objectKind=organization`))[0]?.lastSeenAt;
    assert.equal(await seenAt(eve), undefined, 'never used the organization');
    server.advance(hoursMs(2));
    await server.call('GET /api/auth/get-session', { as: eve });
    assert.equal(await seenAt(eve), '2026-11-21T11:00:00.000Z');
    server.advance(minutesMs(30));
    await server.call('GET /api/auth/get-session', { as: eve });
    assert.equal(await seenAt(eve), '2026-11-21T11:00:00.000Z');
    server.advance(minutesMs(30));
    await server.call('GET /api/auth/get-session', { as: eve });
    assert.equal(await seenAt(eve), '2026-11-21T12:00:00.000Z');
    const bearer = { authorization: `Bearer ${token.token}` };
    await server.call(`GET /api/organizations/${organizationId}/members`, { headers: bearer });
    assert.equal(await seenAt(bob), '2026-11-21T12:00:00.000Z');
    // A session that is limited to one organization says nothing about others.
    const other = await server.createOrganization(ada);
    await server.addMember(other, eve, 'viewer');
    server.advance(hoursMs(2));
    const limited = await server.createSsoSession(eve, organizationId);
    await server.call('GET /api/auth/get-session', { as: limited });
    const { body } = await server.call(`GET ${path.replace(organizationId, other)}?userId=${eve.id}`, {
      as: ada,
    });
    assert.equal(body.items[0].lastSeenAt, undefined);
  });

  test('are exported as CSV without formulas, which the audit log records', async (context) => {
    const { server, ada, eve, path, organizationId } = await openReviewed(context, engine);
    const exported = await server.call(`GET ${path}/export?userId=${eve.id}`, { as: ada });
    assert.equal(exported.status, 200, exported.text);
    assert.equal(exported.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.match(
      String(exported.headers['content-disposition']),
      /^attachment; filename="access-review.csv"/,
    );
    const [head, role, group, ...rest] = exported.text.split('\r\n');
    assert.equal(
      head,
      'reason,grantee_kind,grantee_name,grantee_email,grantee_id,object_kind,object_name,object_id,access,group,' +
        'group_name,token_name,token_scopes,since,granted_by,last_seen,expires',
    );
    assert.match(
      role ?? '',
      new RegExp(`^role,person,viewer,${eve.email},${eve.id},organization,Organization,`),
    );
    assert.match(group ?? '', /^group,person,viewer,.*,dashboard,'=Plan,[^,]*,view,sales: north,/);
    assert.deepEqual(rest, ['']);
    const { body } = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=access_review.exported`,
      { as: ada },
    );
    assert.deepEqual(
      body.items.map(({ actorId, details }: { actorId: string; details: object }) => [actorId, details]),
      [[ada.id, { userId: eve.id }]],
    );
  });

  test('show nothing of another organization, by any filter or cursor', async (context) => {
    const { server, ada, bob, dashboardId, path, organizationId } = await openReviewed(context, engine);
    const mallory = await server.createPerson('Mallory');
    const hostileId = await server.createOrganization(mallory);
    const hostile = path.replace(organizationId, hostileId);
    const cursors = [
      `share:${dashboardId}:group:`,
      'share:::',
      'group:0',
      'token:0',
      'link:0',
      'owner-dashboard:0',
    ].map((key) => `cursor=${Buffer.from(key).toString('base64url')}`);
    for (const query of [
      `objectId=${dashboardId}`,
      `objectId=${organizationId}`,
      `userId=${bob.id}`,
      ...cursors,
    ]) {
      const { status, body } = await server.call(`GET ${hostile}?${query}`, { as: mallory });
      assert.equal(status, 200, query);
      assert.deepEqual(body.items, [], query);
    }
    for (const [person, status] of [
      [mallory, 404],
      [bob, 403],
      [ada, 200],
    ] as const) {
      for (const end of ['', '/export'])
        assert.equal((await server.call(`GET ${path}${end}`, { as: person })).status, status);
    }
    for (const key of ['unknown:a', 'role', `share:${'x'.repeat(500)}`]) {
      const cursor = Buffer.from(key).toString('base64url');
      const { status, body } = await server.call(`GET ${path}?cursor=${cursor}`, { as: ada });
      assert.deepEqual([status, body.code], [400, 'invalid_parameters'], key);
    }
  });
});

/** Stores an identity of a person as a sign-in through a directory does. */
async function insertIdentity(
  server: TestServer,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: string },
): Promise<void> {
  await server.database.writeSlowly((transaction) =>
    transaction.execute(
      `insert into sso_identities (configuration_id, issuer, subject, organization_id, user_id, created_at, role)
        values ('c', 'i', 's', '${organizationId}', '${userId}', '${at}', '${role}')`,
    ),
  );
}
