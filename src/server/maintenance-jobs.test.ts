import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDashboard } from '../../tests/support/dashboards/team.ts';
import { startNewsroom } from '../../tests/support/reports/newsroom.ts';
import { describeOnBothEngines } from '../../tests/support/server/test-server.ts';
import { daysMs } from './base/clock.ts';
import { createMailer } from './mail/mailer.ts';
import { maintenanceJobs } from './maintenance-jobs.ts';

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
      const { database, dataDirectory } = server;
      const resolveTxt = async () => ({ failure: 'No query is sent' });
      const { signal } = new AbortController();
      const mailer = createMailer({ smtpUrl: undefined, mailFrom: '' }, () => {});
      const parts = {
        database,
        dataDirectory,
        clock,
        resolveTxt,
        mailer,
        publicUrl: '',
        onQuarantined: () => {},
      };
      for (const job of maintenanceJobs(parts)) await job.run(signal);
    };
    await remove();
    await maintain(30);
    assert.deepEqual(await restore(), [200, 200]);
    await remove();
    await maintain(31);
    assert.deepEqual(await restore(), [404, 404]);
  });
});
