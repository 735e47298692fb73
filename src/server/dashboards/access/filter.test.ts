import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayOn, permissions, roles, type Action, type Standing } from '#shared/permissions.ts';
import { describeOnBothEngines, startTestServer } from '../../../../tests/support/server/test-server.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { mayOnDashboard, mayOnDashboardOfMember } from './filter.ts';
import { putShare } from './store.ts';

// Sound because the keys of the table are the actions.
const actions = Object.keys(permissions) as Action[];

/** Every combination of what decides a user's access to a dashboard. */
const standings: readonly Standing[] = [true, false].flatMap((isOwner) => [
  { isPersonal: true, role: undefined, isOwner, share: undefined, isRestricted: false },
  ...[...roles, undefined].flatMap((role) =>
    ([undefined, 'view', 'edit'] as const).flatMap((share) =>
      [true, false].map((isRestricted) => ({ isPersonal: false, role, isOwner, share, isRestricted })),
    ),
  ),
]);

describeOnBothEngines('the permission filter', (engine) => {
  test('selects the rows that the table of permissions allows, for every standing and action', async (context) => {
    const server = await startTestServer(context, engine);
    const [reader, other] = [await server.createPerson(), await server.createPerson()];
    const organizationIds = new Map<Standing['role'], string>();
    for (const role of [...roles, undefined]) {
      const id = await server.createOrganization(other);
      if (role !== undefined) await server.addMember(id, reader, role);
      organizationIds.set(role, id);
    }
    const ids = await server.database.write(async (transaction) => {
      const made: string[] = [];
      for (const [index, { isPersonal, role, isOwner, share, isRestricted }] of standings.entries()) {
        const id = `dashboard-${index}`;
        made.push(id);
        await transaction.run(insert, {
          id,
          userId: isOwner ? reader.id : other.id,
          organizationId: isPersonal ? null : (organizationIds.get(role) ?? null),
          restricted: isRestricted ? 1 : 0,
        });
        if (share !== undefined) await putShare(transaction, id, { userId: reader.id, access: share });
      }
      return made;
    });
    for (const action of actions) {
      const rows = await server.database.all(ofReader[action], { userId: reader.id });
      const allowed = new Set(rows.map(({ id }) => id));
      assert.deepEqual(
        standings.filter((_, index) => allowed.has(ids[index] ?? '')),
        standings.filter((standing) => mayOn(standing, action)),
        action,
      );
      const listed = await server.database.all(ofMember[action], { userId: reader.id });
      const isListed = new Set(listed.map(({ id }) => id));
      const ofMembers = standings.filter(({ role }) => role !== undefined);
      assert.deepEqual(
        ofMembers.filter((standing) => isListed.has(ids[standings.indexOf(standing)] ?? '')),
        ofMembers.filter((standing) => mayOn(standing, action)),
        `${action}, of a member`,
      );
    }
  });
});

const queryEach = <Query>(toQuery: (action: Action) => Query): Record<Action, Query> =>
  // Sound because `actions` has every one.
  Object.fromEntries(actions.map((action) => [action, toQuery(action)])) as Record<Action, Query>;

const ofReader = queryEach((action) =>
  prepare((db, p: { userId: string }) =>
    db
      .selectFrom('dashboards')
      .leftJoin('members', (join) =>
        join
          .onRef('members.organization_id', '=', 'dashboards.organization_id')
          .on('members.user_id', '=', p.userId),
      )
      .leftJoin('dashboard_shares', (join) =>
        join
          .onRef('dashboard_shares.dashboard_id', '=', 'dashboards.id')
          .on('dashboard_shares.user_id', '=', p.userId),
      )
      .select('dashboards.id')
      .where(mayOnDashboard(action, p.userId)),
  ),
);

const ofMember = queryEach((action) =>
  prepare((db, p: { userId: string }) =>
    db.selectFrom('dashboards').select('dashboards.id').where(mayOnDashboardOfMember(action, p.userId)),
  ),
);

const insert = prepare(
  (db, p: { id: string; userId: string; organizationId: string | null; restricted: number }) =>
    db.insertInto('dashboards').values({
      id: p.id,
      user_id: p.userId,
      organization_id: p.organizationId,
      name: 'Sales',
      description: null,
      widgets: '[]',
      version: 1,
      created_at: '2026-11-21T09:00:00.000Z',
      updated_at: '2026-11-21T09:00:00.000Z',
      updated_by: p.userId,
      change: 'created',
      restricted: p.restricted,
    }),
);
