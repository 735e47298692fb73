import { after, before, describe } from 'node:test';
import { endAll, type Owner } from '../endings.ts';
import { usualEngines, type Engine } from './test-server.ts';

/**
 * Declares the same tests on each engine, by default the usual ones. They share the world that `start` returns, whose members exist once the tests
 * run, and which ends after the last of them.
 */
export function describeInWorld<World extends object>(
  name: string,
  start: (suite: Owner, engine: Engine) => Promise<World>,
  declare: (world: World, engine: Engine) => void,
  on = usualEngines,
): void {
  for (const engine of on) {
    describe(`${name} on ${engine}`, () => {
      const hooks: (() => unknown)[] = [];
      // A hook that is added inside another hook would belong to no suite. Sound because no hook reads its arguments.
      const suite: Owner = { after: (hook) => void hooks.push(hook as () => unknown) };
      const world = {} as World;
      before(async () => {
        Object.assign(world, await start(suite, engine));
      });
      after(() => endAll(hooks));
      declare(world, engine);
    });
  }
}
