import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an owner deletes an organization after entering its name, and restores it by the link', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const { name } = (await server.call(`GET /api/organizations/${organizationId}`, { as: owner })).body;
  const page = await office.open(`/organizations/${organizationId}/settings`, owner);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/dashboards?, .* will be deleted, for/)).toBeVisible();
  const remove = dialog.getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toBeDisabled();
  await dialog.getByLabel(`Enter ${name} to confirm`).fill(`${name}!`);
  await expect(remove).toBeDisabled();
  await dialog.getByLabel(`Enter ${name} to confirm`).fill(name);
  await assertAccessible(page);
  await remove.click();
  await expect(dialog.getByText(`${name} was deleted`)).toBeVisible();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toHaveCount(0);

  const restoring = await office.open(new URL(link).pathname + new URL(link).hash);
  await restoring.getByRole('button', { name: 'Restore' }).click();
  await expect(restoring.getByText(`${name} can be used again.`)).toBeVisible();
  await assertAccessible(restoring);
  const again = await office.open(new URL(link).pathname + new URL(link).hash);
  await again.getByRole('button', { name: 'Restore' }).click();
  await expect(again.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
});

test('an owner sees on the account page until when a deleted organization can be restored', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const path = `/api/organizations/${organizationId}`;
  const { name } = (await server.call(`GET ${path}`, { as: owner })).body;
  await server.call(`POST ${path}/delete`, { as: owner, body: { name } });
  const page = await office.open('/account', owner, { viewport: { width: 360, height: 800 } });
  await expect(page.getByText(`${name}: its data will be deleted on`)).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: `Restore ${name}` }).click();
  await expect(page.getByText(`Restored ${name}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Restore ${name}` })).toHaveCount(0);
});
