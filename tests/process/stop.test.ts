import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import pg from 'pg';
import { emptyLedger, verify, writeUntilBroken } from '../faults/dashboard-client.ts';
import { countRunningQueries, metricsSettings } from '../support/metrics.ts';
import { chosenSeed, seededRandom } from '../support/seeded-random.ts';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
  type Account,
  type ProgramExit,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

/** The ten seconds of most supervisors, and what a busy machine needs besides. */
const longestStopMs = 30_000;

describeOnUsualEngine('a server that receives SIGTERM', (engine) => {
  test('responds to requests in progress, exits with 0, and has stored all that it acknowledged', async (context) => {
    const seed = chosenSeed();
    context.diagnostic(`seed ${seed}`);
    const random = seededRandom(seed);
    const environment = { ...(await freshPlace(context, engine)), ...ownerSettings };
    const server = await startServerProcess(context, { environment });
    const account = await signInOwner(server);
    const ledger = emptyLedger();
    const slow = await Promise.all([1, 2, 3].map((number) => startCreate(account, `Slow ${number}`)));

    let isStopping = false;
    let ended: Promise<ProgramExit> | undefined;
    let acknowledgedCount = 0;
    const writing = writeUntilBroken(account, ledger, random, {
      isKilled: () => isStopping,
      onAcknowledged: () => {
        acknowledgedCount += 1;
        if (acknowledgedCount !== 50) return;
        isStopping = true;
        ended = server.end('SIGTERM');
      },
    });
    await writing;
    await untilNotReady(account);
    const startedAt = performance.now();
    assert.equal(server.exit(), undefined, 'the server did not wait for requests in progress');
    const responses = await Promise.all(slow.map((create) => create.finish()));
    assert.deepEqual(
      responses.map(({ status, body }) => `${status} ${body.name}`),
      ['201 Slow 1', '201 Slow 2', '201 Slow 3'],
    );
    const exit = await ended;
    assert.deepEqual(exit && { code: exit.code, errorOutput: exit.errorOutput }, {
      code: 0,
      errorOutput: '',
    });
    // Much less than the eight seconds after which connections are closed: keep-alive connections don't delay it.
    assert.ok(performance.now() - startedAt < 5_000, 'the stop waited for connections without a request');

    const next = await startServerProcess(context, { environment });
    const again = { ...account, url: next.url };
    for (const { body } of responses) {
      assert.deepEqual((await send(again, `GET /api/dashboards/${body.id}`)).body, body);
      ledger.sent.set(body.name, { name: body.name, widgets: [] });
    }
    assert.ok((await verify(again, ledger)) >= 53);
  });
});

