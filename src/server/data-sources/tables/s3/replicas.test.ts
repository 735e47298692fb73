import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openFilesOffice } from '../../../../../tests/support/data-sources/uploads.ts';
import { problemOf, type TestServer } from '../../../../../tests/support/server/test-server.ts';
import { startReplicas } from '../../../../../tests/support/storage/s3/replicas.ts';
import { startS3Server, type S3Server } from '../../../../../tests/support/storage/s3/s3-server.ts';

/** Returns the keys in the bucket without the prefix. */
async function keysOf(server: S3Server): Promise<string[]> {
  const objects = await server.direct('atrium/');
  const keys: string[] = [];
  for await (const { key } of objects.list('')) keys.push(key);
  return keys;
}

const cacheOf = ({ dataDirectory }: TestServer) => join(dataDirectory, 'tables-cache');

describe('replicas whose tables are on S3-compatible storage', () => {
  test('query, replace and delete the tables of each other', async (context) => {
    const server = await startS3Server(context);
    const { one, other } = await startReplicas(context, server);
    const office = await openFilesOffice(one);
    const { owner: as, organizationId, id, path, upload } = office;
    const preview = async (replica: TestServer, table = 't') => {
      const { body } = await replica.call(`GET ${path}/tables/${table}/preview`, { as });
      return body.rows ?? body.detail;
    };
    assert.equal((await upload('t', 'a\n1\n')).status, 200);
    assert.deepEqual([await preview(one), await preview(other)], [[[1]], [[1]]]);
    const [mark, table] = (await keysOf(server)).toSorted((key, second) =>
      second.length < key.length ? 1 : -1,
    );
    assert.equal(mark, 'instance-id');
    assert.match(table ?? '', new RegExp(`^${organizationId}/${id}/[0-9a-f]{32}[.]duckdb$`));
    assert.ok(existsSync(join(cacheOf(other), table ?? '')));
    assert.equal(existsSync(join(other.dataDirectory, 'sources')), false);

    assert.equal((await upload('t', 'a\n2\n')).status, 200);
    assert.deepEqual(await preview(other), [[2]]);

    const sent = await one.call(`POST /api/organizations/${organizationId}/uploads`, {
      as,
      body: 'b\n3\n',
      headers: { 'content-type': 'text/csv' },
    });
    const seen = await other.call(`POST /api/uploads/${sent.body.id}/preview`, { as, body: {} });
    assert.deepEqual(seen.body.rows, [[3]], seen.text);
    const input = { dataSourceId: id, table: 'u' };
    assert.equal(
      (await other.call(`POST /api/uploads/${sent.body.id}/import`, { as, body: input })).status,
      200,
    );
    assert.deepEqual(await preview(one, 'u'), [[3]]);
    assert.ok(!(await keysOf(server)).some((key) => key.includes('/uploads/')));

    const sample = await other.call(`POST /api/organizations/${organizationId}/sample`, { as });
    assert.equal(sample.status, 201, sample.text);
    const samplePath = `/api/data-sources/${sample.body.dataSourceId}/tables/weather/preview`;
    assert.equal((await one.call(`GET ${samplePath}`, { as })).body.rows.length, 100);

    await one.call(`DELETE ${path}`, { as });
    assert.equal((await one.call(`DELETE /api/trash/data-sources/${id}`, { as })).status, 204);
    const isDeleted = async () => !(await keysOf(server)).some((key) => key.includes(`/${id}/`));
    while (!(await isDeleted())) await new Promise(setImmediate);
  });

  test('store nothing while the storage is down, and query the tables that have local copies', async (context) => {
    const server = await startS3Server(context);
    const { one, other } = await startReplicas(context, server);
    for (const replica of [one, other]) replica.expectErrors();
    const { owner: as, organizationId, path, upload } = await openFilesOffice(one);
    await upload('cached', 'a\n1\n');
    await upload('uncached', 'a\n2\n');
    const preview = (replica: TestServer, table: string) =>
      replica.call(`GET ${path}/tables/${table}/preview`, { as });
    const before = await keysOf(server);
    server.stop();
    const refused = await upload('new', 'a\n3\n');
    assert.deepEqual(problemOf(refused), { status: 503, code: 'unavailable' });
    assert.match(refused.body.detail, /not stored, because the storage of uploaded tables is not available/);
    const sent = await one.call(`POST /api/organizations/${organizationId}/uploads`, {
      as,
      body: 'b\n3\n',
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(sent.status, 503);
    const sample = await one.call(`POST /api/organizations/${organizationId}/sample`, { as });
    assert.equal(sample.status, 503);
    const { status, body: readiness } = await one.call('GET /api/health/ready');
    assert.deepEqual([status, readiness.status], [200, 'degraded']);
    assert.deepEqual(readiness.checks.at(-1), {
      name: 'tables',
      status: 'degraded',
      detail: 'The storage of uploaded tables is not available. The log has the cause.',
    });
    const tables = await one.call(`GET ${path}/tables`, { as });
    assert.deepEqual(
      tables.body.items.map(({ name }: { name: string }) => name),
      ['cached', 'uncached'],
    );
    assert.deepEqual((await preview(one, 'cached')).body.rows, [[1]]);

    const uncached = await preview(other, 'uncached');
    assert.deepEqual(problemOf(uncached), { status: 422, code: 'query_failed' });
    assert.match(
      uncached.body.detail,
      /^The table uncached cannot be opened at the moment, because the storage/,
    );
    server.resume();
    assert.deepEqual((await preview(other, 'cached')).body.rows, [[1]]);
    const [organization = ''] = readdirSync(cacheOf(other)).filter((name) => name === organizationId);
    const source = path.split('/').at(-1) ?? '';
    const copies = join(cacheOf(other), organization, source);
    assert.equal(readdirSync(copies).length, 2);
    server.stop();
    assert.deepEqual((await preview(other, 'uncached')).body.rows, [[2]]);
    // Only one of two tables has a copy.
    const [copy = ''] = readdirSync(copies);
    rmSync(join(copies, copy));
    const results = await Promise.all(['cached', 'uncached'].map((table) => preview(other, table)));
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200, 422]));
    server.resume();
    assert.equal((await upload('new', 'a\n3\n')).status, 200);
    assert.deepEqual((await preview(other, 'new')).body.rows, [[3]]);
    assert.equal(
      (await keysOf(server)).length,
      before.length + 1,
      'nothing was left of the uploads that failed',
    );
  });

  test('report a table whose object is damaged, and query the others', async (context) => {
    const server = await startS3Server(context);
    const { one, other } = await startReplicas(context, server);
    other.expectErrors();
    const { owner: as, path, upload } = await openFilesOffice(one);
    await upload('damaged', 'a\n1\n');
    const [key = ''] = (await keysOf(server)).filter((name) => name.endsWith('.duckdb'));
    await upload('sound', 'a\n2\n');
    const objects = await server.direct('atrium/');
    await objects.writeText(key, 'not what was stored');
    const { body } = await other.call(`GET ${path}/tables`, { as });
    assert.deepEqual(
      body.items.map(({ name, fault }: { name: string; fault?: string }) => [name, fault]),
      [
        [
          'damaged',
          'The table damaged cannot be opened: its file is damaged or missing. Upload the table again.',
        ],
        ['sound', undefined],
      ],
    );
    assert.deepEqual((await other.call(`GET ${path}/tables/sound/preview`, { as })).body.rows, [[2]]);
    assert.equal(
      other.log.filter((line) => line.includes('missing or damaged') && line.includes(key)).length,
      1,
    );
  });
});
