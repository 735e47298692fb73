import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../tests/support/data-sources/postgresql-source.ts';
import { codesOf, endless, openEngine, textOf } from '../../../tests/support/data-sources/test-engine.ts';
import type { QueryEngine } from './query-engine.ts';

/** Returns the process id of the only worker, once it runs. */
async function workerOf(engine: QueryEngine): Promise<number> {
  await until(() => engine.workers()[0]?.processId !== undefined);
  return engine.workers()[0]?.processId ?? assert.fail();
}

/** Resolves once the condition holds. It polls, since there is no event for it. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a limit', () => {
  it('of time ends a query, and its worker serves the next', async (context) => {
    const engine = openEngine(context);
    const source = await makeFilesSource(context, {});
    const failure = { name: 'QueryFailure', code: 'timeout' };
    await assert.rejects(
      engine.run({ organizationId: 'one', source, sql: endless, timeoutMs: 300 }),
      failure,
    );
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' })), '[[1]]');
    assert.ok(engine.workers().length <= 2);
  });

  it('of time ends a query at PostgreSQL', async (context) => {
    const engine = openEngine(context);
    const { source, admin } = await makePostgresqlSource(context);
    const failure = { name: 'QueryFailure', code: 'timeout' };
    const sql = 'SELECT pg_sleep(600)';
    await assert.rejects(engine.run({ organizationId: 'one', source, sql, timeoutMs: 300 }), failure);
    await until(async () => (await countActive(admin)) === 0);
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' })), '[[1]]');
  });

  it('of bytes cuts a result off after a whole row', async (context) => {
    const engine = openEngine(context, { maxBytes: 1_000 });
    const source = await makeFilesSource(context, {});
    const sql = "SELECT repeat('é', 40) FROM range(100)";
    const result = await engine.run({ organizationId: 'one', source, sql });
    assert.deepEqual([result.isCutOff, result.rowsJson.length <= 1_000], [true, true]);
    assert.deepEqual(
      JSON.parse(textOf(result)),
      Array.from({ length: result.rowCount }, () => ['é'.repeat(40)]),
    );
  });

  it('of columns makes queries and lists of tables fail', async (context) => {
    const engine = openEngine(context, { maxColumnBytes: 200, maxCatalogBytes: 200 });
    const source = await makeFilesSource(context, { a: 'SELECT 1 AS one, 2 AS two', b: 'SELECT 3 AS three' });
    const long = { organizationId: 'one', source, sql: `SELECT 1 AS "${'n'.repeat(200)}"` };
    const failure = { name: 'QueryFailure', code: 'result_too_large' };
    await assert.rejects(engine.run(long), failure);
    await assert.rejects(engine.run({ ...long, sql: `SELECT {'${'n'.repeat(200)}': 1} AS a` }), failure);
    await assert.rejects(engine.stream(long, 'csv'), failure);
    await assert.rejects(engine.describe(long), failure);
    assert.equal(textOf(await engine.run({ ...long, sql: 'SELECT * FROM b' })), '[[3]]');
  });

  it('of error messages truncates them', async (context) => {
    const engine = openEngine(context);
    const source = await makeFilesSource(context, {});
    const sql = "SELECT error(repeat('x', 1000000))";
    await assert.rejects(engine.run({ organizationId: 'one', source, sql }), {
      code: 'sql_error',
      message: 'x'.repeat(2_000),
    });
  });

  it('of time is not reached by a run of spaces', async (context) => {
    const engine = openEngine(context, { timeoutMs: 5_000 });
    const source = await makeFilesSource(context, {});
    // On a busy machine, the process may take that long to start.
    await engine.run({ organizationId: 'one', source, sql: 'SELECT 1', timeoutMs: 60_000 });
    const sql = `SELECT 1${' '.repeat(90_000)}AS a; -- end`;
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql })), '[[1]]');
  });

  it('of waiting queries rejects more of this organization, and of no other', async (context) => {
    const engine = openEngine(context, { maxWorkersPerOrganization: 1, maxWaitingPerOrganization: 2 });
    const source = await makeFilesSource(context, {});
    const run = (organizationId: string, timeoutMs: number) =>
      engine.run({ organizationId, source, sql: endless, timeoutMs });
    const greedy = Promise.allSettled([1, 2, 3, 4].map(() => run('greedy', 200)));
    const other = Promise.allSettled([engine.run({ organizationId: 'other', source, sql: 'SELECT 1' })]);
    assert.deepEqual(codesOf(await greedy), ['timeout', 'timeout', 'timeout', 'busy']);
    assert.deepEqual(codesOf(await other), ['succeeded']);
  });
});

/** Whether a process has ended, even if its parent hasn't waited for it yet. */
function hasEnded(processId: number): boolean {
  try {
    process.kill(processId, 0);
  } catch {
    return true;
  }
  const state = `/proc/${processId}/stat`;
  return existsSync(state) && /\) Z /.test(readFileSync(state, 'utf8'));
}

