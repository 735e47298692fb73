import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startDashboardDesk } from '../dashboards/desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

const namesOf = (page: Page) => page.getByRole('table').getByRole('link');
const boxOf = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const barOf = (page: Page) => page.getByRole('group', { name: 'Selected items' });

test('several dashboards are selected with Shift, moved, deleted and restored', async (context) => {
  const desk = await startDashboardDesk(context);
  const { organizationId, owner, server } = desk;
  for (const name of ['Costs', 'Orders', 'Sales', 'Visits']) {
    const body = { name, organizationId };
    assert.equal((await server.call('POST /api/dashboards', { as: owner, body })).status, 201);
  }
  const body = { name: 'Numbers' };
  await server.call(`POST /api/organizations/${organizationId}/folders`, { as: owner, body });
  const page = await desk.open(`/organizations/${organizationId}/dashboards?sort=name`, owner);
  await expect(namesOf(page)).toHaveText(['Costs', 'Orders', 'Sales', 'Visits']);

  await boxOf(page, 'Costs').click();
  await expect(barOf(page)).toContainText('1 selected');
  await boxOf(page, 'Sales').click({ modifiers: ['Shift'] });
  await expect(boxOf(page, 'Orders')).toBeChecked();
  await expect(page.getByRole('status').filter({ hasText: '3 selected' })).toHaveCount(1);
  await assertAccessible(page);
  await boxOf(page, 'Costs').press('Space');
  await expect(barOf(page)).toContainText('2 selected');

  await barOf(page).getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 items' });
  await dialog.getByRole('combobox', { name: 'Move to' }).fill('num');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Numbers']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(namesOf(page)).toHaveText(['Costs', 'Visits']);
  await expect(barOf(page)).toHaveCount(0);

  await page.getByRole('checkbox', { name: 'Select all shown' }).press('Space');
  await barOf(page).getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog', { name: 'Delete 2 items?' });
  await assertAccessible(page);
  await confirm.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No dashboards here.')).toBeVisible();

  // They are restored from the trash together, on a phone.
  const phone = await desk.open(`/organizations/${organizationId}/trash`, owner, {
    viewport: { width: 390, height: 800 },
  });
  await boxOf(phone, 'Costs').click();
  await barOf(phone).getByRole('button', { name: 'Select all 2 shown' }).click();
  await expect(barOf(phone)).toContainText('2 selected');
  await assertAccessible(phone);
  await barOf(phone).getByRole('button', { name: 'Restore' }).click();
  await expect(phone.getByText('Restored 2 items.')).toBeVisible();
  await expect(phone.getByText('No dashboards in the trash')).toBeVisible();
  await page.reload();
  await expect(namesOf(page)).toHaveText(['Costs', 'Visits']);
});

test('what can’t be deleted with others is named with the reason', async (context) => {
  const desk = await startDashboardDesk(context);
  const { organizationId, owner, server } = desk;
  await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/organizations/${organizationId}/reports`, owner);
  await expect(namesOf(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await barOf(page).getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog', { name: 'Delete 2 items?' });
  await confirm.getByRole('button', { name: 'Delete', exact: true }).click();
  // The dashboard shows one of the two.
  const alert = page.getByRole('alert').filter({ hasText: 'Not deleted' });
  await expect(alert.getByRole('listitem')).toHaveCount(1);
  await expect(alert.getByRole('listitem')).toContainText('dashboard');
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(namesOf(page)).toHaveCount(1);

  const viewer = await server.createMember(organizationId, 'viewer');
  const viewers = await desk.open(`/organizations/${organizationId}/reports`, viewer);
  await viewers.getByRole('checkbox', { name: 'Select all shown' }).click();
  await expect(barOf(viewers).getByRole('button', { name: 'Delete' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
