import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDashboard, share, startTeam, type Team } from '../../../tests/support/dashboard-team.ts';
import { sql } from 'kysely';
import { problemOf, type Person } from '../../../tests/support/test-server.ts';
import { prepare } from '../storage/prepared-query.ts';
import { deleteDashboardRow } from './dashboard-bin-store.ts';

/** SQLite has one writer at a time: nothing is withdrawn while a write waits. */
describe('a change that waits on PostgreSQL while the right to it is withdrawn', () => {
  const withdrawals: Record<string, (team: Team, eve: Person) => Promise<unknown>> = {
    'with the membership': ({ server, ada, organizationId }, eve) =>
      server.call(`DELETE /api/organizations/${organizationId}/members/${eve.id}`, { as: ada }),
    'with the role': ({ server, ada, organizationId }, eve) =>
      server.call(`PATCH /api/organizations/${organizationId}/members/${eve.id}`, {
        as: ada,
        body: { role: 'viewer' },
      }),
    'with the name on the dashboard': ({ server }) =>
      server.database.write((transaction) => transaction.run(removeShares, {})),
  };
  for (const [how, withdraw] of Object.entries(withdrawals)) {
    test(`is refused: ${how}`, async (context) => {
      const team = await startTeam(context, 'PostgreSQL');
      const { server, ada, organizationId } = team;
      const isNamed = how.endsWith('dashboard');
      const eve = await server.createMember(organizationId, isNamed ? 'viewer' : 'editor');
      const id = await createDashboard(server, ada, { name: 'Before', organizationId });
      if (isNamed) {
        await share(server, ada, id, { restricted: false, members: [{ userId: eve.id, access: 'edit' }] });
      }
      const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
      const { promise: withdrawn, resolve: tellWithdrawn } = Promise.withResolvers<void>();
      const holding = server.database.write(async (transaction) => {
        await transaction.first(lockRow, { id });
        tellLocked();
        await withdrawn;
      });
      await locked;
      const patch = server.call(`PATCH /api/dashboards/${id}`, {
        as: eve,
        body: { name: 'Late' },
        headers: { 'if-match': '*' },
      });
      const deletion = server.call(`DELETE /api/dashboards/${id}`, { as: eve });
      while ((await server.database.all(waiting, {})).length < 2);
      await withdraw(team, eve);
      tellWithdrawn();
      await holding;
      const refused = how === 'with the membership' ? 404 : 403;
      assert.deepEqual([(await patch).status, (await deletion).status], [refused, refused]);
      const { body } = await server.call(`GET /api/dashboards/${id}`, { as: ada });
      assert.equal(body.name, 'Before');
    });
  }
});

test('what is noted on PostgreSQL of a dashboard that is purged meanwhile is of none', async (context) => {
  const { server, ada, bob, organizationId } = await startTeam(context, 'PostgreSQL');
  const id = await createDashboard(server, ada, { name: 'Before', organizationId });
  const { promise: purged, resolve: tellPurged } = Promise.withResolvers<void>();
  const { promise: waited, resolve: tellWaited } = Promise.withResolvers<void>();
  const purging = server.database.write(async (transaction) => {
    await deleteDashboardRow(transaction, id);
    tellPurged();
    await waited;
  });
  await purged;
  const notes = ['star', 'visit', 'editing'].map((what) =>
    server.call(`PUT /api/dashboards/${id}/${what}`, { as: bob }),
  );
  while ((await server.database.all(waiting, {})).length < notes.length);
  tellWaited();
  await purging;
  const problem = { status: 404, code: 'not_found' };
  assert.deepEqual((await Promise.all(notes)).map(problemOf), [problem, problem, problem]);
});

const lockRow = prepare((db, p: { id: string }) =>
  db.selectFrom('dashboards').select('id').where('id', '=', p.id).forUpdate(),
);

const removeShares = prepare((db) => db.deleteFrom('dashboard_shares'));

/** Who waits for a lock in this database. */
const waiting = prepare((db) => ({
  compile: () =>
    sql<{
      pid: number;
    }>`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.compile(
      db,
    ),
}));
