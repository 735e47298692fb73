import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFilesOffice } from '../../../tests/support/data-sources/uploads.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';
import { finishAfterResponses } from '../http/response/after-response.ts';
import { createSecretBox } from '../base/credentials/secret-box.ts';
import { daysMs } from '../base/clock.ts';
import { listSealedPasswords, rotatePasswords } from './passwords.ts';
import { purgeOldSources } from './trash.ts';

const running = new AbortController().signal;

describeOnUsualEngine('a deleted data source', (engine) => {
  test('is in the trash with its tables, where its reports fail, and is restored as it was', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId, path, id, upload, preview } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    await upload('old', 'a\n1\n');
    assert.equal((await server.call(`DELETE ${path}/tables/old`, { as })).status, 204);
    const previewed = {
      organizationId,
      dataSourceId: id,
      query: 'select {{n}} as n from sales',
      parameters: [{ name: 'n', type: 'text', default: '1', allowed: { query: 'select a from sales' } }],
    };
    const content = { ...previewed, name: 'Total', cacheSeconds: 3600 };
    const { body: report } = await server.call('POST /api/reports', { as, body: content });
    const run = () => server.call(`POST /api/reports/${report.id}/run`, { as, body: {} });
    const ran = await run();
    assert.deepEqual(ran.body.rows, [['1']], ran.text);

    assert.deepEqual(problemOf(await server.call(`DELETE ${path}`, { as })), {
      status: 409,
      code: 'data_source_in_use',
    });
    assert.equal((await server.call(`DELETE ${path}?force=true`, { as })).status, 204);

    const trash = `GET /api/organizations/${organizationId}/trash`;
    const { items } = (await server.call(`${trash}/data-sources`, { as })).body;
    const [{ deletedAt, purgeAt, ...item }] = items;
    assert.deepEqual(item, {
      id,
      organizationId,
      name: 'Files',
      kind: 'files',
      deletedBy: as.id,
      deletedByName: 'Ada',
    });
    assert.equal(Date.parse(purgeAt) - Date.parse(deletedAt), daysMs(30));
    const fault = 'The data source “Files” is in the trash. Restore it to run this report.';
    for (const failed of [
      await run(),
      await server.call('POST /api/reports/preview', { as, body: previewed }),
      await server.call(`GET /api/reports/${report.id}/parameters/n/values`, { as }),
    ])
      assert.deepEqual([failed.status, failed.body.detail.endsWith(fault)], [422, true], failed.body.detail);

    const { body: refused } = await server.call('POST /api/reports', { as, body: content });
    assert.deepEqual(
      refused.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/dataSourceId'],
    );
    const listed = await server.call(`GET /api/organizations/${organizationId}/data-sources`, { as });
    assert.deepEqual(listed.body, { items: [] });
    assert.deepEqual((await server.call(`${trash}/tables`, { as })).body, { items: [] });
    for (const line of [
      `GET ${path}`,
      `GET ${path}/uses`,
      `GET ${path}/tables`,
      `POST ${path}/test`,
      `DELETE ${path}`,
    ])
      assert.equal((await server.call(line, { as })).status, 404, line);
    assert.equal((await upload('late', 'a\n1\n')).status, 404);

    const restored = await server.call(`POST /api/trash/data-sources/${id}/restore`, { as });
    assert.deepEqual([restored.status, restored.body.name], [200, 'Files']);
    assert.deepEqual(await preview('sales'), [[1]]);
    assert.deepEqual((await run()).body.rows, [['1']]);
    assert.equal((await server.call(`${trash}/tables`, { as })).body.items[0].name, 'old');
    assert.deepEqual((await server.call(`${trash}/data-sources`, { as })).body, { items: [] });
    assert.equal((await server.call(`POST /api/trash/data-sources/${id}/restore`, { as })).status, 404);
    assert.equal((await server.call(`DELETE /api/trash/data-sources/${id}`, { as })).status, 404);
  });

  test('is deleted permanently with its tables, files and password', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId, path, id, upload } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    const directory = join(server.dataDirectory, 'sources', organizationId, id);
    await access(directory);
    const create = async (name: string) => {
      const connection = {
        host: 'db.example',
        port: 5432,
        database: 'd',
        user: 'u',
        tls: 'verify',
        password: 'p',
      };
      const body = { name, kind: 'postgresql', connection };
      return (await server.call(`POST /api/organizations/${organizationId}/data-sources`, { as, body })).body
        .id;
    };
    const first = await create('First');
    const second = await create('Second');
    for (const source of [first, second, id]) {
      server.advance(1_000);
      assert.equal((await server.call(`DELETE /api/data-sources/${source}`, { as })).status, 204);
    }
    const box = createSecretBox([
      'the next root key, 32 characters or more',
      'the root key of the tests, 32 characters or more',
    ]);
    assert.equal(await rotatePasswords(server.database, box), 2);

    const trash = `GET /api/organizations/${organizationId}/trash/data-sources`;
    const page = (await server.call(`${trash}?limit=2`, { as })).body;
    const rest = (await server.call(`${trash}?limit=2&cursor=${page.nextCursor}`, { as })).body;
    assert.deepEqual(
      [page, rest].map(({ items }) => items.map((item: { id: string }) => item.id)),
      [[id, second], [first]],
    );

    assert.equal((await server.call(`DELETE /api/trash/data-sources/${first}`, { as })).status, 204);
    assert.equal((await listSealedPasswords(server.database)).length, 1);
    assert.equal((await server.call(`DELETE /api/trash/data-sources/${id}`, { as })).status, 204);
    // Its files are removed after the response.
    await finishAfterResponses(server.app.server);
    await assert.rejects(access(directory), { code: 'ENOENT' });

    await purgeOldSources({ database: server.database, clock: () => server.clock() + daysMs(29) }, running);
    assert.equal((await server.call(trash, { as })).body.items.length, 1);
    await purgeOldSources(
      { database: server.database, clock: () => server.clock() + daysMs(30) + 1 },
      running,
    );
    assert.deepEqual((await server.call(trash, { as })).body, { items: [] });
    assert.deepEqual(await listSealedPasswords(server.database), []);
    const audit = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=data_source.purged`,
      { as },
    );
    assert.deepEqual(
      audit.body.items.map(({ details, actorId }: { details: { name: string }; actorId?: string }) => [
        details.name,
        actorId !== undefined,
      ]),
      [
        ['Second', false],
        ['Files', true],
        ['First', true],
      ],
    );
    assert.equal((await server.call(`GET ${path}`, { as })).status, 404);
  });

  test('counts toward the quota until it is deleted permanently', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '1' });
    const { owner: as, organizationId, id, path, upload } = await openFilesOffice(server);
    const text = 'id,name\n1,Ada\n2,Bob\n';
    assert.equal((await upload('first', text)).status, 200);
    assert.equal((await server.call(`DELETE ${path}`, { as })).status, 204);
    const { body: other } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
      as,
      // The name of a deleted source can be used again.
      body: { name: 'Files', kind: 'files' },
    });
    const uploadToOther = () =>
      server.call(`PUT /api/data-sources/${other.id}/tables/second`, {
        as,
        body: text,
        headers: { 'content-type': 'text/csv' },
      });
    assert.deepEqual(problemOf(await uploadToOther()), { status: 413, code: 'body_too_large' });
    assert.equal((await server.call(`DELETE /api/trash/data-sources/${id}`, { as })).status, 204);
    assert.equal((await uploadToOther()).status, 200);
  });
});
