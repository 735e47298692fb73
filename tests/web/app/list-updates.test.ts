import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startDashboardDesk } from '../dashboards/desk.ts';
import { expect } from '../web-office.ts';

const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

test('a change on one page is shown at once on pages that were visited before', async (context) => {
  const desk = await startDashboardDesk(context);
  await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/organizations/${desk.organizationId}/trash`, desk.owner);
  const deleted = page.getByRole('main').getByRole('listitem');
  const reports = page.getByRole('tab', { name: 'Reports' });
  const filters = page.getByRole('radiogroup', { name: 'Filter dashboards' });
  const link = page.getByRole('main').getByRole('link', { name: 'Traffic' });
  await expect(page.getByRole('heading', { name: 'No dashboards in the trash' })).toBeVisible();
  await reports.click();
  await expect(page.getByRole('heading', { name: 'No reports in the trash' })).toBeVisible();

  await go(page, 'Dashboards');
  await filters.getByText('Starred').click();
  await expect(page.getByRole('heading', { name: 'No starred dashboards' })).toBeVisible();
  await filters.getByText('Recent').click();
  await expect(page.getByRole('heading', { name: 'No recent dashboards' })).toBeVisible();
  await filters.getByText('All').click();
  await link.click();
  await page.getByRole('button', { name: 'Star', exact: true }).click();
  await go(page, 'Dashboards');
  for (const filter of ['Starred', 'Recent']) {
    await filters.getByText(filter).click();
    await expect(link).toBeVisible();
  }

  await page.getByRole('button', { name: 'Actions for Traffic' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Moved “Traffic” to the trash. You can restore it for 30 days.')).toBeVisible();
  await go(page, 'Trash');
  await expect(deleted).toHaveText([/^Traffic/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'No dashboards in the trash' })).toBeVisible();

  await go(page, 'Reports');
  await page.getByRole('link', { name: 'Delays' }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Moved “Delays” to the trash. You can restore it for 30 days.')).toBeVisible();
  await go(page, 'Trash');
  await reports.click();
  await expect(deleted).toHaveText([/^Delays/]);
});
