import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDashboard, share, startTeam, type Team } from '../../../../tests/support/dashboards/team.ts';
import { holdLocks, holdRow, untilWaiting } from '../../../../tests/support/storage/held-locks.ts';
import { problemOf, type Person } from '../../../../tests/support/server/test-server.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { dashboardKind } from '../kind.ts';

/** SQLite has one writer at a time: no permission can be withdrawn while a write waits. */
describe('a change that waits on PostgreSQL while the permission is withdrawn', () => {
  const withdrawals: Record<string, (team: Team, eve: Person) => Promise<unknown>> = {
    'with the membership': ({ server, ada, organizationId }, eve) =>
      server.call(`DELETE /api/organizations/${organizationId}/members/${eve.id}`, { as: ada }),
    'with the role': ({ server, ada, organizationId }, eve) =>
      server.call(`PATCH /api/organizations/${organizationId}/members/${eve.id}`, {
        as: ada,
        body: { role: 'viewer' },
      }),
    'with the share of the dashboard': ({ server }) =>
      server.database.write((transaction) => transaction.run(removeShares, {})),
  };
  for (const [how, withdraw] of Object.entries(withdrawals)) {
    test(`is refused: ${how}`, async (context) => {
      const team = await startTeam(context, 'PostgreSQL');
      const { server, ada, organizationId } = team;
      const isShared = how.endsWith('dashboard');
      const eve = await server.createMember(organizationId, isShared ? 'viewer' : 'editor');
      const id = await createDashboard(server, ada, { name: 'Before', organizationId });
      if (isShared) {
        await share(server, ada, id, { restricted: false, members: [{ userId: eve.id, access: 'edit' }] });
      }
      const release = await holdRow(server.database, 'dashboards', id);
      const patch = server.call(`PATCH /api/dashboards/${id}`, {
        as: eve,
        body: { name: 'Late' },
        headers: { 'if-match': '*' },
      });
      const deletion = server.call(`DELETE /api/dashboards/${id}`, { as: eve });
      await untilWaiting(server.database, 2);
      await withdraw(team, eve);
      await release();
      const refused = how === 'with the membership' ? 404 : 403;
      assert.deepEqual([(await patch).status, (await deletion).status], [refused, refused]);
      const { body } = await server.call(`GET /api/dashboards/${id}`, { as: ada });
      assert.equal(body.name, 'Before');
    });
  }
});

test('a star, a visit or an editor is not found on PostgreSQL if the dashboard is purged in the meantime', async (context) => {
  const { server, ada, bob, organizationId } = await startTeam(context, 'PostgreSQL');
  const id = await createDashboard(server, ada, { name: 'Before', organizationId });
  const endPurge = await holdLocks(server.database, (transaction) =>
    dashboardKind.store.delete(transaction, id),
  );
  const requests = ['star', 'visit', 'editing'].map((what) =>
    server.call(`PUT /api/dashboards/${id}/${what}`, { as: bob }),
  );
  await untilWaiting(server.database, requests.length);
  await endPurge();
  const problem = { status: 404, code: 'not_found' };
  assert.deepEqual((await Promise.all(requests)).map(problemOf), [problem, problem, problem]);
});

const removeShares = prepare((db) => db.deleteFrom('shares'));
