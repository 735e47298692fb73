import { test } from 'node:test';
import { startDashboardDesk } from '../dashboards/desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

test('reports and dashboards write dates, numbers and amounts as their organization does', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId } = desk;
  const { body: delays } = await server.call(`GET /api/reports/${desk.reports['Delays']}`, { as: owner });
  const { body: report } = await server.call('POST /api/reports', {
    as: owner,
    body: {
      organizationId,
      dataSourceId: delays.dataSourceId,
      name: 'Revenue',
      query: `SELECT DATE '2026-12-31' AS day, 1234567.5 AS revenue`,
      visualization: { kind: 'number', field: 'revenue', format: { kind: 'currency' } },
    },
  });
  const { body: dashboard } = await server.call('POST /api/dashboards', {
    as: owner,
    body: {
      organizationId,
      name: 'Year',
      widgets: [{ reportId: report.id, layout: { x: 0, y: 0, w: 4, h: 4 } }],
    },
  });
  const setRegion = (region: object) =>
    server.call(`PATCH /api/organizations/${organizationId}`, { as: owner, body: region });

  await setRegion({ locale: 'de-DE', currency: 'EUR' });
  const page = await desk.open(`/dashboards/${dashboard.id}`, owner);
  await expect(page.getByText('1.234.567,50 €')).toBeVisible();
  await assertAccessible(page);
  await setRegion({ locale: 'en-IN', currency: 'INR' });
  await page.reload();
  await expect(page.getByText('₹12,34,567.50')).toBeVisible();
  await page.goto(`/reports/${report.id}`);
  await expect(page.getByText('₹12,34,567.50').first()).toBeVisible();

  // The format of a report goes before the currency of the organization.
  await server.call(`PATCH /api/reports/${report.id}`, {
    as: owner,
    headers: { 'if-match': '*' },
    body: {
      visualization: { kind: 'number', field: 'revenue', format: { kind: 'currency', currency: 'JPY' } },
    },
  });
  await page.reload();
  await expect(page.getByText('JP¥12,34,568').first()).toBeVisible();
});
