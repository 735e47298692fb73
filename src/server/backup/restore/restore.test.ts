import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { endAll } from '../../../../tests/support/endings.ts';
import { openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';
import { backUp } from '../../../../tests/support/server/backups.ts';
import { makeDataDirectory } from '../../../../tests/support/server/data-directory.ts';
import { restoreUntilKilled } from '../../../../tests/support/server/killed-restore.ts';
import {
  createTestPlace,
  describeOnBothEngines,
  startTestServer,
  type Engine,
  type TestPlace,
} from '../../../../tests/support/server/test-server.ts';
import { StartError } from '../../base/errors.ts';
import { claimSources } from '../../data-sources/ownership.ts';
import { openDatabase, openServer } from '../../storage/open-database.ts';
import { contentOf } from '../content.ts';
import { listStoredFiles } from '../stored-tables.ts';
import { restoreBackup } from './restore.ts';
import type { OnStep, RestoreStep } from './steps.ts';

/** What is tested of a backup is tested elsewhere, and takes longer than all else. */
const tableCheck = { findFaults: async () => [] };

/** What differs between two kills: which marks there are, and how far the files and the database are. */
const stepsOf: Readonly<Record<Engine, readonly RestoreStep[]>> = {
  SQLite: ['marked', 'file copied', 'rows changed', 'database restored'],
  PostgreSQL: ['marked', 'file copied', 'schema created', 'rows changed', 'database restored'],
};

const restore = (backup: string, { databaseUrl, dataDirectory }: TestPlace, onStep?: OnStep) =>
  restoreBackup(backup, {
    dataDirectory,
    openServer: databaseUrl === undefined ? undefined : () => openServer(databaseUrl),
    secretKeys: undefined,
    tableCheck,
    ...(onStep !== undefined && { onStep }),
  });

/** Starts as far as a server that refuses to start does. */
async function start(place: Omit<TestPlace, 'drop'>) {
  const database = await openDatabase(place);
  try {
    await claimSources(database, place.dataDirectory, { hasLocalTables: true });
    return await listStoredFiles(contentOf(database));
  } finally {
    await database.close();
  }
}

const isRefusal = (error: unknown): true => {
  assert.ok(error instanceof StartError, String(error));
  assert.match(error.message, /server restore/);
  return true;
};

async function newPlace(context: TestContext, engine: Engine): Promise<TestPlace> {
  const place = await createTestPlace(engine);
  context.after(place.drop);
  return place;
}

describeOnBothEngines('a restore', (engine) => {
  let backup = '';
  const works: (() => unknown)[] = [];

  before(async () => {
    const owner = { after: (work: () => unknown) => void works.push(work) };
    const server = await startTestServer(owner, engine);
    const { upload } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    writeFileSync(
      join(server.dataDirectory, 'secret-key'),
      'the root key of the tests, 32 characters or more',
    );
    backup = await backUp(owner, server);
  });
  after(() => endAll(works));

  for (const step of stepsOf[engine]) {
    test(`that was killed when it was at “${step}” is not started, and completed by the same command`, async (context) => {
      const place = await newPlace(context, engine);
      const { signal, stderr } = restoreUntilKilled(backup, place, step);
      assert.deepEqual([signal, stderr], ['SIGKILL', '']);
      await assert.rejects(start(place), isRefusal);
      if (engine === 'PostgreSQL') {
        // Another replica, with a directory of its own.
        const other = { ...place, dataDirectory: makeDataDirectory() };
        context.after(() => rmSync(other.dataDirectory, { recursive: true }));
        await assert.rejects(start(other), isRefusal);
        const empty = await newPlace(context, engine);
        await assert.rejects(start({ ...empty, dataDirectory: place.dataDirectory }), isRefusal);
      }
      await restore(backup, place);
      await assertWhole(place);
    });
  }

  test('that fails says why and is not started, and is completed by the same command', async (context) => {
    const place = await newPlace(context, engine);
    const onStep = (step: RestoreStep) => {
      if (step === 'file copied') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    await assert.rejects(restore(backup, place, onStep), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(
        error.message,
        /^The backup could not be restored, because the disk of .* is full\. Free up space/,
      );
      assert.match(error.message, /no server starts on it\. Run the command again/);
      return true;
    });
    // The space of what was copied is free again.
    assert.deepEqual(readdirSync(place.dataDirectory).toSorted(), ['server-lock', 'unfinished-restore']);
    await assert.rejects(start(place), isRefusal);
    await restore(backup, place);
    await assertWhole(place);
  });

  test('that fails before it has changed anything leaves nothing', async (context) => {
    const place = await newPlace(context, engine);
    const onStep = () => {
      throw new Error('refused');
    };
    await assert.rejects(restore(backup, place, onStep), /The backup could not be restored to .*: refused$/);
    assert.deepEqual(readdirSync(place.dataDirectory), []);
    assert.deepEqual(await start(place), []);
  });

  test('never removes the files of others', async (context) => {
    const place = await newPlace(context, engine);
    restoreUntilKilled(backup, place, 'file copied');
    writeFileSync(join(place.dataDirectory, 'notes'), 'of the operator');
    await assert.rejects(restore(backup, place), /is not empty, and restoring never overwrites anything/);
    assert.ok(existsSync(join(place.dataDirectory, 'secret-key')));
  });
});

/** Asserts that a server would start, and has the files of its tables. */
async function assertWhole(place: TestPlace): Promise<void> {
  const files = await start(place);
  assert.deepEqual(
    files.map(({ path }) => existsSync(join(place.dataDirectory, 'sources', path))),
    [true],
  );
  assert.ok(!readdirSync(place.dataDirectory).some((name) => /unfinished|restoring/.test(name)));
}
