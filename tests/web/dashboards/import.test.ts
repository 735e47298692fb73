import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const fixture = join(import.meta.dirname, '../../fixtures/importers/grafana-classic.json');
const metabase = join(import.meta.dirname, '../../fixtures/importers/metabase');

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
  const dialog = page.getByRole('dialog', { name: 'Import dashboards' });
  const file = page.locator('input[type=file]').first();
  await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(dialog.getByRole('alert')).toHaveText(
    'This is neither a dashboard of Grafana nor an export of Metabase.',
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

test('an export of Metabase is imported from its archive, or its folder', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: { name: 'Shop', kind: 'files' },
  });
  assert.equal(created.status, 201, created.text);
  const directory = mkdtempSync(join(tmpdir(), 'atrium-metabase-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const archive = join(directory, 'export.tar.gz');
  await create({ cwd: join(metabase, '..'), file: archive, gzip: true, portable: true }, ['metabase']);
  const page = await office.open(`/organizations/${organizationId}/dashboards`, owner);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import dashboards' });
  const [file, folder] = [page.locator('input[type=file]').first(), page.locator('input[type=file]').last()];
  await file.setInputFiles({
    name: 'x.tar.gz',
    mimeType: 'application/gzip',
    buffer: Buffer.from('not an archive'),
  });
  await expect(dialog.getByRole('alert')).toHaveText('The archive is damaged, or is not a .tar.gz file.');
  await file.setInputFiles(archive);
  const source = dialog.getByRole('combobox', { name: 'Data source for “Shop”' });
  await expect(source).toBeVisible();
  await folder.setInputFiles(metabase);
  await source.click();
  await page.getByRole('option', { name: 'Shop' }).click();
  await expect(dialog.getByText('3 will be created')).toBeVisible();
  await expect(
    dialog.getByRole('region', { name: 'Lost or changed' }).getByText('Joined: It didn’t become a report.'),
  ).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Overview', exact: true, level: 1 })).toBeVisible();
});