const countActive = async (admin: {
  query: (sql: string) => Promise<{ rows: unknown[] }>;
}): Promise<number> => {
  const { rows } = await admin.query(
    "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'",
  );
  return rows.length;
};

describe('an aborted request', () => {
  it('stops its query at PostgreSQL', async (context) => {
    const engine = openEngine(context);
    const { source, admin } = await makePostgresqlSource(context);
    const leaving = new AbortController();
    const running = engine.run(
      { organizationId: 'one', source, sql: 'SELECT pg_sleep(600)' },
      { signal: leaving.signal },
    );
    const rejected = assert.rejects(running, { name: 'QueryFailure', code: 'cancelled' });
    await until(async () => (await countActive(admin)) === 1);
    leaving.abort();
    await rejected;
    await until(async () => (await countActive(admin)) === 0);
  });

  it('stops its query even before it has started', async (context) => {
    const engine = openEngine(context);
    const { source, admin } = await makePostgresqlSource(context);
    const leaving = new AbortController();
    const sql = 'SELECT pg_sleep(600)';
    const running = engine.run({ organizationId: 'one', source, sql }, { signal: leaving.signal });
    const rejected = assert.rejects(running, { name: 'QueryFailure', code: 'cancelled' });
    leaving.abort();
    await rejected;
    assert.equal(await countActive(admin), 0);
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' })), '[[1]]');
  });

  it('stops its query of uploaded tables, and leaves the queue', async (context) => {
    const engine = openEngine(context, { maxWorkersPerOrganization: 1 });
    const source = await makeFilesSource(context, {});
    const leaving = new AbortController();
    const running = [1, 2, 3].map(() =>
      engine.run({ organizationId: 'one', source, sql: endless }, { signal: leaving.signal }),
    );
    const settled = Promise.allSettled(running);
    leaving.abort();
    assert.deepEqual(codesOf(await settled), ['cancelled', 'cancelled', 'cancelled']);
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' })), '[[1]]');
  });
});

