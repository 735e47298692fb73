import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorOf } from '../../../../tests/support/organizations/actors.ts';
import { openNewsroom, startNewsroom } from '../../../../tests/support/reports/newsroom.ts';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';
import { findQueriedSource } from '../../data-sources/queried-sources.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import { createQueryEngine } from '../../engine/query-engine.ts';
import { createResults } from '../../results/results.ts';
import { runReport } from './runs.ts';

const withoutLog = {
  note: () => undefined,
  record: () => Promise.resolve(),
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Returns another value on each run. */
const query = 'SELECT uuid()';

describeOnUsualEngine('a cached result', (engine) => {
  test('is returned until it expires, or until a fresh one is requested', async (context) => {
    const { server, run, runUnsaved, save } = await startNewsroom(context, engine);
    const report = await save({ query, cacheSeconds: 60 });
    const request = async (body = {}) => {
      const { rows, isFromCache, computedAt } = (await run(report, body)).body;
      return { value: rows[0][0], isFromCache, second: computedAt.slice(17, 19) };
    };
    const first = await request();
    assert.deepEqual([first.isFromCache, first.second], [false, '00']);
    server.advance(59_000);
    assert.deepEqual(await request(), { ...first, isFromCache: true });
    const forced = await request({ isForced: true });
    assert.deepEqual([forced.isFromCache, forced.second, forced.value === first.value], [false, '59', false]);
    server.advance(60_000);
    assert.deepEqual(await request(), { ...forced, isFromCache: true });
    server.advance(1);
    const later = await request();
    assert.deepEqual([later.isFromCache, later.value === forced.value], [false, false]);
    assert.equal((await runUnsaved({ query })).body.isFromCache, false);
    const never = await save({ query, cacheSeconds: 0 });
    assert.equal((await run(never)).body.isFromCache, false);
    server.advance(-1_000);
    const returned = await request();
    assert.deepEqual(
      [returned.isFromCache, returned.value === later.value],
      [false, false],
      'the clock was ahead',
    );
    assert.deepEqual(await request(), { ...returned, isFromCache: true });
  });

  test('of allowed values is at most a minute old, and is not used when a fresh one is requested', async (context) => {
    const { server, owner: as, run, save } = await startNewsroom(context, engine);
    const parameters = [{ name: 'id', type: 'text' as const, allowed: { query } }];
    const report = await save({ query: 'SELECT {{id}}', parameters, cacheSeconds: 86_400 });
    const list = async (): Promise<string> => {
      const path = `/api/reports/${report.id}/parameters/id/values`;
      return (await server.call(`GET ${path}`, { as })).body.items[0];
    };
    const id = await list();
    server.advance(60_000);
    assert.equal(await list(), id);
    assert.equal((await run(report, { parameters: { id } })).status, 200);
    assert.equal((await run(report, { parameters: { id }, isForced: true })).status, 400);
    const later = await list();
    assert.notEqual(later, id);
    server.advance(60_001);
    assert.notEqual(await list(), later);
  });

  test('is only used for the same query, values and data', async (context) => {
    const { run, save, upload } = await startNewsroom(context, engine);
    const parameters = [{ name: 'region', type: 'text' as const }];
    const one = await save({ query: 'SELECT sum(amount) FROM sales WHERE region = {{region}}', parameters });
    const other = await save({ query: one.query, parameters });
    const request = async (report: { id: string }, region: string | null) => {
      const { rows, isFromCache } = (await run(report, { parameters: { region } })).body;
      return [rows[0][0], isFromCache];
    };
    assert.deepEqual(await request(one, 'north'), [30.5, false]);
    assert.deepEqual(await request(one, 'south'), [70, false]);
    assert.deepEqual(await request(one, null), [null, false]);
    assert.deepEqual(await request(one, 'null'), [null, false]);
    assert.deepEqual(await request(other, 'north'), [30.5, true]);
    await upload('sales', 'region,amount\nnorth,1.5\n');
    assert.deepEqual(await request(one, 'north'), [1.5, false]);
  });

  test('is never shown to another organization, or to people who lost access to the report', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId, owner, run, save } = newsroom;
    const there = await openNewsroom(server);
    const report = await save({ query });
    const first = await run(report);
    const theirs = await there.run(await there.save({ query }));
    assert.equal(theirs.body.isFromCache, false);
    assert.notDeepEqual(theirs.body.rows, first.body.rows);

    const viewer = await server.createMember(organizationId, 'viewer');
    assert.equal((await run(report, {}, viewer)).body.isFromCache, true);
    const removed = await server.call(`DELETE /api/organizations/${organizationId}/members/${viewer.id}`, {
      as: owner,
    });
    assert.equal(removed.status, 204);
    assert.equal((await run(report, {}, viewer)).status, 404);
    await server.call(`DELETE /api/reports/${report.id}`, { as: owner });
    assert.equal((await run(report)).status, 404);
  });

  test('is computed once for requests at the same time', async (context) => {
    const { run, save } = await startNewsroom(context, engine);
    const report = await save({ query: 'SELECT uuid(), count(*) FROM range(5000000)', cacheSeconds: 0 });
    const responses = await Promise.all(Array.from({ length: 100 }, () => run(report)));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(responses.map(({ body }) => body.rows[0][0])).size, 1);
  });

  test('is returned even when the host of the source can no longer be resolved', async (context) => {
    const { server, owner, organizationId, save } = await startNewsroom(context, engine);
    const { database, secretBox, dataDirectory } = server;
    const { source } = await makePostgresqlSource(context);
    const { addresses, host, port, database: name, user, tls } = source;
    const password = decodeURIComponent(source.password);
    const connection = { host, port, database: name, user, tls, password };
    const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
      as: owner,
      body: {
        name: 'Shop',
        kind: 'postgresql',
        connection: { ...connection, password: decodeURIComponent(password) },
      },
    });
    const report = await save({ dataSourceId: created.body.id, query: 'SELECT 1 AS one', cacheSeconds: 60 });

    let now = 0;
    let isKnown = true;
    const findAddresses = async (host: string): Promise<string[]> => {
      if (!isKnown) throw new OutgoingError('unreachable', `${host} is not known`);
      return [...addresses];
    };
    const queryEngine = createQueryEngine({ sandbox: await testSandbox() });
    context.after(() => queryEngine.close());
    const results = createResults({ engine: queryEngine, clock: () => now, directory: dataDirectory });
    context.after(() => results.close());
    const dependencies = {
      database,
      accessLog: withoutLog,
      getResult: results.getResult,
      findSource: findQueriedSource.bind(undefined, {
        secretBox,
        findAddresses,
        files: { directory: dataDirectory, remote: undefined },
      }),
    };
    const actor = actorOf(owner.id);
    const run = async (options = {}) => {
      const { signal } = new AbortController();
      const { result, faults } = await runReport(dependencies, actor, report.id, { signal, ...options });
      const { release, ...facts } = result;
      release();
      return { ...facts, faults };
    };
    const first = await run();
    isKnown = false;
    assert.deepEqual(await run(), { ...first, isFromCache: true });
    await assert.rejects(run({ isForced: true }), { code: 'source_unreachable' });
    now = 60_001;
    await assert.rejects(run(), { code: 'source_unreachable' });
  });
});
