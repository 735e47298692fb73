import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Engine,
  type TestDatabase,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { openLosableDatabase } from '../../../tests/support/storage/losable-database.ts';
import { until } from '../../../tests/support/server/server-process.ts';
import { parseSamples, type ParsedSample } from '../../../tests/support/metrics.ts';

const token = 'a-token-of-the-tests-with-32-characters';
const headers = { authorization: `Bearer ${token}` };

describeOnBothEngines('metrics', (engine) => {
  test('are served to anyone who has the token', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_METRICS_TOKEN: token });
    const { status, headers: sent, text } = await server.call('GET /metrics', { headers });
    assert.deepEqual([status, sent['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    assert.match(text, /^atrium_database_up 1$/m);
    for (const authorization of [
      undefined,
      token,
      `Basic ${token}`,
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token} ${token}`,
    ]) {
      const response = await server.call('GET /metrics', authorization ? { headers: { authorization } } : {});
      assert.deepEqual(problemOf(response), { status: 401, code: 'unauthenticated' });
      assert.equal(response.headers['www-authenticate'], 'Bearer');
    }
    const ada = await server.createPerson();
    assert.equal((await server.call('GET /metrics', { as: ada })).status, 401, 'a session is not enough');
  });

  test('are not found unless they are turned on, or if they have a port of their own', async (context) => {
    const ownPort = { ATRIUM_METRICS_PORT: '0', ATRIUM_METRICS_TOKEN: token };
    for (const environment of [{}, ownPort]) {
      const server = await startTestServer(context, engine, environment);
      const response = await server.call('GET /metrics', { headers });
      assert.deepEqual(problemOf(response), { status: 404, code: 'not_found' });
    }
  });

  test('count requests by route, whatever is in their URLs', async (context) => {
    const { server, scrape } = await start(context, engine);
    const ada = await server.createPerson();
    await server.call('GET /api/organizations', { as: ada });
    await server.call('GET /api/organizations', { as: ada });
    await server.call('GET /api/organizations');
    for (let index = 0; index < 50; index += 1) {
      await server.call(`GET /api/dashboards/${index}`, { as: ada });
      await server.call(`GET /api/unknown/${index}`);
      await server.call(`PUT /unknown-${index}.js`);
      await server.call(`GET /a-page-${index}`);
    }
    await server.call('PATCH /api/organizations');
    const samples = await scrape();
    const requests = samples
      .filter(({ name }) => name === 'atrium_http_requests_total')
      .map(({ labels: { method, route, status }, value }) => `${method} ${route} ${status}: ${value}`);
    assert.deepEqual(requests.toSorted(), [
      'GET /* 200: 50',
      'GET /api/dashboards/{dashboardId} 404: 50',
      'GET /api/organizations 200: 2',
      'GET /api/organizations 401: 1',
      'GET none 404: 50',
      'PATCH /api/organizations 405: 1',
      'PUT none 404: 50',
    ]);
    const timed = { method: 'GET', route: '/api/organizations' };
    assert.equal(find(samples, 'atrium_http_request_duration_seconds_count', timed), 3);
    const all = { ...timed, le: '+Inf' };
    assert.equal(find(samples, 'atrium_http_request_duration_seconds_bucket', all), 3);
  });

  test('show commits, sessions and failed sign-ins', async (context) => {
    const { server, scrape } = await start(context, engine);
    const before = await scrape();
    const ada = await server.createPerson('Ada');
    await server.call('POST /api/dashboards', { as: ada, body: { name: 'Sales' } });
    for (const email of [ada.email, 'nobody@example.com']) {
      const body = { email, password: 'wrong password' };
      assert.equal((await server.call('POST /api/auth/sign-in/email', { body })).status, 401);
    }
    const after = await scrape();
    const commits = 'atrium_database_commit_writes_sum';
    assert.ok(find(after, commits) >= find(before, commits) + 3);
    assert.equal(find(after, 'atrium_sessions'), 1);
    // They are recorded after the response.
    await until('both are counted', async () => {
      const failures = 'atrium_sign_in_failures_total';
      return find(await scrape(), failures, { reason: 'wrong_password' }) === 2 || undefined;
    });
  });

  test('show the state of jobs', async (context) => {
    const { server, scrape } = await start(context, engine);
    const now = server.clock();
    const job = {
      name: 'sweep',
      remedy: undefined,
      succeededAt: now - 60_000,
      lastDurationMs: 1_500,
      failureCount: 2,
      isFailing: false,
    };
    server.jobs.push({ ...job, dueAt: now - 30_000, isRunning: false });
    server.jobs.push({ ...job, name: 'new', dueAt: now, isRunning: true, succeededAt: undefined });
    const samples = await scrape();
    const ofSweep = ['lateness', 'last_duration', 'last_success_timestamp'].map((what) =>
      find(samples, `atrium_maintenance_${what}_seconds`, { task: 'sweep' }),
    );
    assert.deepEqual(ofSweep, [91, 1.5, (now - 60_000) / 1_000]);
    assert.equal(find(samples, 'atrium_maintenance_failures_total', { task: 'sweep' }), 2);
    assert.equal(find(samples, 'atrium_maintenance_lateness_seconds', { task: 'new' }), 0);
    const succeeded = samples.filter(({ name }) => name.includes('last_success'));
    assert.equal(succeeded.length, 1);
  });

  test('report that the database is down, without anything that is read from it', async (context) => {
    const { opened, lose } = await openLosableDatabase(context, engine);
    const { server, scrape } = await start(context, engine, opened);
    await scrape();
    server.expectErrors();
    await lose();
    const samples = await scrape();
    assert.deepEqual([find(samples, 'atrium_database_up'), find(samples, 'atrium_ready')], [0, 0]);
    const names = new Set(samples.map(({ name }) => name));
    assert.ok(!names.has('atrium_database_fault') && names.has('atrium_disk_free_bytes'));
  });
});

/** Starts a server with metrics, and returns the samples of each scrape. */
async function start(
  context: TestContext,
  engine: Engine,
  opened?: TestDatabase,
): Promise<{ server: TestServer; scrape(): Promise<ParsedSample[]> }> {
  const server = await startTestServer(context, engine, { ATRIUM_METRICS_TOKEN: token }, opened);
  const scrape = async () => {
    // Later than anything that was read for the last scrape.
    server.advance(61_000);
    return parseSamples((await server.call('GET /metrics', { headers })).text);
  };
  return { server, scrape };
}

function find(samples: readonly ParsedSample[], name: string, labels: ParsedSample['labels'] = {}): number {
  const matching = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  assert.equal(matching.length, 1, `${name} ${JSON.stringify(labels)}`);
  return matching[0]?.value ?? Number.NaN;
}
