import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { endProcessesOf } from './separate-user.ts';

const onlyRoot = { skip: process.getuid?.() === 0 ? false : 'only root can run a worker as a separate user' };
const id = 61_900;

test(
  'all processes of a worker are ended, even if no process can be started to signal them',
  onlyRoot,
  async () => {
    const child = spawn(
      '/bin/sh',
      ['-c', 'sleep 600 & setsid sleep 600 & echo ready; while :; do sleep 0.01; done'],
      {
        uid: id,
        gid: id,
        env: {},
        cwd: '/',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    await endProcessesOf(id, async () => {});
    assert.deepEqual(await exited, [null, 'SIGKILL']);
  },
);
