import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findAddress, temporaryDirectory, send, until } from '../support/server/server-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('SIGTERM to npm start ends the server', async (context) => {
  // It leads its own process group, so that its remaining processes can be ended here.
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      ATRIUM_DATA_DIR: join(temporaryDirectory(context), 'data'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(npm, 'exit');
  context.after(() => {
    try {
      process.kill(-(npm.pid ?? assert.fail()), 'SIGKILL');
    } catch {
      // No process is left.
    }
  });
  const url = await until('the server listens', () => {
    assert.equal(npm.exitCode, null, output);
    return findAddress(output);
  });
  assert.equal((await send({ url }, 'GET /api/health/ready')).status, 200);
  npm.kill('SIGTERM');
  await ended;
  await until('nothing listens', async () => {
    const response = await send({ url }, 'GET /api/health/live').catch(() => undefined);
    return response === undefined ? true : undefined;
  });
});
