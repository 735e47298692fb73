import assert from 'node:assert/strict';
import { statSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { testSandbox } from '../support/data-sources/query-sandbox.ts';
import {
  failureOf,
  freshPlace,
  logLines,
  rootKey,
  runCommandLine,
  runServerToEnd,
  send,
  startServerProcess,
  temporaryDirectory,
  type Environment,
} from '../support/server/server-process.ts';

/** A text that no message may contain. */
const canary = 'canary-5f1e9';

/**
 * An invalid value of every variable that is checked when it is read; `src/server/config.test.ts` checks each one
 * separately.
 */
const allBad = {
  PORT: '65536',
  ATRIUM_PUBLIC_URL: 'https://atrium.example/path',
  DATABASE_URL: `mysql://user:${canary}@127.0.0.1/atrium`,
  ATRIUM_SECRET_KEY: canary,
  ATRIUM_OWNER_EMAIL: 'nobody',
  ATRIUM_OWNER_PASSWORD: canary.slice(0, 11),
  ATRIUM_ORGANIZATION: ' ',
  ATRIUM_SSO_ENTRA_AUTHORITY: 'login.microsoftonline.com',
  ATRIUM_SSO_PRIVATE_HOSTS: 'adfs.example',
  ATRIUM_SOURCE_PRIVATE_HOSTS: 'db.example',
  ATRIUM_DNS_SERVERS: 'dns.example:53',
  ATRIUM_LOG_LEVEL: 'loud',
  ATRIUM_SMTP_URL: `https://user:${canary}@mail.example`,
  ATRIUM_TRUSTED_PROXIES: '10.0.0.0/33',
  ATRIUM_DRAIN_SECONDS: '301',
  ATRIUM_QUERY_SANDBOX: 'off',
};

const unreachable = `postgres://user:${canary}@127.0.0.1:1/atrium`;

/** Settings, and the names of the invalid ones. */
const bad: readonly [settings: Environment, named: readonly string[]][] = [
  [allBad, Object.keys(allBad)],
  [{ ATRIUM_LOG_LEVEL: 'loud' }, ['ATRIUM_LOG_LEVEL']],
  [{ HOST: 'no-such-host.invalid' }, ['HOST', 'PORT']],
  [{ ATRIUM_DATA_DIR: '/dev/null/data' }, ['ATRIUM_DATA_DIR']],
  [{ DATABASE_URL: unreachable, ATRIUM_SECRET_KEY: rootKey }, ['DATABASE_URL']],
  [{ DATABASE_URL: unreachable }, ['ATRIUM_SECRET_KEY', 'DATABASE_URL']],
];

/** Returns the variables that a message names. */
const namedIn = (message: string): string[] =>
  [...new Set(message.match(/\b(HOST|PORT|DATABASE_URL|ATRIUM_[A-Z_]+)\b/g))].toSorted();

describe('an invalid setting', { concurrency: 2 }, () => {
  for (const [settings, named] of bad) {
    test(`prevents the start and is named: ${named.join(', ')}`, async (context) => {
      const exit = await runServerToEnd(context, { environment: settings });
      assert.deepEqual([exit.code, exit.errorOutput], [1, ''], exit.output);
      const failure = failureOf(exit.output);
      assert.match(failure, /^Atrium could not start\n/);
      assert.deepEqual(namedIn(failure), named.toSorted());
      assert.ok(!exit.output.includes(canary.slice(0, 11)), exit.output);
      assert.equal(logLines(exit.output).length, 1);
    });
  }

  test('also prevents a command', async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), PORT: 'x', ATRIUM_LOG_LEVEL: 'loud' };
    const { code, output, errorOutput } = await runCommandLine(context, ['secrets', 'rotate'], {
      environment,
    });
    assert.deepEqual(
      { code, output, named: namedIn(errorOutput) },
      { code: 1, output: '', named: ['ATRIUM_LOG_LEVEL', 'PORT'] },
    );
  });

  test('such as a port in use is reported', async (context) => {
    const occupant = createServer();
    await new Promise<void>((resolve) => void occupant.listen(0, '127.0.0.1', resolve));
    context.after(() => occupant.close());
    const address = occupant.address();
    assert.ok(typeof address === 'object' && address !== null);
    const exit = await runServerToEnd(context, { environment: { PORT: String(address.port) } });
    assert.deepEqual([exit.code, exit.errorOutput], [1, '']);
    assert.match(
      failureOf(exit.output),
      new RegExp(`PORT: Cannot listen on 127\\.0\\.0\\.1:${address.port}: .*EADDRINUSE`),
    );
  });
});

