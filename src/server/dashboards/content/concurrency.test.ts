import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editAtOnce } from '../../../../tests/support/dashboards/concurrent-edits.ts';
import { startEditing } from '../../../../tests/support/dashboards/editor.ts';
import { chosenSeed } from '../../../../tests/support/seeded-random.ts';
import { describeOnBothEngines } from '../../../../tests/support/server/test-server.ts';

describeOnBothEngines('one dashboard that 20 clients edit at once', (engine) => {
  test('contains all of their 2,000 acknowledged edits', async (context) => {
    const { server, ada, bob, path } = await startEditing(context, engine);
    const { merged } = await editAtOnce(
      (client, line, options) => server.call(line, { as: client % 2 === 0 ? ada : bob, ...options }),
      { path, clients: 20, edits: 2_000, seed: chosenSeed() },
    );
    assert.ok(merged > 500, `${merged} merged`);
  });
});