// Several at once, since they mostly wait.
describe('a server that is stopping', { concurrency: 3 }, () => {
  test('reports on open connections that it is not ready', async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings };
    const server = await startServerProcess(context, { environment });
    const account = await signInOwner(server);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const body = JSON.stringify({ name: 'Sales' });
    socket.write(
      `POST /api/dashboards HTTP/1.1\r\nHost: atrium.example\r\nCookie: ${account.cookie}\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await until('the server reads the request', () => received.includes('100 Continue') || undefined);
    const ended = server.end('SIGTERM');
    await untilNotReady(server);
    socket.write(`${body}GET /api/health/ready HTTP/1.1\r\nHost: atrium.example\r\n\r\n`);
    await once(socket, 'close');
    const [, created = '', asked = ''] = received.split(/HTTP\/1\.1 (?!100)/);
    assert.match(created, /^201 Created\r\n/);
    assert.match(asked, /^503 .*application\/problem\+json.*"code":"unavailable"/s);
    assert.equal((await ended).code, 0);
  });

  test('waits at most ten seconds for a body that never ends', async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings };
    const server = await startServerProcess(context, { environment });
    const account = await signInOwner(server);
    const stalled = await startCreate(account, 'Never');
    const startedAt = performance.now();
    const [exit, response] = await Promise.all([
      server.end('SIGTERM'),
      stalled.response.catch((error: NodeJS.ErrnoException) => error.code),
    ]);
    assert.deepEqual({ code: exit.code, response }, { code: 0, response: 'ECONNRESET' });
    assert.ok(performance.now() - startedAt < longestStopMs, 'it took too long');
  });

  test('rejects requests that wait for a lost database, and exits within ten seconds', async (context) => {
    const place = await freshPlace(context, 'PostgreSQL');
    const server = await startServerProcess(context, { environment: { ...place, ...ownerSettings } });
    const account = await signInOwner(server);
    const rival = new pg.Client({ connectionString: place['DATABASE_URL'] });
    await rival.connect();
    rival.on('error', () => {});
    context.after(() => rival.end());
    await rival.query('begin; select id from organizations for update');
    const waiting = send(account, `POST /api/sso/orgs/${account.organizationId}/config`, {
      body: { provider: 'idp_ad', clientId: 'client', emailDomains: ['example.com'], enabled: false },
    });
    await until('the request waits for the lock', async () => {
      // Within a transaction, PostgreSQL would return the same activity again and again.
      await rival.query('select pg_stat_clear_snapshot()');
      const { rows } = await rival.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length > 0 || undefined;
    });
    const startedAt = performance.now();
    const [exit, { status }] = await Promise.all([server.end('SIGTERM'), waiting]);
    assert.equal(exit.code, 0, exit.errorOutput);
    assert.ok(performance.now() - startedAt < longestStopMs, 'it took too long');
    assert.equal(status, 503);
  });

  test('accepts requests until the drain is over, and closes their connections', async (context) => {
    const place = { ...(await freshPlace(context, 'SQLite')), ATRIUM_DRAIN_SECONDS: '300' };
    const server = await startServerProcess(context, { environment: place });
    const ready = () => send(server, 'GET /api/health/ready', { agent });
    const agent = new Agent({ keepAlive: true });
    context.after(() => agent.destroy());
    assert.deepEqual([(await ready()).status, (await ready()).headers.connection], [200, 'keep-alive']);
    const ended = server.end('SIGTERM');
    const refused = await until('the server is not ready', async () => {
      const response = await ready();
      return response.status === 200 ? undefined : response;
    });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.headers['retry-after'], refused.headers.connection],
      [503, 'unavailable', '5', 'close'],
    );
    // Each over a new connection.
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await send(server, 'GET /api/health/live', { agent });
      assert.deepEqual([status, headers.connection], [200, 'close']);
    }
    // A second signal is from someone who does not want to wait.
    const [exit] = await Promise.all([ended, server.end('SIGTERM')]);
    assert.equal(exit.code, 0);
  });

  test('cancels queries with 503 before it exits', async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings, ...metricsSettings };
    const server = await startServerProcess(context, { environment });
    const account = await signInOwner(server);
    const { organizationId } = account;
    const source = await send(account, `POST /api/organizations/${organizationId}/data-sources`, {
      body: { name: 'Files', kind: 'files' },
    });
    const report = await send(account, 'POST /api/reports', {
      body: {
        organizationId,
        dataSourceId: source.body.id,
        name: 'Endless',
        query: 'select count(*) from range(1000000000000) where hash(range) % 7 = 1',
        visualization: { kind: 'table' },
      },
    });
    assert.equal(report.status, 201, JSON.stringify(report.body));
    const running = send(account, `POST /api/reports/${report.body.id}/run`, { body: {} });
    await until('the query runs', async () => (await countRunningQueries(server)) === 1 || undefined);
    const exit = await server.end('SIGTERM');
    const { status, headers, body } = await running;
    assert.deepEqual(
      [status, body.code, body.detail, headers['retry-after']],
      [503, 'unavailable', 'The server is stopping. Try again.', '5'],
    );
    assert.deepEqual([exit.code, exit.errorOutput], [0, '']);
  });

  test('also exits with 0 on SIGINT, and after several signals', async (context) => {
    const server = await startServerProcess(context);
    const [exit] = await Promise.all([server.end('SIGINT'), server.end('SIGINT'), server.end('SIGTERM')]);
    assert.deepEqual({ code: exit.code, errorOutput: exit.errorOutput }, { code: 0, errorOutput: '' });
  });
});

interface StartedCreate {
  readonly response: Promise<{ status: number; body: { id: string; name: string } }>;
  /** Sends the rest of the body. */
  finish(): StartedCreate['response'];
}

/** Sends half of a request to create a dashboard. Returns when the server has started to read it. */
async function startCreate({ url, cookie }: Account, name: string): Promise<StartedCreate> {
  const body = JSON.stringify({ name });
  const headers = {
    cookie,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  };
  const agent = new Agent({ keepAlive: true });
  const sending = request(`${url}/api/dashboards`, { method: 'POST', headers, agent });
  const response = responseTo(sending);
  response.catch(() => {});
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write(body.slice(0, 5));
  const finish = () => {
    sending.end(body.slice(5));
    return response;
  };
  return { response, finish };
}

const responseTo = (sending: ClientRequest): StartedCreate['response'] =>
  new Promise((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as { id: string; name: string } }),
      );
    });
  });

/** Waits until a new client no longer finds the server ready. */
const untilNotReady = (server: { readonly url: string }): Promise<boolean> =>
  until('the server is not ready', async () => {
    const response = await send(server, 'GET /api/health/ready').catch(() => undefined);
    return response?.status === 200 ? undefined : true;
  });