describe('a worker', () => {
  it('that is killed fails its query and nothing else', async (context) => {
    const engine = openEngine(context);
    const source = await makeFilesSource(context, {});
    const killed = engine.run({ organizationId: 'one', source, sql: endless });
    const rejected = assert.rejects(killed, { name: 'QueryFailure', code: 'worker_lost' });
    const processId = await workerOf(engine);
    const slow = 'SELECT count(*) FROM range(20000000) WHERE hash(range) % 7 = 1';
    const other = engine.run({ organizationId: 'two', source, sql: slow });
    process.kill(processId, 'SIGKILL');
    await rejected;
    assert.match(textOf(await other), /^\[\[\d+\]\]$/);
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' })), '[[1]]');
  });

  it('that is killed leaves no query running at PostgreSQL', async (context) => {
    const engine = openEngine(context);
    const { source, admin } = await makePostgresqlSource(context);
    const killed = engine.run({ organizationId: 'one', source, sql: 'SELECT pg_sleep(600)' });
    const rejected = assert.rejects(killed, { name: 'QueryFailure', code: 'worker_lost' });
    await until(async () => (await countActive(admin)) === 1);
    process.kill(await workerOf(engine), 'SIGKILL');
    await rejected;
    await until(async () => (await countActive(admin)) === 0);
  });

  it('serves only one organization', async (context) => {
    const engine = openEngine(context, { maxWorkers: 3, maxWorkersPerOrganization: 2 });
    const source = await makeFilesSource(context, {});
    const organizations = new Map<number, Set<string>>();
    function look(): void {
      for (const { processId, organizationId } of engine.workers()) {
        if (processId === undefined) continue;
        organizations.set(processId, (organizations.get(processId) ?? new Set()).add(organizationId));
      }
    }
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        await engine.run({ organizationId: names[index % 4] ?? '', source, sql: `SELECT ${index}` });
        look();
        assert.ok(engine.workers().filter(({ isBusy }) => isBusy).length <= 3);
      }),
    );
    assert.ok(organizations.size >= 4);
    for (const [processId, served] of organizations) assert.equal(served.size, 1, String(processId));
  });

  it('does not get the environment variables of the server', async (context) => {
    process.env['ATRIUM_SECRET_KEY'] = 'canary';
    context.after(() => delete process.env['ATRIUM_SECRET_KEY']);
    const engine = openEngine(context);
    const source = await makeFilesSource(context, {});
    await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' });
    const file = `/proc/${await workerOf(engine)}/environ`;
    assert.doesNotMatch(readFileSync(file, 'utf8'), /canary|ATRIUM|DATABASE_URL/);
  });

  it('ends when it was idle for a while', async (context) => {
    const engine = openEngine(context, { idleMs: 1 });
    const source = await makeFilesSource(context, {});
    await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' });
    const keepAlive = setInterval(() => undefined, 1_000);
    context.after(() => clearInterval(keepAlive));
    await until(() => engine.workers().length === 0);
  });

  it('does not reveal which file on the server it cannot write', async (context) => {
    const engine = openEngine(context, { memoryBytes: 64 * 1024 * 1024 });
    const source = await makeFilesSource(context, {});
    await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' });
    const [worker = ''] = readdirSync(source.tempDirectory);
    writeFileSync(join(source.tempDirectory, worker, 'spill'), 'no directory');
    const sql = 'SELECT count(*) FROM (SELECT DISTINCT hash(a) FROM range(30000000) t(a))';
    await assert.rejects(engine.run({ organizationId: 'one', source, sql }), (error: Error) => {
      assert.doesNotMatch(error.message, /atrium-files|spill/);
      return true;
    });
  });

  it('does not outlive a killed server, even in the middle of a query', async (context) => {
    const engineUrl = new URL('./query-engine.ts', import.meta.url);
    const duckdbUrl = new URL('./duckdb/engine.ts', import.meta.url);
    const sandboxUrl = new URL('../../../tests/support/data-sources/query-sandbox.ts', import.meta.url);
    const source = await makeFilesSource(context, {});
    const program = `
      const { createQueryEngine } = await import(${JSON.stringify(engineUrl.href)});
      const { engine: duckdb } = await import(${JSON.stringify(duckdbUrl.href)});
      const { testSandbox } = await import(${JSON.stringify(sandboxUrl.href)});
      const engine = createQueryEngine({ sandbox: await testSandbox() });
      const source = { ...${JSON.stringify(source)}, engine: duckdb };
      engine.run({ organizationId: 'one', source, sql: 'SELECT 1' }).then(() => {
        engine.run({ organizationId: 'one', source, sql: ${JSON.stringify(endless)} });
        // Time for the query to start. If it takes longer, the worker is killed earlier, and must end as well.
        setTimeout(() => console.log(engine.workers()[0].processId), 300);
      });`;
    const server = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    context.after(() => server.kill('SIGKILL'));
    const [printed] = (await once(server.stdout, 'data')) as [Buffer];
    const worker = Number(printed.toString());
    context.after(() => hasEnded(worker) || process.kill(worker, 'SIGKILL'));
    server.kill('SIGKILL');
    const deadline = Date.now() + 60_000;
    await until(() => hasEnded(worker) || Date.now() > deadline);
    assert.ok(hasEnded(worker));
  });

  it('that cannot be started for lack of descriptors fails its query and nothing else', async (context) => {
    const source = await makeFilesSource(context, {});
    const moduleUrl = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { closeSync, openSync } from 'node:fs';
      import { engine as duckdb } from ${moduleUrl('duckdb/engine.ts')};
      import { createQueryEngine } from ${moduleUrl('query-engine.ts')};
      import { testSandbox } from ${moduleUrl('../../../tests/support/data-sources/query-sandbox.ts')};
            const failures = [];
      const sandbox = await testSandbox();
      const engine = createQueryEngine({ sandbox, onStartFailure: ({ code }) => failures.push(code) });
      const source = { ...${JSON.stringify(source)}, engine: duckdb };
      const request = { organizationId: 'one', source, sql: 'SELECT 1' };
      const taken = [];
      try {
        for (;;) taken.push(openSync('/dev/null'));
      } catch {}
      const codes = [];
      // With a few descriptors left, the start fails elsewhere.
      for (let left = 0; left < 6; left += 1) {
        codes.push(await engine.run(request).then(() => 'done', ({ code }) => code));
        closeSync(taken.pop());
      }
      for (const descriptor of taken) closeSync(descriptor);
      codes.push(await engine.run(request).then(() => 'done', ({ code }) => code));
      await engine.close();
      console.log(JSON.stringify({ codes: [...new Set(codes)], failures: [...new Set(failures)] }));`;
    const server = spawn(
      '/bin/sh',
      ['-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', program],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    context.after(() => server.kill('SIGKILL'));
    const [output, errors] = await Promise.all([text(server.stdout), text(server.stderr)]);
    assert.equal(errors, '');
    assert.deepEqual(JSON.parse(output), { codes: ['worker_lost', 'done'], failures: ['EMFILE'] });
  });
});
