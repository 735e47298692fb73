import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeOnBothEngines,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/test-server.ts';
import { prepare } from '../storage/prepared-query.ts';

const restrict = prepare((db, p: { id: string }) =>
  db.updateTable('dashboards').set({ restricted: 1 }).where('id', '=', p.id),
);
const share = prepare((db, p: { dashboardId: string; userId: string }) =>
  db
    .insertInto('dashboard_shares')
    .values({ dashboard_id: p.dashboardId, user_id: p.userId, access: 'view' }),
);

describeOnBothEngines('the listing of dashboards', (engine) => {
  test('has a restricted dashboard for its owner, the named and the admins alone, and pages past the others', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const [admin, author, named, viewer] = [
      await server.createMember(organizationId, 'admin'),
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const open = await create(server, author, { name: 'Open', organizationId });
    const secret = await create(server, author, { name: 'Secret', organizationId });
    await create(server, author, { name: 'Open too', organizationId });
    await server.database.write(async (transaction) => {
      await transaction.run(restrict, { id: secret });
      await transaction.run(share, { dashboardId: secret, userId: named.id });
    });
    const all = ['Open', 'Open too', 'Secret'];
    for (const [person, names] of [
      [owner, all],
      [admin, all],
      [author, all],
      [named, all],
      [viewer, ['Open', 'Open too']],
    ] as const) {
      for (const query of ['', `organizationId=${organizationId}`]) {
        assert.deepEqual((await namesOf(server, person, query)).toSorted(), names);
        assert.deepEqual((await namesOf(server, person, `${query}&limit=1`)).toSorted(), names);
      }
    }
    assert.equal((await server.call(`GET /api/dashboards/${open}`, { as: viewer })).status, 200);
    assert.equal((await server.call(`GET /api/dashboards/${secret}`, { as: viewer })).status, 404);
  });
});

async function create(server: TestServer, as: Person, body: object): Promise<string> {
  const answer = await server.call('POST /api/dashboards', { as, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}

/** Returns the names in a list, all its pages behind each other. */
async function namesOf(server: TestServer, as: Person, query: string): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const answer = await server.call(
      `GET /api/dashboards?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      {
        as,
      },
    );
    assert.equal(answer.status, 200, answer.text);
    names.push(...answer.body.items.map(({ name }: { name: string }) => name));
    cursor = answer.body.nextCursor;
  }
  return names;
}
