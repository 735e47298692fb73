import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Report } from '#contract/reports/reports.ts';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { startNewsroom, type Newsroom } from '../../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
} from '../../../../tests/support/server/test-server.ts';

const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c';
const parquet = 'application/vnd.apache.parquet';

/** Starts listening. Returns a function that sends a request over its own connection. */
async function listen({ server, owner }: Newsroom) {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return (path: string, method = 'POST', headers: Record<string, string> = {}, as: Person = owner) => {
    const sent = request({
      port,
      path,
      method,
      headers: { cookie: `${sessionCookie}=${as.token}`, 'content-type': 'application/json', ...headers },
      agent: false,
    });
    sent.on('error', () => {});
    sent.end(method === 'POST' ? '{}' : undefined);
    return sent;
  };
}

const responseTo = async (sent: ReturnType<typeof request>): Promise<IncomingMessage> =>
  (await once(sent, 'response'))[0];

describeOnUsualEngine('the limits of reports', (engine) => {
  test('on rows apply to what is shown, but not to downloads', async (context) => {
    const newsroom = await startNewsroom(context, engine, { ATRIUM_QUERY_MAX_ROWS: '10' });
    const { server, owner: as, run, save } = newsroom;
    const rows = (count: number) => save({ query: `SELECT range AS n, 'a,"b"' AS t FROM range(${count})` });
    const shownOf = async (report: Report) => {
      const { rowCount, isCutOff, rows: shown } = (await run(report)).body;
      return [rowCount, isCutOff, shown.length];
    };
    assert.deepEqual(await shownOf(await rows(0)), [0, false, 0]);
    assert.deepEqual(await shownOf(await rows(10)), [10, false, 10]);
    assert.deepEqual(await shownOf(await rows(11)), [10, true, 10]);
    const many = await rows(25_000);
    const download = (accept: string, query = '') =>
      server.app.inject({
        method: 'POST',
        url: `/api/reports/${many.id}/run${query}`,
        headers: { cookie: `${sessionCookie}=${as.token}`, accept },
        payload: {},
      });
    const csv = await download('text/csv, */*;q=0.1');
    assert.deepEqual(
      [csv.statusCode, csv.headers['content-type'], csv.headers['content-disposition']],
      [200, 'text/csv; charset=utf-8; header=present', 'attachment; filename=Sales.csv'],
    );
    const lines = csv.body.trimEnd().split(/\r?\n/);
    assert.deepEqual([lines.length, lines[0], lines[1]], [25_001, 'n,t', '0,"a,""b"""']);
    const file = join(server.dataDirectory, 'download.parquet');
    const response = await download(parquet);
    assert.deepEqual([response.statusCode, response.headers['content-type']], [200, parquet]);
    await writeFile(file, response.rawPayload);
    const connection = await (await DuckDBInstance.create()).connect();
    const read = await connection.runAndReadAll(`SELECT count(*), sum(n), min(t) FROM '${file}'`);
    connection.closeSync();
    assert.deepEqual(read.getRows()[0]?.map(String), ['25000', '312487500', 'a,"b"']);
    for (const accept of [
      'application/json',
      'application/json, text/csv;q=0.5',
      '*/*',
      'text/csv;q=0.1, */*',
      'text/csv;q=0, image/png',
    ]) {
      assert.equal((await download(accept)).json().rowCount, 10, accept);
    }
    const formula = await save({ query: `SELECT '=1+1' AS "@name", -5 AS n` });
    for (const [query, expected] of [
      ['', '@name,n\r\n=1+1,-5\r\n'],
      ['?csv=exact', '@name,n\r\n=1+1,-5\r\n'],
      ['?csv=spreadsheet', "'@name,n\r\n'=1+1,-5\r\n"],
    ] as const) {
      const { body } = await server.app.inject({
        method: 'POST',
        url: `/api/reports/${formula.id}/run${query}`,
        headers: { cookie: `${sessionCookie}=${as.token}`, accept: 'text/csv' },
        payload: {},
      });
      assert.equal(body, expected, query);
    }
    assert.equal((await download('text/csv', '?csv=safe')).statusCode, 400);
    const broken = await save({ query: 'SELECT nothing' });
    const refused = await server.call(`POST /api/reports/${broken.id}/run`, {
      as,
      body: {},
      headers: { accept: 'text/csv' },
    });
    assert.deepEqual(problemOf(refused), { status: 422, code: 'query_failed' });
  });

  test('do not apply to a file at a URL, of which a part can be requested if it is small', async (context) => {
    const { server, owner: as, save } = await startNewsroom(context, engine, { ATRIUM_QUERY_MAX_ROWS: '2' });
    const report = await save({
      query: "SELECT {{n}} AS n, '=1' AS t FROM range(3)",
      parameters: [{ name: 'n', type: 'number', default: 7 }],
    });
    const get = (query = '', headers = {}) =>
      server.call(`GET /api/reports/${report.id}/result.csv${query}`, { as, headers });
    const whole = await get();
    assert.equal(whole.text, `n,t\r\n${"7,'=1\r\n".repeat(3)}`);
    const { etag = '', 'accept-ranges': ranges, 'content-disposition': file } = whole.headers;
    assert.deepEqual([ranges, file], ['bytes', 'attachment; filename=Sales.csv']);
    assert.equal((await get('?n=-2')).text.split('\r\n')[1], "-2,'=1");
    const faults = ['/n type', '/other unknown'];
    const { errors, code } = (await get('?n=x&other=1')).body;
    assert.deepEqual(
      [
        code,
        errors.map(({ pointer, code: fault }: { pointer: string; code: string }) => `${pointer} ${fault}`),
      ],
      ['invalid_parameters', faults.toReversed()],
    );

    const part = await get('', { range: 'bytes=2-4', 'if-range': etag });
    assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 't\r\n', 'bytes 2-4/26']);
    assert.equal((await get('', { range: 'bytes=-4' })).text, "'=1\r\n".slice(-4));
    // These get the whole file.
    for (const headers of [
      { range: 'bytes=2-4', 'if-range': '"other"' },
      { range: 'bytes=0-1,4-5' },
      { range: 'rows=1-2' },
      { range: 'bytes=x' },
    ])
      assert.deepEqual([(await get('', headers)).status, (await get('', headers)).text], [200, whole.text]);
    const outside = await get('', { range: 'bytes=26-' });
    assert.deepEqual([outside.status, outside.headers['content-range']], [416, 'bytes */26']);
    assert.equal((await get('', { 'if-none-match': etag })).status, 304);

    const large = await save({ query: "SELECT repeat('x', 1000) AS t FROM range(9000)" });
    const compressed = { 'accept-encoding': 'gzip', range: 'bytes=0-1' };
    const streamed = await server.call(`GET /api/reports/${large.id}/result.csv`, {
      as,
      headers: { range: 'bytes=0-1' },
    });
    assert.deepEqual(
      [streamed.status, streamed.headers.etag, streamed.text.length],
      [200, undefined, 9_018_003],
    );
    const medium = await save({ query: "SELECT repeat('x', 1000) AS t FROM range(9)" });
    const path = `GET /api/reports/${medium.id}/result.csv`;
    assert.equal(
      (await server.call(path, { as, headers: compressed })).headers['content-encoding'],
      undefined,
    );
    const { headers } = await server.call(path, { as, headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual(
      [headers['content-encoding'], headers['accept-ranges'], String(headers.etag).slice(0, 3)],
      ['gzip', undefined, 'W/"'],
    );
  });

  test('on time and memory stop a query, and the next one runs', async (context) => {
    const hasty = await startNewsroom(context, engine, { ATRIUM_QUERY_TIMEOUT_SECONDS: '1' });
    assert.deepEqual(problemOf(await hasty.run(await hasty.save({ query: endless }))), {
      status: 422,
      code: 'query_timed_out',
    });
    const { run, save } = await startNewsroom(context, engine, { ATRIUM_QUERY_MEMORY_MB: '64' });
    const large = "SELECT length(string_agg(repeat('x', 10000), '')) FROM range(100000)";
    assert.deepEqual(problemOf(await run(await save({ query: large }))), {
      status: 422,
      code: 'query_too_large',
    });
    assert.deepEqual((await run(await save({}))).body.rows, [[1]]);
  });

  test('on idle connections do not apply while a query runs', async (context) => {
    const newsroom = await startNewsroom(context, engine, { ATRIUM_QUERY_TIMEOUT_SECONDS: '1' });
    newsroom.server.app.server.setTimeout(300);
    const send = await listen(newsroom);
    const slow = await newsroom.save({ query: endless });
    const response = await responseTo(send(`/api/reports/${slow.id}/run`));
    assert.equal(response.statusCode, 422);
    response.resume();
  });

  test('free a query whose client disconnects, from a report, a download or a dashboard', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId, run, save } = newsroom;
    const send = await listen(newsroom);
    const download = await save({ query: 'SELECT a.range, b.range FROM range(1000000) a, range(1000000) b' });
    // One person can't use all the workers of a source.
    const colleague = await server.createMember(organizationId, 'editor');
    // As many different queries as a source runs at once: if one continued, the last one couldn't run.
    for (let count = 0; count < 3; count += 1) {
      const slow = await save({ query: `${endless} WHERE ${count} = ${count}` });
      const shown = await save({ query: `${endless} WHERE -${count} = -${count}` });
      const { body: board } = await server.call('POST /api/dashboards', {
        as: owner,
        body: { name: 'Board', organizationId, widgets: [{ reportId: shown.id }] },
      });
      const waiting = [
        send(`/api/reports/${slow.id}/run`),
        send(`/api/dashboards/${board.id}/results`, 'GET'),
      ];
      const reading = send(`/api/reports/${download.id}/run`, 'POST', { accept: 'text/csv' }, colleague);
      const response = await responseTo(reading);
      await once(response, 'data');
      for (const sent of [...waiting, reading]) sent.destroy();
    }
    assert.deepEqual((await run(await save({}))).body.rows, [[1]]);
  });
});
