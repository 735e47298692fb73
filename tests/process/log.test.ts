import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../support/network/free-port.ts';
import {
  ownerSettings,
  send,
  signInOwner,
  temporaryDirectory,
  until,
} from '../support/server/server-process.ts';

const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
const fullDevice = '/dev/full';

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
