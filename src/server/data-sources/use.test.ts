import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdLocks, untilWaiting } from '../../../tests/support/storage/held-locks.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { setSourceDeleted } from './trash-store.ts';

/** SQLite has one writer at a time. */
describe('a data source that is being deleted on PostgreSQL', () => {
  test('gets no new reports', async (context) => {
    const { server, owner, organizationId, save } = await startNewsroom(context, 'PostgreSQL');
    const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
      as: owner,
      body: { name: 'Shop', kind: 'files' },
    });
    const report = await save({});
    const late = { name: 'Late', dataSourceId: source.id, query: 'SELECT 1' };
    const dataSource = { name: 'Shop', kind: 'files' };
    const document = {
      format: 'atrium.report/1',
      id: crypto.randomUUID(),
      name: 'Late',
      dataSource,
      query: 'SELECT 1',
    };
    const endDeletion = await holdLocks(server.database, (transaction) =>
      setSourceDeleted(transaction, source.id, {
        deletedAt: '2026-11-21T09:00:00.000Z',
        deletedBy: owner.id,
      }),
    );
    const saves = [
      server.call('POST /api/reports', { as: owner, body: { organizationId, ...late } }),
      server.call(`PUT /api/reports/${report.id}`, { as: owner, body: late, headers: { 'if-match': '*' } }),
      server.call(`POST /api/organizations/${organizationId}/dashboards/import`, {
        as: owner,
        body: { documents: [document] },
      }),
    ];
    await untilWaiting(server.database, saves.length);
    await endDeletion();
    assert.deepEqual(
      (await Promise.all(saves)).map(({ status, body }) => [
        status,
        body.errors.map((error: { pointer: string }) => error.pointer),
      ]),
      [
        [400, ['/dataSourceId']],
        [400, ['/dataSourceId']],
        [400, ['/documents/0/dataSource']],
      ],
    );
  });
});
