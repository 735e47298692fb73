import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, expect } from '../web-office.ts';
import { startDashboardDesk } from './desk.ts';

test('a reader chooses patterns, which charts then have in this browser', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner: as, organizationId } = desk;
  const change = await server.call(`GET /api/reports/${desk.reports['Flights']}`, { as });
  const report = await server.call('POST /api/reports', {
    as,
    body: {
      organizationId,
      dataSourceId: change.body.dataSourceId,
      name: 'On time',
      query: "SELECT 'Jan' AS month, 3 AS early, 2 AS late",
      visualization: { kind: 'bar', x: 'month', series: [{ field: 'early' }, { field: 'late' }] },
    },
  });
  assert.equal(report.status, 201, report.text);
  const dashboard = await server.call('POST /api/dashboards', {
    as,
    body: { organizationId, name: 'Traffic', widgets: [{ reportId: report.body.id }] },
  });
  const page = await desk.open(`/dashboards/${dashboard.body.id}`, as);
  const patterns = page.getByRole('list', { name: 'Legend' }).locator('[data-pattern]');
  await expect(page.getByRole('list', { name: 'Legend' })).toBeVisible();
  await expect(patterns).toHaveCount(0);
  await page.goto(`${desk.url}/account`);
  await page.getByLabel('Show patterns in charts').check();
  await assertAccessible(page);
  await page.goto(`${desk.url}/dashboards/${dashboard.body.id}`);
  await expect(patterns).toHaveCount(2);
  await assertAccessible(page);
});
