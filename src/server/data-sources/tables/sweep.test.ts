import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';
import { openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';
import { daysMs, hoursMs } from '../../base/clock.ts';
import { makeWorkerDirectory } from '../../engine/sandbox/worker-directories.ts';
import { createSourceFiles } from './files.ts';
import { holdingFiles } from './leases.ts';
import { sweepSourceFiles, sweepSpilled, type Quarantined } from './sweep.ts';

describeOnUsualEngine('the files of tables', (engine) => {
  test('that belong to no table are moved to quarantine once they are old, and deleted a week later', async (context) => {
    const server = await startTestServer(context, engine);
    const { organizationId, id, upload, preview } = await openFilesOffice(server);
    await upload('t', 'a\n1\n');
    const sources = join(server.dataDirectory, 'sources');
    const own = join(sources, organizationId, id);
    const gone = join(sources, organizationId, 'deleted');
    const spill = join(sources, organizationId, 'temp', 'worker-x', 'spill');
    for (const directory of [gone, spill]) mkdirSync(directory, { recursive: true });
    const now = Date.now();
    const put = (path: string, hours: number) => {
      if (!existsSync(path)) writeFileSync(path, 'x');
      utimesSync(path, new Date(now - hoursMs(hours)), new Date(now - hoursMs(hours)));
    };
    const table = readdirSync(own)[0] ?? '';
    put(join(own, table), 1_000);
    put(join(own, 'old.upload'), 1.1);
    put(join(own, 'old.duckdb.wal'), 1.1);
    put(join(own, 'young.upload'), 0.9);
    put(join(gone, 'old.duckdb'), 1.1);
    put(join(spill, 'old'), 25);
    put(join(spill, 'young'), 23);
    const moved: Quarantined[] = [];
    const sweep = (time: number) =>
      sweepSourceFiles(
        server.database,
        () => time,
        { directory: sources, isSole: false },
        new AbortController().signal,
        (each) => moved.push(each),
      );
    for (const use of ['backup', { exportOf: organizationId }] as const)
      await holdingFiles(
        server.database,
        () => now,
        use,
        () => sweep(now),
      );
    assert.deepEqual(moved, [], 'a backup or an export may be about to copy the files');
    await holdingFiles(
      server.database,
      () => now,
      { exportOf: 'other' },
      () => sweep(now),
    );
    const today = join(sources, 'quarantine', new Date(now).toISOString().slice(0, 10));
    assert.deepEqual(moved, [{ count: 3, directory: today }]);
    assert.deepEqual(readdirSync(join(today, organizationId, id)).toSorted(), [
      'old.duckdb.wal',
      'old.upload',
    ]);
    assert.deepEqual(readdirSync(join(today, organizationId, 'deleted')), ['old.duckdb']);
    assert.deepEqual(readdirSync(own).toSorted(), [table, 'young.upload'].toSorted());
    assert.deepEqual(readdirSync(spill), ['young']);
    assert.deepEqual(readdirSync(gone), []);
    await sweepSpilled(() => now + hoursMs(2), spill, false);
    assert.deepEqual(readdirSync(spill), []);
    put(gone, 2);
    await sweep(now);
    assert.equal(existsSync(gone), false);
    mkdirSync(join(sources, 'quarantine', 'put here by hand'));
    utimesSync(join(own, 'young.upload'), new Date(now + daysMs(9)), new Date(now + daysMs(9)));
    await sweep(now + daysMs(7));
    assert.ok(existsSync(today));
    await sweep(now + daysMs(8));
    assert.deepEqual(readdirSync(join(sources, 'quarantine')), ['put here by hand']);
    assert.equal(moved.length, 1);
    assert.deepEqual(await preview('t'), [[1]]);
  });
});

test('directories of workers whose server has ended are removed at once, and no others', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-spill-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const own = basename(makeWorkerDirectory(directory));
  const ownName = /^worker-[0-9a-f]{12}-(\d+)-(\d+)-/;
  const [, processId = '', startedAt = ''] = ownName.exec(own) ?? [];
  const others = {
    // The same process id before a restart; a process that isn't running; one that is, but started at another time.
    earlier: own.replace(`-${startedAt}-`, `-${Number(startedAt) - 1}-`),
    gone: own.replace(`-${processId}-`, '-4194305-'),
    recycled: own.replace(`-${processId}-`, '-1-'),
    elsewhere: own.replace(/^worker-[0-9a-f]{12}/, 'worker-000000000000'),
  };
  for (const name of Object.values(others)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'spill'), 'x');
  }
  await sweepSpilled(Date.now, directory, false);
  assert.deepEqual(readdirSync(directory).toSorted(), [own, others.elsewhere].toSorted());
  await sweepSpilled(Date.now, directory, true);
  assert.deepEqual(readdirSync(directory), [own]);
});

test('a file of a replaced table is removed two minutes later, unless the server stops before or a backup holds it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const removed: string[] = [];
  const open = (isHeld = false) =>
    createSourceFiles(
      { directory: '/x', remote: undefined, isHeld: async () => isHeld },
      (error) => assert.ifError(error),
      async (path) => void removed.push(path),
    );
  const [files, stopped, held] = [open(), open(), open(true)];
  held.removeLater('/x/c');
  await held.removeDirectory('/x/d');
  files.removeLater('/x/a');
  stopped.removeLater('/x/b');
  context.mock.timers.tick(119_999);
  assert.deepEqual(removed, []);
  stopped.close();
  context.mock.timers.tick(1);
  await new Promise(setImmediate);
  assert.deepEqual(removed, ['/x/a']);
});
