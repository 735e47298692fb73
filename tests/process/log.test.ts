import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../support/network/free-port.ts';
import {
  logLines,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  temporaryDirectory,
  until,
} from '../support/server/server-process.ts';

const main = fileURLToPath(new URL('../../src/server/main.js', import.meta.url));
const fullDevice = '/dev/full';

/** A program of util-linux, which runs another one at a terminal. */
const script = '/usr/bin/script';

/** Makes a server fail or warn by signals, as a bug would. */
const failing = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => { throw new Error('thrown by a test'); });
  process.on('SIGHUP', () => { Promise.reject(new Error('rejected by a test')); });
  process.on('SIGWINCH', () => { process.emitWarning('of a test', { code: 'TEST' }); });
`)}`;

describe('a server', () => {
  const start = (context: TestContext, environment: Readonly<Record<string, string>> = {}) =>
    startServerProcess(context, { environment: { NODE_OPTIONS: `--import ${failing}`, ...environment } });

  for (const [signal, message] of [
    ['SIGUSR2', 'thrown by a test'],
    ['SIGHUP', 'rejected by a test'],
  ] as const)
    test(`that crashes logs why, in one line (${message})`, async (context) => {
      const server = await start(context);
      const { code, output, errorOutput } = await server.end(signal);
      assert.deepEqual([code, errorOutput], [1, '']);
      const { level, msg, err } = logLines(output).at(-1) ?? {};
      const { stack, ...error } = err as Record<string, unknown>;
      assert.deepEqual([level, msg, error], [60, 'Atrium crashed', { type: 'Error', message }]);
      assert.match(String(stack), /^Error: .*\n +at /);
    });

  test('logs warnings of Node and of its settings, and nothing else than JSON', async (context) => {
    const server = await start(context, { ATRIUM_PUBLIC_URL: 'http://10.0.0.1:8080' });
    process.kill(server.processId, 'SIGWINCH');
    await until('it warns', () => (server.output().includes('Node.js warns') ? true : undefined));
    const { output, errorOutput } = await server.end('SIGTERM');
    const { level, err } = logLines(output).find(({ msg }) => msg === 'Node.js warns') ?? {};
    const { code, message } = err as Record<string, unknown>;
    assert.deepEqual([level, code, message, errorOutput], [40, 'TEST', 'of a test', '']);
    const trial = logLines(output).find(({ msg }) =>
      String(msg).includes('a server without TLS is for trials'),
    );
    assert.equal(trial?.['level'], 40);
  });

  const hasTerminal = { skip: existsSync(script) ? false : 'script is not installed' };
  test('greets a person at a terminal with text', hasTerminal, async (context) => {
    const terminal = spawn(script, ['-qec', `${process.execPath} ${main}`, '/dev/null'], {
      cwd: temporaryDirectory(context),
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        ATRIUM_DATA_DIR: join(temporaryDirectory(context), 'data'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(terminal, 'exit');
    context.after(async () => {
      terminal.kill('SIGTERM');
      await ended;
    });
    let output = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until('it greets', () => (/#\S{43}\s*$/.test(output) ? true : undefined));
    assert.match(output, /^Atrium \S+\r?\n {2}URL {9}http:\/\/localhost:0\r?\n {2}Listening {3}http/m);
    assert.match(output, /No account exists yet/);
  });
});

describe('a server whose log is on a full disk', () => {
  // Only Linux has a device on which every write fails as on a full disk.
  if (!existsSync(fullDevice)) return;

  test('starts, serves requests that are logged, and stops in time', async (context) => {
    const port = await findFreePort();
    const full = openSync(fullDevice, 'w');
    const server = spawn(process.execPath, [main], {
      cwd: temporaryDirectory(context),
      env: {
        ...ownerSettings,
        PATH: process.env['PATH'],
        PORT: String(port),
        ATRIUM_DATA_DIR: join(temporaryDirectory(context), 'data'),
        ATRIUM_LOG_LEVEL: 'trace',
      },
      stdio: ['ignore', full, full],
    });
    closeSync(full);
    const ended = once(server, 'exit');
    context.after(async () => {
      server.kill('SIGKILL');
      await ended;
    });
    const url = `http://127.0.0.1:${port}`;
    await until('the server is ready', async () => {
      assert.deepEqual([server.exitCode, server.signalCode], [null, null], 'the server ended');
      const response = await send({ url }, 'GET /api/health/ready').catch(() => undefined);
      return response?.status === 200 || undefined;
    });
    const account = await signInOwner({ url });
    for (let count = 0; count < 50; count += 1)
      assert.equal((await send(account, 'GET /api/dashboards')).status, 200);
    const startedAt = performance.now();
    server.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.ok(performance.now() - startedAt < 5_000, 'it did not stop in time');
  });
});
