import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
} from '../../../../tests/support/server/test-server.ts';
import { daysMs } from '../../base/clock.ts';
import { sweepUploadRows } from './store.ts';

const bank = 'Date;Amount;Note\n01.02.2026;1.234,56;a\n02.02.2026;n/a;b\n03.02.2026;7,5\n';

describeOnUsualEngine('an upload', (engine) => {
  test('is previewed with guessed and chosen options, then imported into a new source', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId } = await openFilesOffice(server);
    const sent = await server.call(`POST /api/organizations/${organizationId}/uploads`, {
      as,
      body: Buffer.from(bank, 'latin1'),
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(sent.status, 201, sent.text);
    const path = `/api/uploads/${sent.body.id}`;
    const guessed = await server.call(`POST ${path}/preview`, { as, body: {} });
    assert.equal(guessed.status, 200, guessed.text);
    assert.deepEqual(
      guessed.body.options.columns.map(({ type }: { type: string }) => type),
      ['date', 'text', 'text'],
    );
    assert.deepEqual(
      [guessed.body.brokenRowCount, guessed.body.badValueCount, guessed.body.rowCount],
      [1, 0, 2],
    );

    const columns = [
      { name: 'day', type: 'date' },
      { name: 'amount', type: 'double' },
      { name: 'note', type: 'text' },
    ];
    const options = { ...guessed.body.options, decimalMark: ',', columns };
    const chosen = await server.call(`POST ${path}/preview`, { as, body: { options } });
    assert.deepEqual(chosen.body.faults, [
      { line: 3, column: 'amount', value: 'n/a', message: 'The value is not a number.' },
      { line: 4, value: '03.02.2026;7,5', message: 'The row has 2 cells instead of 3.' },
    ]);
    const input = { newSourceName: 'Bank', table: 'bank', options };
    const refused = await server.call(`POST ${path}/import`, { as, body: input });
    assert.deepEqual(problemOf(refused), {
      status: 422,
      code: 'unreadable_file',
      faults: [' row', ' row'],
    });
    assert.match(
      refused.body.detail,
      /1 row is broken, and 1 value does not fit its column. Line 3, column “amount”/,
    );
    const sources = `GET /api/organizations/${organizationId}/data-sources`;
    assert.equal(
      (await server.call(sources, { as })).body.items.length,
      1,
      'a source without a table was created',
    );

    const imported = await server.call(`POST ${path}/import`, { as, body: { ...input, skipsFaults: true } });
    assert.deepEqual([imported.status, imported.body.table.rowCount], [200, 2], imported.text);
    const rows = `GET /api/data-sources/${imported.body.dataSourceId}/tables/bank/preview`;
    assert.deepEqual((await server.call(rows, { as })).body.rows, [
      ['2026-02-01', 1234.56, 'a'],
      ['2026-02-02', null, 'b'],
    ]);
    assert.equal((await server.call(sources, { as })).body.items[0].name, 'Bank');
    assert.equal((await server.call(`POST ${path}/import`, { as, body: input })).status, 404);
    assert.deepEqual(readdirSync(join(server.dataDirectory, 'sources', organizationId, 'uploads')), []);
  });

  test('replaces a table, and is refused with names that are not unique or a target that is not clear', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId, id, upload, preview } = await openFilesOffice(server);
    await upload('t', 'a\n1\n');
    const send = async (person: Person = as) =>
      (
        await server.call(`POST /api/organizations/${organizationId}/uploads`, {
          as: person,
          body: '[{"b":2}]',
          headers: { 'content-type': 'application/json' },
        })
      ).body.id;
    const path = `/api/uploads/${await send()}`;
    const read = await server.call(`POST ${path}/preview`, { as, body: {} });
    assert.deepEqual([read.body.options, read.body.rows, read.body.lines], [undefined, [[2]], []]);
    const columns = ['x', 'X'].map((name) => ({ name, type: 'text' }));
    const name = '/options/columns/1/name name';
    for (const [body, fault] of [
      [{ dataSourceId: id, table: 't', options: { columns } }, name],
      [{ table: 't' }, '/dataSourceId required'],
      [{ dataSourceId: id, newSourceName: 'N', table: 't' }, '/dataSourceId required'],
    ] as const) {
      const refused = await server.call(`POST ${path}/import`, { as, body });
      assert.deepEqual(problemOf(refused), { status: 400, code: 'invalid_body', faults: [fault] });
    }
    const other = await openFilesOffice(server);
    const foreign = { dataSourceId: other.id, table: 't' };
    assert.equal((await server.call(`POST ${path}/import`, { as, body: foreign })).status, 404);
    const body = { dataSourceId: id, table: 't' };
    assert.equal((await server.call(`POST ${path}/import`, { as, body })).status, 200);
    assert.deepEqual(await preview('t'), [[2]]);

    const editor = await server.createMember(organizationId, 'editor');
    const theirs = `/api/uploads/${await send(editor)}`;
    assert.equal((await server.call(`POST ${theirs}/preview`, { as, body: {} })).status, 404);
    assert.equal((await server.call(`DELETE ${theirs}`, { as: editor })).status, 204);
    assert.equal((await server.call(`DELETE ${theirs}`, { as: editor })).status, 404);
  });

  test('counts toward the quota until it expires after a day', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '1' });
    const { owner: as, organizationId, upload } = await openFilesOffice(server);
    const sent = await server.call(`POST /api/organizations/${organizationId}/uploads`, {
      as,
      body: `a\n${'1\n'.repeat(500_000)}`,
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(sent.status, 201);
    assert.deepEqual(problemOf(await upload('t', 'a\n1\n')), { status: 413, code: 'body_too_large' });
    await sweepUploadRows(server.database, () => server.clock() + daysMs(1) + 1);
    assert.equal((await upload('t', 'a\n1\n')).status, 200);
    const path = `POST /api/uploads/${sent.body.id}/preview`;
    assert.equal((await server.call(path, { as, body: {} })).status, 404);
  });

  test('counts toward the quota together with those that were received in the meantime', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '3' });
    const { owner, organizationId } = await openFilesOffice(server);
    const port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
    const path = `/api/organizations/${organizationId}/uploads`;
    const headers = { cookie: `${sessionCookie}=${owner.token}`, 'content-type': 'text/csv' };
    const sent = Array.from({ length: 3 }, () => request({ port, method: 'POST', path, headers }));
    const directory = join(server.dataDirectory, 'sources', organizationId, 'uploads');
    for (const one of sent) one.write('a\n');
    const receiving = () => existsSync(directory) && readdirSync(directory).length === sent.length;
    while (!receiving()) await setTimeout(10, undefined, { signal: context.signal });
    const statuses: (number | undefined)[] = [];
    for (const one of sent) {
      const responded = once(one, 'response');
      one.end('1\n'.repeat(1_000_000));
      const [response] = (await responded) as [IncomingMessage];
      response.resume();
      statuses.push(response.statusCode);
    }
    assert.deepEqual(statuses, [201, 413, 413]);
    assert.equal(readdirSync(directory).length, 1);
  });
});
