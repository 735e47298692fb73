import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { openFilesOffice } from '../../../../../tests/support/data-sources/uploads.ts';
import { atEndOf } from '../../../../../tests/support/endings.ts';
import { openTestDatabase, startTestServer } from '../../../../../tests/support/server/test-server.ts';
import { startReplicas } from '../../../../../tests/support/storage/s3/replicas.ts';
import {
  startS3Server,
  testLimits,
  type S3Server,
} from '../../../../../tests/support/storage/s3/s3-server.ts';
import { verifyServer } from '../../../backup/verify/server.ts';
import { StartError } from '../../../base/errors.ts';
import { readFacts } from '../../../storage/file-facts.ts';
import { openS3Files, type S3Settings } from './open.ts';

async function openWith(context: TestContext, server: S3Server, more: Partial<S3Settings> = {}) {
  const { database, dataDirectory, drop } = await openTestDatabase('PostgreSQL');
  atEndOf(context, drop);
  atEndOf(context, () => database.close());
  const settings = {
    dataDirectory,
    tablesUrl: 's3://tables/atrium/',
    tablesCacheMb: 1,
    s3Endpoint: server.endpoint,
    s3Region: undefined,
    ...more,
  };
  const open = async () => {
    const files = await openS3Files(database, settings, testLimits);
    atEndOf(context, () => files.close());
    return files;
  };
  return { open, dataDirectory };
}

async function refusalOf(open: () => Promise<unknown>): Promise<string> {
  const error = await open().then(
    () => assert.fail('It was opened.'),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof StartError, String(error));
  return error.message;
}

