import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../../tests/support/server/test-server.ts';
import { openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';
import { prepare } from '../../storage/prepared-query.ts';

const csv = 'id,name\n1,Ada\n2,Bob\n';
const fileRows = prepare((db) => db.selectFrom('source_tables').select(['name', 'file']).orderBy('name'));

const copyRow = prepare((db, p: { id: string; name: string; at: string }) =>
  db.insertInto('source_tables').values({
    data_source_id: p.id,
    name: p.name,
    file: p.name,
    columns: '[]',
    row_count: 0,
    size_bytes: 0,
    created_at: p.at,
  }),
);

describeOnUsualEngine('an uploaded table', (engine) => {
  test('is imported from CSV, TSV, JSON, NDJSON and Parquet, listed, previewed and deleted', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, path, organizationId, id, upload, preview } = await openFilesOffice(server);
    const parquet = await readFile('node_modules/vega-datasets/data/flights-3m.parquet');
    const uploaded = await upload('people', csv, 'text/csv; charset=utf-8');
    const people = {
      schema: 'main',
      name: 'people',
      columns: [
        { name: 'id', type: 'integer', sourceType: 'BIGINT' },
        { name: 'name', type: 'text', sourceType: 'VARCHAR' },
      ],
      rowCount: 2,
    };
    assert.deepEqual([uploaded.status, uploaded.body], [200, people]);
    const json = '[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]';
    const others: [string, string, string][] = [
      ['tabbed', csv.replaceAll(',', '\t'), 'text/tab-separated-values'],
      ['json', json, 'application/json'],
      ['lines', '{"id":1,"name":"Ada"}\n{"id":2,"name":"Bob"}\n', 'application/x-ndjson'],
    ];
    for (const [table, content, type] of others) {
      assert.deepEqual((await upload(table, content, type)).body, { ...people, name: table });
      assert.deepEqual(await preview(table), [
        [1, 'Ada'],
        [2, 'Bob'],
      ]);
    }
    const listed = await server.call(`GET ${path}/tables`, { as });
    assert.deepEqual(
      listed.body.items.map(({ name }: { name: string }) => name),
      ['json', 'lines', 'people', 'tabbed'],
    );
    assert.deepEqual(listed.body.items[2], people);
    const tested = await server.call(`POST ${path}/test`, { as });
    assert.equal(tested.body.isReachable, true, tested.text);

    assert.equal((await server.call(`DELETE ${path}/tables/json`, { as })).status, 204);
    assert.equal((await server.call(`DELETE ${path}/tables/json`, { as })).status, 404);
    assert.equal(await preview('json'), 'not_found');
    const flights = await upload('flights', parquet, 'application/vnd.apache.parquet');
    assert.ok(flights.body.rowCount > 1_000_000, flights.text);
    const { body } = await server.call(`GET ${path}/tables/flights/preview?schema=main`, { as });
    assert.deepEqual([body.rowCount, body.isCutOff], [100, true]);
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit?action=table.uploaded`, {
      as,
    });
    const { sizeBytes, ...details } = audit.body.items.at(-1).details;
    assert.ok(sizeBytes > 0);
    assert.deepEqual(details, { dataSourceId: id, table: 'people', rowCount: 2 });
  });

  test('has null for an empty cell, in quotes or not, which does not turn numbers into text', async (context) => {
    const { upload, preview } = await openFilesOffice(await startTestServer(context, engine));
    const quoted = '"id","name","day"\n"1","Ada","2026-11-21"\n"","",""\n,,\n';
    const { body } = await upload('quoted', quoted);
    assert.deepEqual(
      body.columns.map(({ type }: { type: string }) => type),
      ['integer', 'text', 'date'],
    );
    const nothing = [null, null, null];
    assert.deepEqual(await preview('quoted'), [[1, 'Ada', '2026-11-21'], nothing, nothing]);
  });

  test('of a broken file is refused with every fault, in words of our own', async (context) => {
    const { upload, preview } = await openFilesOffice(await startTestServer(context, engine));
    const broken = await upload('t', `id,name\n${'1,a\n'.repeat(5_000)}2,"b\n3,c\n4\n5,d,e\n`);
    assert.deepEqual([broken.status, broken.body.code], [422, 'unreadable_file']);
    assert.match(
      broken.body.detail,
      /^The file was not imported: 3 rows are broken. Line 5002: A quote in this row/,
    );
    assert.deepEqual(
      broken.body.errors.map(({ message }: { message: string }) => message.slice(0, 22)),
      ['Line 5002: A quote in ', 'Line 5004: The row has', 'Line 5005: The row has'],
    );
    assert.equal(await preview('t'), 'not_found');
    const json = await upload('t', '[{"a":1},{"a":', 'application/json');
    assert.equal(json.body.detail, 'The file is not valid JSON, or it is incomplete.');
    for (const text of [broken.text, json.text])
      assert.doesNotMatch(text, /read_csv|sniff|Possible|read_json|ignore_/);
    const german = Buffer.from('Tag;Betrag\n01.02.2026;1.234,56\n02.02.2026;7,5\n', 'latin1');
    assert.equal((await upload('german', german)).status, 200);
    assert.deepEqual(await preview('german'), [
      ['2026-02-01', 1234.56],
      ['2026-02-02', 7.5],
    ]);
  });

  test('is replaced as a whole or not at all, and a failed upload leaves nothing behind', async (context) => {
    const server = await startTestServer(context, engine);
    const { id, organizationId, upload, preview } = await openFilesOffice(server);
    await upload('t', 'a\n1\n');
    const [before] = await server.database.all(fileRows, {});
    const broken: [string | Buffer, string, string][] = [
      ['', 'text/csv', 'unreadable_file'],
      ['{"a":', 'application/json', 'unreadable_file'],
      ['PAR1 and then nothing', 'application/vnd.apache.parquet', 'unreadable_file'],
      [Buffer.from([0, 255, 254, 10, 0]), 'application/x-ndjson', 'unreadable_file'],
      ['a\n2\n', 'text/plain', 'unsupported_media_type'],
      ['a\n2\n', 'text/csvx', 'unsupported_media_type'],
      ['a\n2\n', '', 'unsupported_media_type'],
    ];
    for (const [content, type, code] of broken) {
      const response = await upload('t', content, type);
      assert.equal(response.body?.code, code, `${type} ${response.text}`);
      if (type.startsWith('text/') && response.status === 415)
        assert.match(response.body.detail, /one of text\/csv, /);
      assert.doesNotMatch(response.text, /atrium-test|sources\/|\.upload|\.duckdb/);
    }
    assert.deepEqual(await preview('t'), [[1]]);
    const directory = join(server.dataDirectory, 'sources', organizationId, id);
    assert.deepEqual(readdirSync(directory), [before?.file]);
    assert.equal((await upload('t', 'b\n2\n3\n')).status, 200);
    assert.deepEqual(await preview('t'), [[2], [3]]);
    assert.notEqual((await server.database.all(fileRows, {}))[0]?.file, before?.file);
  });

  test('of a hostile file is only data, or is rejected as unreadable', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, path, upload, preview } = await openFilesOffice(server);
    const header = ['"a""); DROP TABLE data; --"', '__proto__', '<script>', "'", '{{x}}'];
    const named = await upload('named', `${header.join(',')}\n1,2,3,4,5\n`);
    assert.deepEqual(
      named.body.columns.map(({ name }: { name: string }) => name),
      ['a"); DROP TABLE data; --', '__proto__', '<script>', "'", '{{x}}'],
    );
    assert.deepEqual(await preview('named'), [[1, 2, 3, 4, 5]]);
    const injected = `'/etc/passwd'`;
    const seen = await server.call(`GET ${path}/tables/${encodeURIComponent(injected)}/preview`, { as });
    assert.doesNotMatch(seen.text, /root:/);
    assert.equal(seen.status, 404);
    for (const schema of ['information_schema', 't0', 'pg_catalog', 'a"."b']) {
      const url = `GET ${path}/tables/duckdb_settings/preview?schema=${encodeURIComponent(schema)}`;
      assert.equal((await server.call(url, { as })).status, 404, schema);
    }
    const wide = await upload('wide', `${'n'.repeat(1_100_000)}\n1\n`);
    assert.deepEqual(problemOf(wide), { status: 422, code: 'unreadable_file', faults: [' row'] });
    const [statuses, unknown] = [new Set<number>(), 'select * from read_csv("/etc/passwd")'];
    for (const [content, type] of [
      ['['.repeat(100_000), 'application/json'],
      [`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'application/json'],
      [unknown, 'application/vnd.apache.parquet'],
      [`PAR1${'\xff'.repeat(100)}PAR1`, 'application/vnd.apache.parquet'],
      ['"', 'text/csv'],
      ['a,b\n"1', 'text/csv'],
    ] as const)
      statuses.add((await upload('broken', content, type)).status);
    assert.deepEqual(
      [...statuses].filter((status) => status !== 422 && status !== 200),
      [],
    );
    assert.deepEqual(await preview('named'), [[1, 2, 3, 4, 5]]);
  });

  test('has a name that is safe in SQL and file systems', async (context) => {
    const server = await startTestServer(context, engine);
    const { upload } = await openFilesOffice(server);
    for (const name of [
      'Sales',
      '1a',
      '_a',
      'a-b',
      'a%20b',
      'a%22%3B--',
      '..%2F..%2Fx',
      '%2Fetc%2Fpasswd',
      'é',
      'a'.repeat(64),
      'pg_class',
      'duckdb_tables',
      'information_schema',
    ]) {
      const response = await upload(encodeURI(decodeURI(name)), csv);
      assert.deepEqual(
        problemOf(response),
        { status: 400, code: 'invalid_parameters', faults: ['/table table'] },
        name,
      );
    }
    for (const name of ['a', 'a'.repeat(63), 'a_1', 'order', 'select', 't0', 'data'])
      assert.equal((await upload(name, csv)).status, 200, name);
  });

  test('uploaded twice at once is one of the two files', async (context) => {
    const server = await startTestServer(context, engine);
    const { id, organizationId, upload, preview } = await openFilesOffice(server);
    const responses = await Promise.all(['a\n1\n1\n', 'b\n2\n2\n2\n'].map((content) => upload('t', content)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200],
    );
    const rows = JSON.stringify(await preview('t'));
    assert.ok(rows === '[[1],[1]]' || rows === '[[2],[2],[2]]', rows);
    const files = readdirSync(join(server.dataDirectory, 'sources', organizationId, id));
    assert.ok(files.every((file) => file.endsWith('.duckdb')) && files.length === 2);
  });

  test('is rejected if too many uploads run at once', async (context) => {
    const server = await startTestServer(context, engine);
    const { upload } = await openFilesOffice(server);
    const other = await openFilesOffice(server);
    const responses = await Promise.all([
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => upload(name, csv)),
      other.upload('a', csv),
    ]);
    const statuses = responses.map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 429).length, statuses.at(-1)], [2, 200]);
    assert.equal((await upload('e', csv)).status, 200);
  });

  test('is rejected if its data source already has a hundred tables', async (context) => {
    const server = await startTestServer(context, engine);
    const { id, organizationId, upload } = await openFilesOffice(server);
    await upload('own', csv);
    await server.database.write(async (transaction) => {
      for (let index = 1; index < 100; index += 1)
        await transaction.run(copyRow, { id, name: `t${index}`, at: '2026-11-21T09:00:00.000Z' });
    });
    assert.deepEqual(problemOf(await upload('other', csv)), { status: 409, code: 'too_many_tables' });
    assert.equal((await upload('own', csv)).status, 200);
    const files = readdirSync(join(server.dataDirectory, 'sources', organizationId, id));
    assert.equal(files.length, 2, 'the one before is there for a while');
  });

  test('is rejected if it would exceed the quota of its organization', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '1' });
    const { path, owner: as, upload, preview } = await openFilesOffice(server);
    const full = { status: 413, code: 'body_too_large' };
    assert.equal((await upload('first', csv)).status, 200);
    // The smallest database file is larger than half a MiB.
    assert.deepEqual(problemOf(await upload('second', csv)), full);
    assert.equal((await upload('first', csv)).status, 200);
    assert.deepEqual(await preview('first'), [
      [1, 'Ada'],
      [2, 'Bob'],
    ]);
    assert.equal((await server.call(`DELETE ${path}/tables/first`, { as })).status, 204);
    assert.deepEqual(problemOf(await upload('second', csv)), full, 'the table in the trash was not counted');
    const others = await openFilesOffice(server);
    assert.equal((await others.upload('first', csv)).status, 200);
  });

  test('counts toward the quota while it is received, together with other uploads', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '3' });
    const { upload, path, owner: as } = await openFilesOffice(server);
    // The same value repeated, so that the table is small.
    const large = `a\n${'1\n'.repeat(800_000)}`;
    const names = ['one', 'two'];
    const uploads = await Promise.all(names.map((name) => upload(name, large)));
    // Either of the two can be rejected, or both, depending on the order in which their bytes arrive.
    const refused = names.filter((_, index) => uploads[index]?.status !== 200);
    assert.ok(refused.length > 0, 'both were accepted');
    for (const { status, body } of uploads.filter(({ status }) => status !== 200))
      assert.deepEqual([status, body.code], [413, 'body_too_large']);
    for (const name of refused) assert.equal((await upload(name, large)).status, 200);
    assert.equal((await server.call(`GET ${path}/tables`, { as })).body.items.length, 2);
  });

  test('is accessible only in its organization, and changed only by editors', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, organizationId, upload } = await openFilesOffice(server);
    const other = await openFilesOffice(server);
    await upload('secret', csv);
    const viewer = await server.createMember(organizationId, 'viewer');
    for (const [as, status] of [
      [other.owner, 404],
      [viewer, 403],
    ] as const) {
      assert.equal((await upload('secret', csv, 'text/csv', as)).status, status);
      for (const line of [
        `GET ${path}/tables`,
        `GET ${path}/tables/secret/preview`,
        `DELETE ${path}/tables/secret`,
        `POST ${path}/test`,
      ])
        assert.equal((await server.call(line, { as })).status, status, line);
    }
    assert.equal(await other.preview('secret'), 'not_found');
    const removed = await server.createMember(organizationId, 'editor');
    assert.equal((await upload('own', csv, 'text/csv', removed)).status, 200);
    assert.equal((await server.call(`DELETE ${path}`, { as: owner })).status, 204);
    assert.equal((await upload('own', csv)).status, 404);
  });

  test('is unchanged after a client disconnects during an upload', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, id, organizationId, upload, preview } = await openFilesOffice(server);
    await upload('t', 'a\n1\n');
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.app.server.address() as AddressInfo;
    const send = (headers: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `PUT ${path}/tables/t HTTP/1.1\r\nHost: x\r\nCookie: ${sessionCookie}=${owner.token}\r\n` +
          `Content-Type: text/csv\r\n${headers}\r\n\r\n`,
      );
      return socket;
    };
    const tooLarge = send(`Content-Length: ${2 * 1024 ** 3 + 1}`);
    const [response] = (await once(tooLarge, 'data')) as [Buffer];
    assert.match(String(response), /^HTTP\/1\.1 413 .*body_too_large/s);
    tooLarge.destroy();

    const leaving = send('Transfer-Encoding: chunked');
    leaving.write('4\r\na\n2\n\r\n');
    const directory = join(server.dataDirectory, 'sources', organizationId, id);
    const isUnderWay = () => readdirSync(directory).some((file) => file.endsWith('.upload'));
    while (!isUnderWay()) await new Promise(setImmediate);
    leaving.destroy();
    while (isUnderWay()) await new Promise(setImmediate);
    assert.equal(readdirSync(directory).length, 1);
    assert.deepEqual(await preview('t'), [[1]]);
  });
});
