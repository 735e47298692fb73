import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdRow, untilWaiting } from '../../../tests/support/storage/held-locks.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { reportEditOf } from '../../../tests/support/edits.ts';

/** SQLite has one writer at a time: no permission can be withdrawn while a write waits. */
describe('a change of a report that waits on PostgreSQL while the permission is withdrawn', () => {
  const withdrawals = {
    'with the membership': { line: 'DELETE', body: undefined, refused: 404 },
    'with the role': { line: 'PATCH', body: { role: 'viewer' }, refused: 403 },
  };
  for (const [how, { line, body, refused }] of Object.entries(withdrawals)) {
    test(`is refused: ${how}`, async (context) => {
      const { server, owner, organizationId, save } = await startNewsroom(context, 'PostgreSQL');
      const eve = await server.createMember(organizationId, 'editor');
      const report = await save({ name: 'Before' });
      const deleted = await save({});
      await server.call(`DELETE /api/reports/${deleted.id}`, { as: owner });

      const releases = await Promise.all(
        [report, deleted].map(({ id }) => holdRow(server.database, 'reports', id)),
      );
      const replacing = {
        as: eve,
        body: { ...reportEditOf(report), name: 'Late' },
        headers: { 'if-match': '*' },
      };
      const changes = [
        server.call(`PUT /api/reports/${report.id}`, replacing),
        server.call(`DELETE /api/reports/${report.id}`, { as: eve }),
        server.call(`POST /api/reports/${report.id}/versions/1/restore`, { as: eve }),
        server.call(`POST /api/trash/reports/${deleted.id}/restore`, { as: eve }),
      ];
      await untilWaiting(server.database, changes.length);
      const path = `/api/organizations/${organizationId}/members/${eve.id}`;
      await server.call(`${line} ${path}`, { as: owner, body });
      await Promise.all(releases.map((release) => release()));
      assert.deepEqual(
        (await Promise.all(changes)).map(({ status }) => status),
        changes.map(() => refused),
      );
      assert.deepEqual((await server.call(`GET /api/reports/${report.id}`, { as: owner })).body, report);
      assert.equal((await server.call(`GET /api/reports/${deleted.id}`, { as: owner })).status, 404);
    });
  }
});
