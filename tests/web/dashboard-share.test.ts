import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expect } from '@playwright/test';
import { startDashboardDesk } from './dashboard-desk.ts';
import { assertAccessible } from './web-office.ts';

test('a dashboard is restricted, shared by name, and handed over', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId } = desk;
  const bob = await desk.createEditor('Bob');
  const carol = await server.createPerson('<b>Carol</b>');
  await server.addMember(organizationId, carol, 'viewer');
  const dashboard = await desk.createDashboard([]);
  const accessOf = async () =>
    (await server.call(`GET /api/dashboards/${dashboard.id}/access`, { as: owner })).body;

  const page = await desk.open(`/dashboards/${dashboard.id}`, owner);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await expect(dialog.getByText('Nobody is named.')).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('switch', { name: 'Only for the people named here' }).click();
  await expect(dialog.getByText('Beside them, its owner and the admins')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Add a member' }).fill('carol');
  await page.getByRole('option', { name: /^<b>Carol<\/b>/ }).click();
  await dialog.getByRole('combobox', { name: 'What <b>Carol</b> may do' }).click();
  await page.getByRole('option', { name: 'may edit' }).click();
  await expect
    .poll(async () => {
      const { restricted, members } = await accessOf();
      return [restricted, ...members.map(({ name, access }: Record<string, string>) => `${name} ${access}`)];
    })
    .toEqual([true, '<b>Carol</b> edit']);
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Remove <b>Carol</b>' }).click();
  await expect(dialog.getByText('Nobody is named.')).toBeVisible();

  await dialog.getByRole('combobox', { name: 'Hand it over to' }).click();
  await expect(page.getByRole('option')).toHaveText([/^Bob/]);
  await page.getByRole('option', { name: /^Bob/ }).click();
  await dialog.getByRole('button', { name: 'Hand over…' }).click();
  await dialog.getByRole('button', { name: 'Hand over to Bob' }).click();
  await expect(dialog.getByText('It belongs to Bob.')).toBeVisible();
  assert.equal((await desk.readDashboard(dashboard.id)).userId, bob.id);
});

test('whoever may only edit reads who may what, and why they cannot change it', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([]);
  const page = await desk.open(`/dashboards/${dashboard.id}`, await desk.createEditor('Bob'));
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await expect(dialog.getByText('Only its owner and the admins of the organization').first()).toBeVisible();
  await expect(dialog.getByRole('switch')).toBeDisabled();
  await assertAccessible(page);
});
