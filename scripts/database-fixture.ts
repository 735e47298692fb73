// Stores a database of the present version on each engine, which later versions have to be able to upgrade.
import packageJson from '../package.json' with { type: 'json' };
import { endAll } from '../tests/support/endings.ts';
import { engines } from '../tests/support/server/test-server.ts';
import { writeFixture } from '../tests/support/storage/fixtures.ts';

for (const engine of engines) {
  const works: (() => unknown)[] = [];
  try {
    const owner = { after: (work: () => unknown) => void works.push(work) };
    process.stdout.write(`${await writeFixture(owner, engine, packageJson.version)}\n`);
  } finally {
    await endAll(works);
  }
}
process.exit();
