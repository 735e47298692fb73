// `npm run test:crash`: the durability test in full. `npm test` has a short form of it.
//   ATRIUM_TEST_SEED=…   repeats the choices of a run before
//   ATRIUM_TEST_KILLS=…  other than 24 kills an engine
import { test } from 'node:test';
import { describeOnBothEngines } from '../support/test-server.ts';
import { surviveKills } from './crash-rounds.ts';
import { chosenSeed } from '../support/seeded-random.ts';

const killCount = Number(process.env['ATRIUM_TEST_KILLS'] ?? 24);

describeOnBothEngines('killed while it writes', (engine) => {
  test(`what was acknowledged is there, whole, after each of ${killCount} kills`, async (context) => {
    const report = (line: string) => console.log(line);
    await surviveKills(context, { engine, killCount, seed: chosenSeed(), report });
  });
});
