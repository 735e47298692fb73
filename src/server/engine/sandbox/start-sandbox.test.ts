import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartError } from '../../base/errors.ts';
import { programDirectory } from '../../base/program.js';
import { describeIsolation, startSandbox } from './start-sandbox.ts';

/** A directory that every worker can see, so that workers can't be isolated from it. */
const dataDirectory = join(programDirectory, 'node_modules', '.data-of-a-test');
const options = { dataDirectory, temporaryDirectory: join(dataDirectory, 'query-temp') };

test('required isolation that does not work stops the start, with the reason and the remedy', async () => {
  await assert.rejects(startSandbox('required', options), (error) => {
    assert.ok(error instanceof StartError);
    for (const part of ['ATRIUM_QUERY_SANDBOX', 'The data directory is inside', 'Set ATRIUM_DATA_DIR'])
      assert.ok(error.message.includes(part), error.message);
    return true;
  });
  assert.equal(existsSync(dataDirectory), false);
});

test('isolation that is not required and does not work is a warning', async () => {
  const { state } = await startSandbox('auto', options);
  assert.equal(state.kind, 'none');
  const { level, message } = describeIsolation(state);
  assert.equal(level, 'warn');
  assert.match(message, /not isolated.*The data directory is inside .*Set ATRIUM_DATA_DIR/);
});

test('isolation by a separate user is reported with its limits', () => {
  const { level, message } = describeIsolation({
    kind: 'separate_user',
    reason: 'bubblewrap is not installed.',
    remedy: 'Install it.',
  });
  assert.equal(level, 'warn');
  assert.match(message, /can still reach the network.*bubblewrap is not installed\. Install it\./);
});
