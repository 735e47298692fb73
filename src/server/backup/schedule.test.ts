import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFilesOffice } from '../../../tests/support/data-sources/uploads.ts';
import { newBackupPath } from '../../../tests/support/server/backups.ts';
import { runOn } from '../../../tests/support/server/commands.ts';
import { describeOnUsualEngine, startTestServer } from '../../../tests/support/server/test-server.ts';
import { hoursMs } from '../base/clock.ts';
import { findInstanceId } from '../storage/instance.ts';
import { backupJobs } from './jobs.ts';
import { lastBackupAt } from './schedule.ts';

describeOnUsualEngine('scheduled backups', (engine) => {
  test('are made when they are due, and the oldest are removed', async (context) => {
    const server = await startTestServer(context, engine);
    const { upload, organizationId, id } = await openFilesOffice(server);
    await upload('t', 'a\n1\n');
    const directory = newBackupPath(context);
    const instanceId = (await findInstanceId(server.database)) ?? '';
    let time = Date.UTC(2026, 10, 22, 3);
    const made: string[] = [];
    const [check, backUp] = backupJobs({
      schedule: { directory, everyHours: 24, keepCount: 2 },
      instanceId,
      clock: () => time,
      runCommand: (words) => runOn(server, words, { clock: () => time }),
      onBackedUp: (path) => made.push(path),
    });
    assert.ok(check !== undefined && backUp !== undefined);
    const { signal } = new AbortController();
    const runAfter = (hours: number) => {
      time += hoursMs(hours);
      return backUp.run(signal);
    };
    /** Everything in the directory that isn't a backup of this server. */
    const others = [
      'atrium-2020-01-01T00-00-00Z',
      'atrium-2020-01-02T00-00-00Z',
      'atrium-2020-01-03T00-00-00Z',
      'mine',
    ];
    for (const name of others) mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, others[1] ?? '', 'incomplete'), 'another');
    const abandoned = join(directory, others[2] ?? '', 'incomplete');
    writeFileSync(abandoned, instanceId);
    utimesSync(abandoned, new Date(0), new Date(0));
    const namesOf = () => readdirSync(directory).filter((name) => !others.includes(name));

    await runAfter(0);
    await runAfter(23);
    assert.deepEqual(namesOf(), ['atrium-2026-11-22T03-00-00Z']);
    await runAfter(1);
    await runAfter(24);
    assert.deepEqual(namesOf(), ['atrium-2026-11-23T03-00-00Z', 'atrium-2026-11-24T03-00-00Z']);
    assert.equal(await lastBackupAt(directory, instanceId), time);
    assert.deepEqual(
      readdirSync(directory).filter((name) => others.includes(name)),
      [others[0], others[1], 'mine'],
    );
    assert.equal(made.length, 3);
    await check.run(signal);

    // With damage, the last whole backup stays, however many follow.
    rmSync(join(server.dataDirectory, 'sources', organizationId, id), { recursive: true });
    const missing = /^the file of the table t is missing: sources\//;
    for (const hours of [24, 1, 1]) await assert.rejects(runAfter(hours), { message: missing });
    assert.deepEqual(namesOf(), [
      'atrium-2026-11-24T03-00-00Z',
      'atrium-2026-11-25T04-00-00Z',
      'atrium-2026-11-25T05-00-00Z',
    ]);
    await assert.rejects(check.run(signal), { message: /^the table t .*: its file is missing$/ });
  });
});