describe('a server whose tables are on S3-compatible storage', () => {
  test('starts on a bucket or prefix of its own, and not on that of another database', async (context) => {
    const server = await startS3Server(context);
    const own = await openWith(context, server);
    await own.open();
    await own.open();
    const other = await openWith(context, server);
    assert.match(
      await refusalOf(other.open),
      /s3:\/\/tables\/atrium\/ belong to another database.*delete the object atrium\/instance-id/s,
    );
    const elsewhere = await openWith(context, server, { tablesUrl: 's3://tables/elsewhere' });
    await elsewhere.open();
    const objects = await server.direct('atrium/');
    await objects.remove('instance-id');
    await objects.writeText('unknown-organization/source/a.duckdb', 'x');
    assert.match(await refusalOf(own.open), /belong to organizations that this database does not have/);
  });

  test('does not start with wrong credentials or without its bucket, and names the settings without a secret', async (context) => {
    const server = await startS3Server(context);
    const { open } = await openWith(context, server);
    const secret = process.env['AWS_SECRET_ACCESS_KEY'];
    context.after(() => Object.assign(process.env, { AWS_SECRET_ACCESS_KEY: secret }));
    process.env['AWS_SECRET_ACCESS_KEY'] = 'canary-of-a-secret';
    const refusal = await refusalOf(open);
    assert.match(refusal, /ATRIUM_TABLES_URL, AWS_\*.*SignatureDoesNotMatch \(403\).*AWS_SECRET_ACCESS_KEY/s);
    assert.ok(!refusal.includes('canary'));
    process.env['AWS_SECRET_ACCESS_KEY'] = secret;
    const missing = await openWith(context, server, { tablesUrl: 's3://missing' });
    assert.match(await refusalOf(missing.open), /the bucket missing cannot be used: NoSuchBucket \(404\)/);
  });

  test('starts while the storage is down, and stores nothing in a bucket of another database afterwards', async (context) => {
    const server = await startS3Server(context);
    await (await openWith(context, server)).open();
    server.stop();
    const files = await (await openWith(context, server)).open();
    assert.equal(files.state().isReachable, false);
    server.resume();
    const path = join(files.directory, 'organization', 'source', 'a.duckdb');
    await assert.rejects(files.store(path, { sizeBytes: 1, sha256: '' }), { code: 'unavailable' });
    const keep = new AbortController().signal;
    await assert.rejects(
      files.sweepObjects(Date.now, keep, () => undefined),
      /belong to another database/,
    );
  });

  test('queries the tables of a data directory that was copied to the bucket', async (context) => {
    const server = await startS3Server(context);
    const first = await openTestDatabase('PostgreSQL');
    const local = await startTestServer(context, 'PostgreSQL', {}, first);
    const { owner: as, path, upload } = await openFilesOffice(local);
    await upload('t', 'a\n1\n');
    const objects = await server.direct('atrium/');
    const sources = join(local.dataDirectory, 'sources');
    for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.duckdb')) continue;
      const file = join(sources, name);
      await objects.put(name, file, await readFacts(file));
    }
    const { one } = await startReplicas(context, server, {}, first);
    assert.deepEqual((await one.call(`GET ${path}/tables/t/preview`, { as })).body.rows, [[1]]);
  });

  test('deletes objects that belonged to no table for a week, and uploads that were never imported', async (context) => {
    const server = await startS3Server(context);
    const { one } = await startReplicas(context, server);
    const { owner: as, organizationId, id, path, upload } = await openFilesOffice(one);
    await upload('t', 'a\n1\n');
    const sent = await one.call(`POST /api/organizations/${organizationId}/uploads`, {
      as,
      body: 'b\n3\n',
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(sent.status, 201);
    const objects = await server.direct('atrium/');
    await objects.writeText(`${organizationId}/${id}/unknown.duckdb`, 'x');
    await objects.writeText('quarantine/put here by hand', 'x');
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of objects.list('')) if (key !== 'instance-id') found.push(key);
      return found
        .map((key) =>
          key
            .replaceAll(organizationId, 'O')
            .replace(id, 'S')
            .replace(/[0-9a-f]{32}/, '*'),
        )
        .toSorted();
    };
    const { s3Files = assert.fail() } = one;
    const { database, secretBox, dataDirectory } = one;
    const tableCheck = { findFaults: () => assert.fail('no table is in the data directory') };
    const place = {
      database,
      secretBox,
      dataDirectory,
      tableCheck,
      bytesPerSecond: Infinity,
      hasLocalTables: false,
    };
    const { faults, notes } = await verifyServer(place);
    assert.deepEqual([faults, notes.length], [[], 1]);
    const hour = 3_600_000;
    const marked: unknown[] = [];
    const sweep = (hours: number) =>
      s3Files.sweepObjects(
        () => Date.now() + hours * hour,
        new AbortController().signal,
        (each) => marked.push(each),
      );
    const stored = ['O/S/*.duckdb', 'quarantine/put here by hand'];
    await sweep(0);
    assert.deepEqual(await keys(), [
      'O/S/*.duckdb',
      'O/S/unknown.duckdb',
      'O/uploads/*.upload',
      'quarantine/put here by hand',
    ]);
    await sweep(26);
    const day = new Date(Date.now() + 26 * hour).toISOString().slice(0, 10);
    assert.deepEqual(marked, [{ count: 1, directory: `s3://tables/atrium/quarantine/${day}` }]);
    const marker = `quarantine/${day}/O/S/unknown.duckdb`;
    assert.deepEqual(
      await keys(),
      ['O/S/*.duckdb', 'O/S/unknown.duckdb', marker, 'quarantine/put here by hand'].toSorted(),
    );
    await sweep(26 + 7 * 24);
    assert.ok((await keys()).includes('O/S/unknown.duckdb'));
    await sweep(26 + 8 * 24);
    assert.deepEqual(await keys(), stored);
    assert.deepEqual((await one.call(`GET ${path}/tables/t/preview`, { as })).body.rows, [[1]]);

    const copies = join(s3Files.directory, organizationId, id);
    mkdirSync(join(s3Files.directory, organizationId, 'deleted'));
    cpSync(copies, join(s3Files.directory, organizationId, 'deleted'), { recursive: true });
    await s3Files.sweepCache(() => Date.now() + 2 * hour, new AbortController().signal);
    assert.equal(readdirSync(copies).length, 1);
    assert.deepEqual(readdirSync(join(s3Files.directory, organizationId, 'deleted')), []);
  });
});
