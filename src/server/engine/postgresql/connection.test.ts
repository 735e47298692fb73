import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { findFreePort } from '../../../../tests/support/network/free-port.ts';
import { startPostgres } from '../../../../tests/support/storage/postgres.ts';
import { programDirectory } from '../../base/program.js';
import { createQueryEngine } from '../query-engine.ts';
import type { PostgresqlSource } from './description.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox });
const cleanUps: (() => Promise<void>)[] = [];
let source: PostgresqlSource;
let admin: pg.Client;

before(async () => {
  ({ source, admin } = await makePostgresqlSource({ after: (cleanUp) => void cleanUps.push(cleanUp) }));
});
after(async () => {
  await engine.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

async function run(
  sql: string,
  changed: Partial<PostgresqlSource> = {},
  { organizationId = 'one', signal }: { organizationId?: string; signal?: AbortSignal } = {},
): Promise<string> {
  const request = { organizationId, source: { ...source, ...changed }, sql };
  return Buffer.from((await engine.run(request, { signal })).rowsJson).toString();
}

/** Starts something that isn't a database. Returns its port. */
async function startOther(context: TestContext, onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const sleeping = async (): Promise<number> => {
  const found = await admin.query(
    "SELECT FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'",
  );
  return found.rows.length;
};

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(5);
}

interface Fault {
  readonly onConnection: (socket: Socket) => void;
  readonly tls?: 'require';
  readonly message: string;
}

const closed = 'The database closed the connection.';

const faults: Readonly<Record<string, Fault>> = {
  'closes the connection': { onConnection: (socket) => socket.end(), message: closed },
  'resets the connection': { onConnection: (socket) => socket.resetAndDestroy(), message: closed },
  'closes it after the first message': {
    onConnection: (socket) => socket.once('data', () => socket.end()),
    message: closed,
  },
  'does not respond': {
    onConnection: () => undefined,
    message: 'The database cannot be used: timeout expired',
  },
  'is not a database': {
    onConnection: (socket) => socket.write('220 mail.example ESMTP\r\n'),
    tls: 'require',
    message: 'The database cannot be used: There was an error establishing an SSL connection',
  },
};

describe('a PostgreSQL source explains', { concurrency: true }, () => {
  for (const [fault, { onConnection, tls = 'off', message }] of Object.entries(faults))
    it(`that what it connects to ${fault}`, async (context) => {
      const port = await startOther(context, onConnection);
      const failing = run('SELECT 1', { port, tls }, { organizationId: fault });
      await assert.rejects(failing, { code: 'unreachable', message });
    });

  it('that nothing is listening', async () => {
    const failing = run('SELECT 1', { port: await findFreePort() }, { organizationId: 'none' });
    const message = 'Nothing is listening at the host and port of the database.';
    await assert.rejects(failing, { code: 'unreachable', message });
  });
});

describe('the connection to a PostgreSQL source', () => {
  it('is in a network namespace without anything else, if the sandbox has one', async () => {
    await run('SELECT 1');
    const networkOf = (id: number | string | undefined) => readlinkSync(`/proc/${id}/ns/net`);
    const worker = engine.workers().find(({ organizationId }) => organizationId === 'one');
    const isApart = networkOf(worker?.processId) !== networkOf('self');
    assert.equal(isApart, sandbox.state.kind === 'bubblewrap');
  });

  it('is to the next address if the first one refuses connections, as is the request to cancel a query', async () => {
    const changed = { addresses: ['127.0.0.2', ...source.addresses] };
    const leaving = new AbortController();
    const running = assert.rejects(run('SELECT pg_sleep(60)', changed, { signal: leaving.signal }), {
      code: 'cancelled',
    });
    await until(async () => (await sleeping()) === 1);
    leaving.abort();
    await running;
    assert.equal(await sleeping(), 0);
  });

  it('leaves no query at the database when the worker is killed', async () => {
    const running = assert.rejects(run('SELECT pg_sleep(60)'), { code: 'worker_lost' });
    await until(async () => (await sleeping()) === 1);
    const worker = engine.workers().find(({ isBusy }) => isBusy);
    process.kill(worker?.processId ?? assert.fail('no worker is busy'), 'SIGKILL');
    await running;
    await until(async () => (await sleeping()) === 0);
    assert.equal(await run('SELECT 1'), '[[1]]');
  });

  it('ends with the server', async (context) => {
    const server = spawn(
      process.execPath,
      ['--input-type=module', '--eval', serverProgram, JSON.stringify({ ...source, engine: undefined })],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: programDirectory,
      },
    );
    context.after(() => server.kill('SIGKILL'));
    const [worker] = (await once(server.stdout, 'data')) as [Buffer];
    await until(async () => (await sleeping()) === 1);
    server.kill('SIGKILL');
    await until(async () => (await sleeping()) === 0 && !existsSync(`/proc/${worker.toString().trim()}`));
  });

  it('is made again when the database has restarted', async (context) => {
    const database = await startPostgres({ durable: false });
    context.after(() => database.stop());
    const { port, username, password } = new URL(database.url);
    const changed = { port: Number(port), database: 'postgres', user: username, password };
    assert.equal(await run('SELECT 1', changed), '[[1]]');
    await database.restart();
    assert.equal(await run('SELECT 1', changed), '[[1]]');
  });
});

/** Runs a query of the source that it gets, and prints the id of its worker. */
const serverProgram = `
  const { createQueryEngine } = await import('./src/server/engine/query-engine.ts');
  const { engine } = await import('./src/server/engine/postgresql/engine.ts');
  const { testSandbox } = await import('./tests/support/data-sources/query-sandbox.ts');
  const queries = createQueryEngine({ sandbox: await testSandbox() });
  const source = { ...JSON.parse(process.argv[1]), engine };
  await queries.run({ organizationId: 'one', source, sql: 'SELECT 1' });
  void queries.run({ organizationId: 'one', source, sql: 'SELECT pg_sleep(60)' });
  console.log(queries.workers()[0].processId);
`;
