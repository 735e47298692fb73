import { test } from 'node:test';
import { startDashboardDesk } from '../dashboards/desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

test('reports and dashboards write dates, numbers and amounts as their organization does', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId } = desk;
  const { body: delays } = await server.call(`GET /api/reports/${desk.reports['Delays']}`, { as: owner });
  const createReport = async (name: string, format: object): Promise<string> => {
    const query = `SELECT DATE '2026-12-31' AS day, 1234567.5 AS revenue`;
    const visualization = { kind: 'number', value: 'revenue', format };
    const body = { organizationId, dataSourceId: delays.dataSourceId, name, query, visualization };
    return (await server.call('POST /api/reports', { as: owner, body })).body.id;
  };
  const revenue = await createReport('Revenue', { kind: 'currency' });
  const inYen = await createReport('Revenue in yen', { kind: 'currency', currency: 'JPY' });
  const widgets = [revenue, inYen].map((reportId, x) => ({
    reportId,
    layout: { x: 4 * x, y: 0, w: 4, h: 4 },
  }));
  const body = { organizationId, name: 'Year', widgets };
  const { body: dashboard } = await server.call('POST /api/dashboards', { as: owner, body });
  const setRegion = (region: object) =>
    server.call(`PATCH /api/organizations/${organizationId}`, { as: owner, body: region });

  await setRegion({ locale: 'de-DE', currency: 'EUR' });
  const page = await desk.open(`/dashboards/${dashboard.id}`, owner);
  await expect(page.getByText('1.234.567,50 €')).toBeVisible();
  await assertAccessible(page);
  await setRegion({ locale: 'en-IN', currency: 'INR' });
  await page.reload();
  await expect(page.getByText('₹12,34,567.50')).toBeVisible();
  await expect(page.getByText('JP¥12,34,568')).toBeVisible();
  const report = await desk.open(`/reports/${revenue}`, owner);
  await expect(report.getByText('₹12,34,567.50').first()).toBeVisible();
});

test('an admin sets the colors of an organization, which pages and charts use in readable shades', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId } = desk;
  const path = `/organizations/${organizationId}/settings`;
  const page = await desk.open(path, owner);
  const button = page.getByRole('button', { name: 'Save colors' });
  await expect(button).toHaveCSS('background-color', 'rgb(59, 89, 180)');
  await page.getByRole('textbox', { name: 'Accent color', exact: true }).fill('#FFD400');
  await page.getByRole('button', { name: 'Add a chart color' }).click();
  await page.getByRole('textbox', { name: 'Chart color 1', exact: true }).fill('#ffff00');
  await expect(page.getByRole('img', { name: 'Chart colors in the dark theme: #ffff00' })).toBeVisible();
  await assertAccessible(page);
  await button.click();
  await expect(page.getByText('Colors saved.')).toBeVisible();
  await expect(button).not.toHaveCSS('background-color', 'rgb(59, 89, 180)');
  await assertAccessible(page);
  const { body } = await server.call(`GET /api/organizations/${organizationId}`, { as: owner });
  expect([body.accentColor, body.chartColors]).toEqual(['#ffd400', ['#ffff00']]);
  await page.getByRole('button', { name: 'Remove chart color 1' }).click();
  await button.click();
  await expect(page.getByRole('img', { name: 'Chart colors in the dark theme: #8ea6f5' })).toBeVisible();

  const editors = await desk.open(path, await desk.createEditor('Bob'));
  await expect(editors.getByRole('textbox', { name: 'Accent color', exact: true })).toHaveValue('#ffd400');
  await expect(editors.getByRole('button', { name: 'Save colors' })).toHaveAttribute('aria-disabled', 'true');
  await assertAccessible(editors);
});
