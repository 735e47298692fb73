import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../../tests/support/server/test-server.ts';
import { daysMs, hoursMs } from '../../base/clock.ts';
import type { Reader } from '../../storage/database.ts';
import { sweepSourceFiles } from './sweep.ts';
import { purgeOldTables } from './trash.ts';

describeOnUsualEngine('a deleted table', (engine) => {
  test('names the reports that use it, and is restored or deleted permanently', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId, path, id, upload, preview } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    for (const [name, query] of [
      ['Total', 'select sum(a) from "Sales"'],
      ['Other', "select 'sales' as text -- sales"],
    ])
      await server.call('POST /api/reports', {
        as,
        body: { organizationId, dataSourceId: id, name, query },
      });
    const viewer = await server.createMember(organizationId, 'viewer');
    const uses = await server.call(`GET ${path}/uses?table=sales`, { as: viewer });
    assert.deepEqual(
      [uses.body.totalCount, uses.body.items.map(({ name }: { name: string }) => name)],
      [1, ['Total']],
    );
    assert.equal((await server.call(`GET ${path}/uses`, { as })).body.totalCount, 2);

    const trash = `GET /api/organizations/${organizationId}/trash/tables`;
    const remove = async () => {
      assert.equal((await server.call(`DELETE ${path}/tables/sales`, { as })).status, 204);
      const { items } = (await server.call(trash, { as })).body;
      return items[0];
    };
    const { id: deleted, sizeBytes, deletedAt, purgeAt, ...item } = await remove();
    assert.deepEqual(item, {
      organizationId,
      dataSourceId: id,
      dataSourceName: 'Files',
      name: 'sales',
      rowCount: 1,
      deletedBy: as.id,
      deletedByName: 'Ada',
    });
    assert.equal(Date.parse(purgeAt) - Date.parse(deletedAt), daysMs(30));
    assert.ok(sizeBytes > 0);
    assert.equal(await preview('sales'), 'not_found');
    const body = { organizationId, dataSourceId: id, query: 'from SALES' };
    const failed = await server.call('POST /api/reports/preview', { as, body });
    assert.deepEqual(
      [failed.body.code, failed.body.detail],
      ['query_failed', 'The table sales is in the trash. Restore it to run this query. (line 1, column 6)'],
    );

    await upload('sales', 'b\n2\n');
    const restore = `POST /api/trash/tables/${deleted}/restore`;
    assert.deepEqual(problemOf(await server.call(restore, { as })), { status: 409, code: 'table_exists' });
    const second = await remove();
    assert.equal((await server.call(restore, { as })).status, 200);
    assert.deepEqual(await preview('sales'), [[1]]);
    assert.equal((await server.call(restore, { as })).status, 404);
    assert.equal((await server.call(`DELETE /api/trash/tables/${second.id}`, { as })).status, 204);
    assert.deepEqual((await server.call(trash, { as })).body, { items: [] });
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit?action=table.purged`, {
      as,
    });
    assert.equal(audit.body.items.length, 1);
  });

  test('counts toward the quota until it is deleted permanently, after 30 days by itself', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '1' });
    const { owner: as, path, upload } = await openFilesOffice(server);
    const text = 'id,name\n1,Ada\n2,Bob\n';
    assert.equal((await upload('first', text)).status, 200);
    assert.equal((await server.call(`DELETE ${path}/tables/first`, { as })).status, 204);
    const full = { status: 413, code: 'body_too_large' };
    assert.deepEqual(problemOf(await upload('second', text)), full);
    const running = new AbortController().signal;
    await purgeOldTables(server.database, () => server.clock() + daysMs(29), running);
    assert.deepEqual(problemOf(await upload('second', text)), full);
    await purgeOldTables(server.database, () => server.clock() + daysMs(30) + 1, running);
    assert.equal((await upload('second', text)).status, 200);
  });

  test('keeps its file if it is restored while files are swept', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId, path, upload, preview } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    await server.call(`DELETE ${path}/tables/sales`, { as });
    const trash = `GET /api/organizations/${organizationId}/trash/tables`;
    const [{ id }] = (await server.call(trash, { as })).body.items;
    let queryCount = 0;
    const reader: Reader = {
      first: (...query) => server.database.first(...query),
      page: (...query) => server.database.page(...query),
      async all(...query) {
        const rows = await server.database.all(...query);
        queryCount += 1;
        if (queryCount === 1)
          assert.equal((await server.call(`POST /api/trash/tables/${id}/restore`, { as })).status, 200);
        return rows;
      },
    };
    const directory = join(server.dataDirectory, 'sources');
    const later = () => Date.now() + hoursMs(2);
    const { signal } = new AbortController();
    await sweepSourceFiles(reader, later, { directory, isSole: false }, signal, () => assert.fail());
    assert.deepEqual(await preview('sales'), [[1]]);
  });
});
