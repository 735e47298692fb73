import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDashboard } from '../../tests/support/dashboard-team.ts';
import { startNewsroom } from '../../tests/support/newsroom.ts';
import { describeOnBothEngines } from '../../tests/support/test-server.ts';
import { daysMs } from './base/clock.ts';
import { tidyingJobs } from './maintenance-jobs.ts';

describeOnBothEngines('the tidying of a server', (engine) => {
  test('deletes permanently what was in a trash for 30 days', async (context) => {
    const { server, owner, organizationId, save } = await startNewsroom(context, engine);
    const reportId = (await save({})).id;
    const dashboardId = await createDashboard(server, owner, { name: 'Sales', organizationId });
    const paths = [`reports/${reportId}`, `dashboards/${dashboardId}`];
    /** By a session of its own: those from before are tidied away too. */
    const call = async (...lines: string[]) => {
      const as = await server.createSsoSession(owner, organizationId);
      const answers = await Promise.all(lines.map((line) => server.call(line, { as })));
      return answers.map(({ status }) => status);
    };
    const remove = () => call(...paths.map((path) => `DELETE /api/${path}`));
    const restore = () => call(...paths.map((path) => `POST /api/trash/${path}/restore`));
    const tidy = async (days: number) => {
      const clock = () => Date.UTC(2026, 10, 21, 9) + daysMs(days);
      const { database, dataDirectory } = server;
      const resolveTxt = async () => ({ failure: 'Nobody is asked' });
      const { signal } = new AbortController();
      const parts = { database, dataDirectory, clock, resolveTxt, onQuarantined: () => {} };
      for (const job of tidyingJobs(parts)) await job.run(signal);
    };
    await remove();
    await tidy(30);
    assert.deepEqual(await restore(), [200, 200]);
    await remove();
    await tidy(31);
    assert.deepEqual(await restore(), [404, 404]);
  });
});
