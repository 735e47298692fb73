import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdRow, untilWaiting } from '../../../tests/support/storage/held-locks.ts';
import { startTestServer } from '../../../tests/support/server/test-server.ts';
import { openFilesOffice } from '../../../tests/support/data-sources/uploads.ts';

/** SQLite has one writer at a time: nothing is withdrawn while a write waits. */
describe('a change of a data source that waits on PostgreSQL while its permission is withdrawn', () => {
  const withdrawals = {
    'with the membership': { line: 'DELETE', body: undefined, refused: 404 },
    'with the role': { line: 'PATCH', body: { role: 'viewer' }, refused: 403 },
  };
  for (const [how, { line, body, refused }] of Object.entries(withdrawals)) {
    test(`is refused: ${how}`, async (context) => {
      const { server, owner, organizationId, path, id, upload, preview } = await openFilesOffice(
        await startTestServer(context, 'PostgreSQL'),
      );
      await upload('sales', 'amount\n1\n');
      const eve = await server.createMember(organizationId, 'editor');
      const before = await server.call(`GET ${path}`, { as: owner });

      const release = await holdRow(server.database, 'data_sources', id);
      // A file is imported before its upload waits for the row, and a wait times out after a few seconds.
      const uploading = upload('sales', 'amount\n2\n', 'text/csv', eve);
      await untilWaiting(server.database, 1);
      const changes = [
        uploading,
        server.call(`PUT ${path}`, { as: eve, body: { name: 'Late', kind: 'files' } }),
        server.call(`DELETE ${path}`, { as: eve }),
        server.call(`DELETE ${path}/tables/sales`, { as: eve }),
      ];
      await untilWaiting(server.database, changes.length);
      const memberPath = `/api/organizations/${organizationId}/members/${eve.id}`;
      await server.call(`${line} ${memberPath}`, { as: owner, body });
      await release();
      assert.deepEqual(
        (await Promise.all(changes)).map(({ status }) => status),
        changes.map(() => refused),
      );
      assert.deepEqual((await server.call(`GET ${path}`, { as: owner })).body, before.body);
      assert.deepEqual(await preview('sales'), [[1]]);
    });
  }
});