test('required isolation works, or the start fails and explains what to do', async (context) => {
  const environment = { ATRIUM_QUERY_SANDBOX: 'required' };
  const { state } = await testSandbox();
  if (state.kind === 'none') {
    const exit = await runServerToEnd(context, { environment });
    const failure = failureOf(exit.output);
    assert.deepEqual([exit.code, namedIn(failure)], [1, ['ATRIUM_QUERY_SANDBOX']]);
    assert.ok(failure.includes(state.remedy ?? ''), failure);
    return;
  }
  const server = await startServerProcess(context, { environment });
  const [line = ''] = server.output().split('\n');
  assert.match(line, new RegExp(`"isolation":"${state.kind}"`));
});

describe('a .env file in the working directory', () => {
  test('is read, and data is stored next to it by default', async (context) => {
    const directory = temporaryDirectory(context);
    writeFileSync(join(directory, '.env'), 'PORT=0\n# a comment\nATRIUM_PUBLIC_URL="https://file.example"\n');
    const server = await startServerProcess(context, { directory });
    assert.match(server.output(), /"url":"https:\/\/file\.example"/);
    assert.ok(statSync(join(directory, 'data', 'atrium.sqlite')).isFile());
  });

  test('is checked like the environment, which takes precedence', async (context) => {
    const directory = temporaryDirectory(context);
    writeFileSync(join(directory, '.env'), 'PORT=0\nATRIUM_LOG_LEVEL=loud\n');
    const exit = await runServerToEnd(context, { directory });
    assert.deepEqual([exit.code, namedIn(failureOf(exit.output))], [1, ['ATRIUM_LOG_LEVEL']]);
    const server = await startServerProcess(context, {
      directory,
      environment: { ATRIUM_LOG_LEVEL: 'silent' },
    });
    assert.equal((await send(server, 'GET /api/health/live')).status, 200);
  });
});

describe('the data directory', () => {
  test('is created for its owner only, with a permanent key', async (context) => {
    const environment = await freshPlace(context, 'SQLite');
    const { ATRIUM_DATA_DIR: directory } = environment;
    const file = join(directory, 'secret-key');
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const first = await startServerProcess(context, { environment });
    assert.deepEqual([mode(directory), mode(file)], ['700', '600']);
    const key = readFileSync(file, 'utf8');
    assert.match(key, /^[\w-]{43}\n?$/);
    await first.end('SIGTERM');
    const second = await startServerProcess(context, { environment });
    assert.equal(readFileSync(file, 'utf8'), key);
    assert.ok(![first, second].some((server) => server.output().includes(key.trim())), 'the key is printed');
    await second.end('SIGTERM');

    truncateSync(file);
    const exit = await runServerToEnd(context, { environment });
    assert.equal(exit.code, 1);
    assert.ok(failureOf(exit.output).includes(`${file} does not contain a key`), exit.output);
    assert.equal(readFileSync(file, 'utf8'), '');
  });

  test('does not contain a key if ATRIUM_SECRET_KEY is set', async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), ATRIUM_SECRET_KEY: rootKey };
    const server = await startServerProcess(context, { environment });
    assert.equal((await send(server, 'GET /api/health/ready')).status, 200);
    assert.equal(
      statSync(join(environment.ATRIUM_DATA_DIR, 'secret-key'), { throwIfNoEntry: false }),
      undefined,
    );
  });
});
