import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const fixture = join(import.meta.dirname, '../../fixtures/importers/grafana-classic.json');

test('a dashboard of Grafana is imported after a plan and the list of what is lost', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: { name: 'Shop', kind: 'files' },
  });
  assert.equal(created.status, 201, created.text);
  const page = await office.open(`/organizations/${organizationId}/dashboards`, owner);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a dashboard' });
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(dialog.getByRole('alert')).toHaveText(
    'This is not a dashboard of Grafana. Export one as JSON.',
  );
  await file.setInputFiles(fixture);
  const confirm = dialog.getByRole('button', { name: 'Import', exact: true });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  for (const name of ['old (mysql)', 'orders-db (grafana-postgresql-datasource)']) {
    await dialog.getByRole('combobox', { name: `Data source for “${name}”` }).click();
    await page.getByRole('option', { name: 'Shop' }).click();
  }
  await expect(dialog.getByText('6 will be created')).toBeVisible();
  const losses = dialog.getByRole('region', { name: 'Lost or changed' });
  await expect(losses.getByText('18 things are lost or changed')).toBeVisible();
  await expect(losses.getByText('Load: It was replaced by a text.')).toBeVisible();
  await assertAccessible(page);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Orders', exact: true, level: 1 })).toBeVisible();
});
