import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { failureOf, temporaryDirectory } from '../support/server/server-process.ts';

const program = fileURLToPath(new URL('../../src/server/main.js', import.meta.url));

test('a start on a full disk fails with an explanation, and without a stack trace', (context) => {
  const directory = temporaryDirectory(context);
  // Files of 32 KiB at most: the engine fails as it does on a full disk, wherever the tests run.
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 64; exec "$0" "$1"', process.execPath, program],
    {
      cwd: directory,
      env: { PORT: '0', ATRIUM_DATA_DIR: `${directory}/data`, PATH: process.env['PATH'] },
      encoding: 'utf8',
    },
  );
  assert.deepEqual([status, stderr], [1, '']);
  assert.match(failureOf(stdout), /^Atrium could not start\n(ATRIUM_DATA_DIR|The schema of the database).*$/);
});
