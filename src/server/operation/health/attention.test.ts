import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursMs, minutesMs } from '../../base/clock.ts';
import { findAttention, type Observations } from './attention.ts';
import { createDeadWorkerCount } from './dead-workers.ts';

const now = Date.UTC(2026, 10, 21, 9);
const job = { name: 'sweep', remedy: undefined, dueAt: now, isRunning: false, isFailing: false };
const healthy: Observations = {
  now,
  checks: [
    { name: 'database', status: 'ok' },
    { name: 'disk', status: 'ok' },
  ],
  disk: { freeBytes: 500, totalBytes: 1_000 },
  isolation: { kind: 'bubblewrap' },
  publicUrl: 'https://atrium.example',
  jobs: [job, { ...job, isRunning: true, dueAt: now - hoursMs(3) }, { ...job, dueAt: undefined }],
  deadWorkerCount: 2,
  damagedTableCount: 0,
  suspendedTokenCount: 0,
  sharedHosts: [],
};

const cases: readonly [name: string, change: Partial<Observations>, expected: readonly string[]][] = [
  ['nothing', {}, []],
  [
    'checks, failed ones first',
    {
      checks: [
        { name: 'disk', status: 'degraded', detail: 'The disk is almost full.' },
        { name: 'schema', status: 'failed', detail: 'It is newer.' },
      ],
      disk: { freeBytes: 1, totalBytes: 1_000 },
    },
    ['schema: It is newer.', 'disk: The disk is almost full.'],
  ],
  [
    'a disk with little space',
    { disk: { freeBytes: 99, totalBytes: 1_000 } },
    ['disk_low: Less than a tenth of the disk of the data directory is free.'],
  ],
  ['a disk whose size is unknown', { disk: { freeBytes: 0, totalBytes: 0 } }, []],
  [
    'a late job and a failing one',
    {
      jobs: [
        { ...job, dueAt: now - minutesMs(11) },
        { ...job, name: 'purge', isFailing: true },
      ],
    },
    ['job_late: A maintenance job is late: sweep.', 'job_failing: A maintenance job fails: purge.'],
  ],
  [
    'damaged objects of tables',
    { damagedTableCount: 2 },
    ['tables_damaged: Objects of uploaded tables that are missing or damaged: 2.'],
  ],
  [
    'dead workers',
    { deadWorkerCount: 3 },
    ['workers_died: 3 query processes ended unexpectedly within the last hour.'],
  ],
  [
    'a failing job with a remedy of its own, and an old backup',
    {
      jobs: [{ ...job, isFailing: true, remedy: 'Verify it.' }],
      backups: { everyHours: 24, lastAt: now - hoursMs(49) },
    },
    [
      'job_failing: A maintenance job fails: sweep. Verify it.',
      'backup_old: The last backup without faults is from 2026-11-19T08:00:00.000Z.',
    ],
  ],
  [
    'no backup',
    { backups: { everyHours: 24, lastAt: undefined } },
    ['backup_old: There is no backup without faults.'],
  ],
  ['a backup of yesterday', { backups: { everyHours: 24, lastAt: now - hoursMs(30) } }, []],
  [
    'tokens that a restore has suspended, and private hosts that every organization may use',
    { suspendedTokenCount: 3, sharedHosts: [{ message: 'Every one may use it.', remedy: 'Add an ID.' }] },
    [
      "tokens_suspended: Tokens that don't work since the server was restored from a backup: 3.",
      'shared_hosts: Every one may use it.',
    ],
  ],
  [
    'a server without TLS',
    { publicUrl: 'http://10.0.0.1:8080' },
    [
      'plain_http: ATRIUM_PUBLIC_URL is http://10.0.0.1:8080: a server without TLS is for trials. Others on the network can read and change everything, and other sites on this host name can replace its cookies.',
    ],
  ],
  [
    'a trial on one machine',
    { publicUrl: 'http://localhost:3000' },
    [
      'plain_http: ATRIUM_PUBLIC_URL is http://localhost:3000: a server without TLS is for trials. Other programs on this machine that serve pages can replace its cookies.',
    ],
  ],
  [
    'weak isolation',
    { isolation: { kind: 'none', reason: 'bubblewrap is not installed.', remedy: 'Install it.' } },
    [
      'isolation: A flaw in the query engine would let an attacker read everything that this server can read. ' +
        'bubblewrap is not installed.',
    ],
  ],
];

for (const [name, change, expected] of cases) {
  test(`what needs attention: ${name}`, () => {
    const found = findAttention({ ...healthy, ...change });
    assert.deepEqual(
      found.map(({ code, message, remedy }) =>
        [`${code}: ${message}`, ...(remedy === 'Verify it.' ? [remedy] : [])].join(' '),
      ),
      expected,
    );
  });
}

test('dead workers are counted for an hour', () => {
  let time = now;
  const dead = createDeadWorkerCount(() => time);
  dead.add();
  time += minutesMs(40);
  dead.add();
  assert.equal(dead.count(), 2);
  time += minutesMs(40);
  assert.equal(dead.count(), 1);
});
