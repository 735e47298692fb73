import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDashboard } from '../../tests/support/dashboards/team.ts';
import { startNewsroom } from '../../tests/support/reports/newsroom.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type TestServer,
} from '../../tests/support/server/test-server.ts';
import { daysMs, hoursMs, minutesMs, type Clock } from './base/clock.ts';
import { maintenanceJobs } from './maintenance-jobs.ts';
import type { MaintenanceJob } from './maintenance.ts';
import { deleteByOperator, listDeletedByOperator } from './organization-deletion/deletion.ts';
import { resultsDirectory } from './storage/data-directory.ts';
import { createJobLeases } from './storage/job-leases.ts';

const never = new AbortController().signal;

function jobsOf(server: TestServer, clock: Clock): MaintenanceJob[] {
  const { database, dataDirectory, secretBox } = server;
  return maintenanceJobs({
    database,
    dataDirectory,
    clock,
    secretBox,
    resolveTxt: async () => ({ failure: 'No query is sent' }),
    mailer: { isConfigured: false, send: async () => ({ isSent: true }) },
    publicUrl: '',
    onQuarantined: () => {},
    onOrganizationPurged: () => {},
  });
}

describeOnBothEngines('the maintenance of a server', (engine) => {
  test('permanently deletes records that were in the trash for 30 days', async (context) => {
    const { server, owner, organizationId, save } = await startNewsroom(context, engine);
    const reportId = (await save({})).id;
    const dashboardId = await createDashboard(server, owner, { name: 'Sales', organizationId });
    const paths = [`reports/${reportId}`, `dashboards/${dashboardId}`];
    /** Uses a new session, since maintenance deletes older ones as well. */
    const call = async (...lines: string[]) => {
      const as = await server.createSsoSession(owner, organizationId);
      const responses = await Promise.all(lines.map((line) => server.call(line, { as })));
      return responses.map(({ status }) => status);
    };
    const remove = () => call(...paths.map((path) => `DELETE /api/${path}`));
    const restore = () => call(...paths.map((path) => `POST /api/trash/${path}/restore`));
    const maintain = async (days: number) => {
      const clock = () => Date.UTC(2026, 10, 21, 9) + daysMs(days);
      for (const job of jobsOf(server, clock)) await job.run(never);
    };
    await remove();
    await maintain(30);
    assert.deepEqual(await restore(), [200, 200]);
    await remove();
    await maintain(31);
    assert.deepEqual(await restore(), [404, 404]);
  });

  test('makes writes wait for deleted organizations at most once a day', async (context) => {
    const server = await startTestServer(context, engine);
    const { database, clock } = server;
    const owner = await server.createPerson('Ada');
    const leases = createJobLeases(database, { leaseMs: minutesMs(1), everyMs: minutesMs(60) });
    const runDue = async () => {
      for (const job of jobsOf(server, clock).filter(({ name }) => /deleted organizations/.test(name))) {
        await leases.find(job.name, job.everyMs);
        const lease = await leases.take(job.name, job.everyMs);
        if (lease !== undefined) await job.run(never);
        await lease?.release({ durationMs: 1, hasFailed: false });
      }
    };
    const deleteOne = async () => {
      const organizationId = await server.createOrganization(owner);
      await deleteByOperator(server, { organizationId, graceMs: 0 });
    };
    const advance = (ms: number) =>
      database.write((transaction) => transaction.execute(`update jobs set due_at = due_at - ${ms}`));
    const countLeft = async () => (await listDeletedByOperator(database)).length;
    await deleteOne();
    await deleteOne();
    await runDue();
    assert.equal(await countLeft(), 0);
    await deleteOne();
    await advance(hoursMs(23));
    await runDue();
    assert.equal(await countLeft(), 1, 'its rows are deleted, the files of the database still have them');
    await advance(hoursMs(1));
    await runDue();
    assert.equal(await countLeft(), 0);
  });

  test('deletes the cached results that a crashed server left a day ago', async (context) => {
    const server = await startTestServer(context, engine);
    const leftover = join(resultsDirectory(server.dataDirectory), 'leftover');
    mkdirSync(leftover);
    writeFileSync(join(leftover, 'rows'), '[]');
    const maintain = async (hours: number) => {
      const leftAt = (server.clock() - hoursMs(hours)) / 1000;
      utimesSync(leftover, leftAt, leftAt);
      for (const job of jobsOf(server, server.clock)) if (job.isLocal === true) await job.run(never);
      return existsSync(leftover);
    };
    assert.deepEqual([await maintain(23), await maintain(25)], [true, false]);
  });
});
