import { test } from 'node:test';
import { describeOnBothEngines } from '../support/server/test-server.ts';
import { surviveKills } from './kills.ts';
import { chosenSeed } from '../support/seeded-random.ts';

describeOnBothEngines('a server that is killed during writes', (engine) => {
  test('has every acknowledged write, complete, after each of a few kills', async (context) => {
    const report = (line: string) => context.diagnostic(line);
    await surviveKills(context, {
      engine,
      killCount: engine === 'SQLite' ? 3 : 4,
      seed: chosenSeed(),
      report,
    });
  });
});
