import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actorOf } from '../../../tests/support/organizations/actors.ts';
import type { Database } from '../storage/database.ts';
import { createAccessLog } from './access-log.ts';

/** Starts a log whose writes fail at first, and lists what it reports. */
function startFailing() {
  const reports: string[] = [];
  let isFailing = true;
  const write = async () => {
    if (isFailing) throw new Error('The disk is full');
  };
  // Sound because the log uses nothing else of the database.
  const database = { write } as unknown as Database;
  const log = createAccessLog(
    { database, clock: () => 0 },
    { onFailure: (error) => reports.push(String(error)), onLost: (count) => reports.push(`${count} lost`) },
  );
  const actor = actorOf('ada');
  const view = (subjectId: string) =>
    log.note({ action: 'dashboard.viewed', actor, organizationId: 'office', subjectId });
  const recover = () => (isFailing = false);
  return { log, view, recover, reports };
}

const failure = 'Error: The disk is full';

describe('the data-access log while writes fail', () => {
  test('reports views beyond 20,000 entries as lost once writes succeed, and no others', async () => {
    const { log, view, recover, reports } = startFailing();
    for (let index = 0; index < 20_000; index += 1) view(String(index));
    await log.flush();
    // Counted with an entry that waits.
    view('0');
    view('one');
    view('two');
    await log.flush();
    assert.deepEqual(reports, [failure]);
    recover();
    await log.flush();
    assert.deepEqual(reports, [failure, '2 lost']);
    await log.close();
    assert.deepEqual(reports, [failure, '2 lost']);
  });

  test('reports everything that waits as lost if the last write fails', async () => {
    const { log, view, reports } = startFailing();
    view('one');
    view('one');
    view('two');
    await log.close();
    assert.deepEqual(reports, [failure, '3 lost']);
  });

  test('reports what was beyond the limit with what waits', async () => {
    const { log, view, reports } = startFailing();
    for (let index = 0; index < 20_001; index += 1) view(String(index));
    await log.close();
    assert.deepEqual(reports, [failure, '20001 lost']);
  });
});
