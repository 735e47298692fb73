import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openLossyDatabase } from '../../../../tests/support/storage/lossy-database.ts';
import { startTestServer } from '../../../../tests/support/server/test-server.ts';
import { openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';

describe('a commit whose response is lost', () => {
  test('leaves every file that a row may refer to', async (context) => {
    const lossy = await openLossyDatabase(context);
    const server = await startTestServer(context, 'PostgreSQL', {}, lossy);
    server.expectErrors();
    const { owner, organizationId, id, path, upload, preview } = await openFilesOffice(server);
    const sources = join(server.dataDirectory, 'sources', organizationId);
    const files = () => readdirSync(join(sources, id));
    const loseCommitOf = async (
      send: () => Promise<{ status: number; body: { code: string; detail: string } }>,
    ) => {
      // Writes the views that wait to be logged, whose commit would be the next one otherwise.
      await server.call(`GET /api/organizations/${organizationId}/log-stream?log=access`, { as: owner });
      const [{ status, body }] = await Promise.all([send(), lossy.loseNextCommit()]);
      assert.deepEqual([status, body.code], [503, 'unavailable']);
      assert.match(body.detail, /may have been saved/);
    };

    await loseCommitOf(() => upload('t', 'a\n1\n'));
    assert.deepEqual(await preview('t'), [[1]]);
    const [first = ''] = files();
    await loseCommitOf(() => upload('t', 'a\n2\n'));
    assert.deepEqual(await preview('t'), [[2]]);
    assert.equal(files().length, 2);
    assert.ok(files().includes(first), 'the replaced file was removed before its replacement was confirmed');

    await loseCommitOf(() => server.call(`DELETE ${path}/tables/t`, { as: owner }));
    assert.equal(files().length, 2);
    await loseCommitOf(() => server.call(`DELETE ${path}`, { as: owner }));
    assert.equal(files().length, 2);

    await loseCommitOf(() => server.call(`POST /api/organizations/${organizationId}/sample`, { as: owner }));
    const { body } = await server.call(`GET /api/organizations/${organizationId}/data-sources`, {
      as: owner,
    });
    const [sample] = body.items;
    const tables = await server.call(`GET /api/data-sources/${sample.id}/tables`, { as: owner });
    const [table] = tables.body.items;
    assert.ok(existsSync(join(sources, sample.id)));
    const rows = await server.call(`GET /api/data-sources/${sample.id}/tables/${table.name}/preview`, {
      as: owner,
    });
    assert.equal(rows.status, 200);
  });
});
