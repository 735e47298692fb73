import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { jobOf } from '../../../../tests/support/exports/jobs.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createNoSandbox } from '../../engine/sandbox/no-sandbox.ts';
import { defaultExportLimits, type ExportLimits } from '../job.ts';
import { fontDirectories } from '../font-directories.ts';
import { runExportWorker, viewOf, type WorkerOptions } from './run.ts';

const { job, lines } = jobOf('svg', [{ columns: [['n', 'integer']], rows: [[1]] }]);
const never = new AbortController().signal;

/** Runs a job in the program of workers, or in one with this code. */
async function run(
  context: TestContext,
  code: string | undefined,
  { signal = never, ...limits }: Partial<ExportLimits> & { readonly signal?: AbortSignal } = {},
) {
  const temporaryDirectory = mkdtempSync(join(tmpdir(), 'atrium-exports-'));
  context.after(() => rmSync(temporaryDirectory, { recursive: true, force: true, maxRetries: 3 }));
  const program = join(temporaryDirectory, 'program.mjs');
  if (code !== undefined) writeFileSync(program, code);
  const options: WorkerOptions = {
    sandbox: code === undefined ? await testSandbox() : createNoSandbox('A test.', ''),
    limits: { ...defaultExportLimits, ...limits },
    temporaryDirectory,
    ...(code !== undefined && { program }),
  };
  async function* results() {
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  const file = await runExportWorker(options, job, { lines: results(), language: 'en-US', signal });
  return { text: file.toString('utf8'), temporaryDirectory };
}

const reading = 'for await (const _ of process.stdin);\n';

describe('a worker of exports', () => {
  test('gets the job, and nothing of the environment of the server', async (context) => {
    process.env['ATRIUM_SECRET_OF_TEST'] = 'secret';
    context.after(() => delete process.env['ATRIUM_SECRET_OF_TEST']);
    const { text: output } = await run(
      context,
      "let input = ''; for await (const part of process.stdin) input += part;\nprocess.stdout.write(JSON.stringify([Object.keys(process.env).sort(), input.split('\\n').length]))",
    );
    assert.deepEqual(JSON.parse(output), [['DISABLE_SYSTEM_FONTS_LOAD', 'HOME', 'LC_ALL', 'TZ'], 3]);
  });

  test('makes a file in the sandbox of query workers', async (context) => {
    const { text: output } = await run(context, undefined);
    assert.match(output, /^<svg /);
  });

  test('reads the fonts of the system, and writes none', async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'atrium-fonts-'));
    context.after(() => rmSync(directory, { recursive: true, force: true }));
    const code = `
      const { readdirSync, writeFileSync } = require('node:fs');
      const attempt = (run) => { try { return run(); } catch (error) { return error.code; } };
      console.log(JSON.stringify([
        ...${JSON.stringify(fontDirectories)}.map((each) => attempt(() => readdirSync(each).sort())),
        attempt(() => writeFileSync('/usr/share/fonts/written', '')) ?? 'written',
        attempt(() => readdirSync('/usr/share').sort()),
      ]));`;
    const sandbox = await testSandbox();
    const launch = sandbox.launch(viewOf(directory), ['--eval', code]);
    const child = spawn(launch.command, launch.args, {
      ...launch.options,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [shared, local, written, beside] = JSON.parse(await text(child.stdout)) as unknown[];
    await launch.finish();
    const listed = (path: string) => (existsSync(path) ? readdirSync(path).toSorted() : 'ENOENT');
    assert.deepEqual([shared, local], fontDirectories.map(listed));
    assert.notEqual(written, 'written');
    if (sandbox.state.kind === 'bubblewrap') assert.deepEqual(beside, ['fonts']);
  });

  const failures: readonly [string, string, Partial<ExportLimits>, object | RegExp][] = [
    [
      'takes too long',
      `${reading}setInterval(() => {}, 1000)`,
      { timeoutMs: 300 },
      { code: 'export_too_large' },
    ],
    [
      'fills its heap',
      `${reading}const all = []; for (;;) all.push({ a: all.length })`,
      { memoryBytes: 80 * 1024 ** 2 },
      { code: 'export_too_large' },
    ],
    [
      'uses memory outside of its heap',
      `${reading}const all = []; setInterval(() => all.push(Buffer.alloc(16 * 1024 ** 2, 1)), 5)`,
      { memoryBytes: 200 * 1024 ** 2 },
      { code: 'export_too_large' },
    ],
    [
      'writes too much',
      `${reading}process.stdout.write('x'.repeat(1e6)); setInterval(() => {}, 1000)`,
      { maxOutputBytes: 1_000 },
      { code: 'export_too_large' },
    ],
    [
      'gets too much',
      `${reading}setInterval(() => {}, 1000)`,
      { maxInputBytes: 10 },
      { code: 'export_too_large' },
    ],
    [
      'crashes',
      `${reading}process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)`,
      {},
      /ended with SIGSEGV/,
    ],
    ['throws', `${reading}throw new Error('A fault.')`, {}, /A fault/],
    ['ends at once', 'process.exit(1)', {}, /ended with 1/],
    [
      'says that the file would be too large',
      `${reading}process.stderr.write('Too high.'); process.exitCode = 3`,
      {},
      { code: 'export_too_large', message: 'Too high.' },
    ],
  ];
  for (const [what, code, limits, expected] of failures)
    test(`that ${what} fails alone`, async (context) => {
      await assert.rejects(run(context, code, limits), expected);
    });

  test('ends when the client disconnects', async (context) => {
    const gone = new AbortController();
    const running = run(context, `${reading}setInterval(() => {}, 1000)`, { signal: gone.signal });
    gone.abort();
    await assert.rejects(running);
    const later = AbortSignal.timeout(300);
    await assert.rejects(run(context, `${reading}setInterval(() => {}, 1000)`, { signal: later }), {
      code: 'unavailable',
    });
  });

  test('leaves nothing behind', async (context) => {
    const { temporaryDirectory } = await run(context, undefined);
    while (readdirSync(temporaryDirectory).length > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
