import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { QueryFailure } from '../failure.ts';
import { createQueryEngine, type QueryEngineOptions } from '../query-engine.ts';
import { createNoSandbox } from '../sandbox/no-sandbox.ts';
import type { QuerySandbox } from '../sandbox/sandbox.ts';
import { toDeath, type DeathFacts, type WorkerDeath } from './worker-death.ts';

const mebibyte = 1024 * 1024;
const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c';

async function start(context: TestContext, options: Partial<QueryEngineOptions> = {}) {
  const deaths: WorkerDeath[] = [];
  const engine = createQueryEngine({
    sandbox: await testSandbox(),
    onWorkerDied: (death) => void deaths.push(death),
    ...options,
  });
  context.after(() => engine.close());
  const source = await makeFilesSource(context, {});
  const run = (sql: string) =>
    engine.run({ organizationId: 'one', source, sql }).then(
      () => 'succeeded',
      (error: unknown) =>
        error instanceof QueryFailure ? `${error.code}: ${error.message}` : Promise.reject(error as Error),
    );
  /** Returns the id of the worker's process once it runs a query. */
  const workerOf = async (): Promise<number> => {
    for (;;) {
      const found = engine.workers().find(({ processId, isBusy }) => isBusy && processId !== undefined);
      if (found?.processId !== undefined) return found.processId;
      await setImmediate();
    }
  };
  const causes = () => deaths.map(({ cause }) => cause);
  return { engine, run, workerOf, deaths, causes };
}

describe('a worker that dies', () => {
  const kills = [
    [[4, 4], 'killed', 'worker_lost: The process that ran the query was killed. Run it again.'],
    [[4, 5], 'killed_by_system', /^out_of_memory: The query needed more memory than the server has left\./],
    [
      [undefined],
      'killed_probably_by_system',
      /^worker_lost: .* probably because the server ran out of memory/,
    ],
  ] as const;
  for (const [counts, cause, expected] of kills)
    it(`by SIGKILL: ${cause}`, async (context) => {
      let count: number | undefined = counts[0];
      const { run, workerOf, deaths } = await start(context, { countOomKills: () => count });
      const running = run(endless);
      const processId = await workerOf();
      count = counts.at(-1);
      process.kill(processId, 'SIGKILL');
      if (typeof expected === 'string') assert.equal(await running, expected);
      else assert.match(await running, expected);
      assert.deepEqual(
        deaths.map(({ cause, signal }) => [cause, signal]),
        [[cause, 'SIGKILL']],
      );
      assert.equal(await run('SELECT 1'), 'succeeded');
    });

  it('because its JavaScript heap is full', async (context) => {
    const { run, causes } = await start(context, {
      limits: { heapBytes: 24 * mebibyte, timeoutMs: 120_000 },
    });
    const failure = await run("SELECT repeat('語', 20000) || range FROM range(2048)");
    assert.equal(
      failure,
      'out_of_memory: The query needed more memory than is allowed. Select fewer rows or columns.',
    );
    assert.deepEqual(causes(), ['heap_full']);
  });

  for (const crash of ['SIGSEGV', 'SIGBUS', 'SIGILL'] as const)
    it(`by a fault of the engine (${crash})`, async (context) => {
      const { run, workerOf, deaths } = await start(context);
      // Now bubblewrap has started the worker.
      assert.equal(await run('SELECT 1'), 'succeeded');
      const running = run(endless);
      process.kill(await workerOf(), crash);
      assert.match(await running, /^worker_lost: /);
      assert.deepEqual(
        deaths.map(({ cause, signal }) => [cause, signal]),
        [['crashed', crash]],
      );
    });

  /** A way to start workers that run this program instead of queries. */
  const sandboxOf = (program: string): QuerySandbox => {
    const sandbox = createNoSandbox('', '');
    const start = `import { Socket } from 'node:net'; const channel = new Socket({ fd: 3 }); ${program}`;
    return {
      ...sandbox,
      launch: (view) => sandbox.launch(view, ['--input-type=module', '--eval', start]),
    };
  };

  it('because it sent something else than a reply', async (context) => {
    const { run, causes } = await start(context, {
      sandbox: sandboxOf('channel.write(Buffer.alloc(1000, 255));'),
    });
    assert.match(await run('SELECT 1'), /^worker_lost: /);
    assert.deepEqual(causes(), ['protocol_violation']);
  });

  it('because it has used too much memory, which it reports before it ends itself', async (context) => {
    const failure = { code: 'out_of_memory', message: 'Too much memory.' };
    const reply = JSON.stringify({ kind: 'failed', failure, outputBytes: -1, isEnding: true });
    const { run, causes } = await start(context, {
      sandbox: sandboxOf(`
        const body = Buffer.from('${reply}');
        const lengths = Buffer.alloc(8);
        lengths.writeUInt32BE(body.length + 4);
        lengths.writeUInt32BE(body.length, 4);
        channel.on('data', (bytes) => {
          if (bytes.toString('latin1').includes('SELECT'))
            channel.write(Buffer.concat([lengths, body]), () => process.kill(process.pid, 'SIGKILL'));
        });
      `),
    });
    assert.equal(await run('SELECT 1'), 'out_of_memory: Too much memory.');
    while (causes().length === 0) await setImmediate();
    assert.deepEqual(causes(), ['memory_limit']);
  });

  it('is not reported if it was no longer needed', async (context) => {
    const { engine, run, causes } = await start(context, { limits: { idleMs: 1 } });
    assert.equal(await run('SELECT 1'), 'succeeded');
    while (engine.workers().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await engine.close();
    assert.deepEqual(causes(), []);
  });
});

it('a query that exceeds the memory of DuckDB fails, and its worker lives', async (context) => {
  const { run, causes } = await start(context, {
    limits: { memoryBytes: 64 * mebibyte, temporaryDiskBytes: mebibyte },
  });
  const failure = await run('SELECT list(range) FROM range(100000000)');
  assert.match(failure, /^out_of_memory: The query need/);
  assert.deepEqual(causes(), []);
});

it('the cause of a death follows from how the process ended', () => {
  const facts: DeathFacts = {
    exitCode: null,
    signalCode: null,
    announced: undefined,
    oomKillsBefore: 1,
    oomKillsNow: 1,
  };
  const cases: readonly [Partial<DeathFacts>, cause: string, signal: string | undefined][] = [
    [{ signalCode: 'SIGABRT' }, 'heap_full', 'SIGABRT'],
    [{ exitCode: 134 }, 'heap_full', 'SIGABRT'],
    [{ exitCode: 137 }, 'killed', 'SIGKILL'],
    [{ exitCode: 137, oomKillsNow: 2 }, 'killed_by_system', 'SIGKILL'],
    [{ exitCode: 139 }, 'crashed', 'SIGSEGV'],
    [{ signalCode: 'SIGTERM' }, 'killed', 'SIGTERM'],
    [{ exitCode: 1 }, 'exited', undefined],
    [{ exitCode: 0 }, 'exited', undefined],
    [{ signalCode: 'SIGKILL', announced: 'memory_limit' }, 'memory_limit', 'SIGKILL'],
    [{ signalCode: 'SIGKILL', announced: 'did_not_stop' }, 'did_not_stop', 'SIGKILL'],
  ];
  for (const [change, cause, signal] of cases) {
    const death = toDeath({ ...facts, ...change });
    assert.deepEqual([death.cause, death.signal], [cause, signal], JSON.stringify(change));
  }
});
