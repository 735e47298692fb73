import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { makePostgresqlSource } from '../support/data-sources/postgresql-source.ts';
import { assertAccessible, expect, startWebOffice } from './web-office.ts';

const script = '<img src=x onerror=alert(1)>';

const fileOf = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

/** Chooses files in the browser's dialog. */
const choose = (page: Page, ...files: ReturnType<typeof fileOf>[]) =>
  page.locator('input[type=file]').setInputFiles(files);

test('several files are uploaded at once, and errors are shown', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const page = await office.open(`/organizations/${organizationId}/data-sources`, owner);
  await expect(page.getByText('No data yet')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'New data source' }).click();
  await expect(page.getByRole('heading', { name: 'New data source' })).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('Name').fill(script);
  await page.getByRole('button', { name: 'Create, then upload files' }).click();
  await expect(page.getByRole('heading', { name: script })).toBeVisible();
  await expect(page.getByText('No tables yet')).toBeVisible();

  await choose(
    page,
    fileOf('Umsätze 2026.csv', `region,"${script}"\nnorth,1\n"${script}",2\n`),
    fileOf('broken.parquet', 'no parquet'),
    fileOf('notes.docx', 'x'),
  );
  await expect(page.getByText('Unsupported file type. Use .csv')).toBeVisible();
  const importing = page.getByRole('dialog', { name: 'Import Umsätze 2026.csv' });
  const table = importing.getByRole('textbox', { name: 'Table' });
  await expect(table).toHaveValue('umsatze_2026');
  await expect(importing.getByLabel(`Name of ${script}`)).toHaveValue(script);
  await table.fill('Sales');
  await expect(importing.getByText('Use up to 63 lowercase letters')).toBeVisible();
  await expect(importing.getByRole('button', { name: 'Import 2 rows' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await table.fill('sales');
  await assertAccessible(page);
  await importing.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(page.getByText('the table sales has 2 rows, 2 columns')).toBeVisible();
  const broken = page.getByRole('dialog', { name: 'Import broken.parquet' });
  await expect(broken.getByText('The file is not a Parquet file')).toBeVisible();
  await broken.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Preview and import broken.parquet' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove broken.parquet' }).click();

  const preview = page.getByRole('table', { name: 'First rows of sales' });
  await expect(preview.getByRole('columnheader', { name: script })).toBeVisible();
  await expect(preview.getByRole('cell', { name: script })).toBeVisible();
  await assertAccessible(page);

  await choose(page, fileOf('sales.csv', 'region\nsouth\n'));
  await expect(page.getByText('Replaces the whole table of this name')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(preview.getByRole('cell', { name: 'south' })).toBeVisible();

  const [source] = (await server.call(`GET /api/organizations/${organizationId}/data-sources`, { as: owner }))
    .body.items;
  const { body: report } = await server.call('POST /api/reports', {
    as: owner,
    body: { organizationId, dataSourceId: source.id, name: `By region ${script}`, query: 'from sales' },
  });
  // Both dialogs name the reports before the click.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('link', { name: report.name })).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete table' }).click();
  await expect(dialog.getByRole('link', { name: report.name })).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('No tables yet')).toBeVisible();

  await page.goto(`${office.url}/organizations/${organizationId}/trash?show=tables`);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Restore sales' }).click();
  await expect(page.getByText('No tables in the trash')).toBeVisible();
  await page.goto(`${office.url}/data-sources/${source.id}`);
  await expect(preview.getByRole('cell', { name: 'south' })).toBeVisible();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog.getByRole('link', { name: report.name })).toBeVisible();
  await dialog.getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('No data yet')).toBeVisible();
  await page.goto(`${office.url}/reports/${report.id}`);
  await expect(page.getByText(`The data source “${script}” is in the trash.`)).toBeVisible();

  const trash = `${office.url}/organizations/${organizationId}/trash?show=data-sources`;
  await page.goto(trash);
  await assertAccessible(page);
  await page.getByRole('button', { name: `Restore ${script}` }).click();
  await expect(page.getByText('No data sources in the trash')).toBeVisible();
  await page.goto(`${office.url}/reports/${report.id}`);
  await expect(page.getByText('south')).not.toHaveCount(0);

  await server.call(`DELETE /api/data-sources/${source.id}?force=true`, { as: owner });
  await page.goto(trash);
  await page.getByRole('button', { name: `Delete permanently: ${script}` }).click();
  await expect(dialog.getByText('and all tables that were uploaded to it')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('No data sources in the trash')).toBeVisible();
});

test('a server is connected, tested and changed without ever showing its password', async (context) => {
  const office = await startWebOffice(context, { ATRIUM_SOURCE_PRIVATE_HOSTS: '127.0.0.1:1' });
  const { owner, organizationId } = office;
  const page = await office.open(`/organizations/${organizationId}/data-sources/new?kind=postgresql`, owner);
  const password = 'canary-of-the-password';
  await page.getByLabel('Name').fill('Warehouse');
  await page.getByLabel('Server').fill('127.0.0.1');
  await page.getByLabel('Port').fill('1');
  await page.getByLabel('Database').fill('sales');
  await page.getByLabel('User').fill('reader');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create and test' }).click();
  await expect(page.getByText('The connection failed')).toBeVisible();
  await expect(page.getByText('Nothing is listening at the host and port')).not.toHaveCount(0);
  await expect(page.getByText('Stored, encrypted')).toBeVisible();
  await assertAccessible(page);

  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(dialog.getByText('Leave empty to keep the stored password')).toBeVisible();
  await dialog.getByLabel('Server').fill('elsewhere.example');
  await expect(dialog.getByText('the stored password is never sent to another address')).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('elsewhere.example:1', { exact: true })).toBeVisible();
  await expect(page.getByText('The connection failed')).toHaveCount(0);
  assert.ok(!(await page.content()).includes(password));
});

test('a file that is dropped becomes a data source after its preview is corrected', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const page = await office.open(`/organizations/${organizationId}/data-sources/new`, owner);
  await page.setViewportSize({ width: 1440, height: 900 });
  const bank = 'Buchung;Betrag;Empfänger\n01.02.2026;1.234,56;Müller\n02.02.2026;n/a;Groß\n03.02.2026;7,5\n';
  await choose(page, {
    name: 'Konto_Februar.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(bank, 'latin1'),
  });
  const dialog = page.getByRole('dialog', { name: 'Import Konto_Februar.csv' });
  await expect(dialog.getByRole('textbox', { name: 'Data source' })).toHaveValue('Konto Februar');
  await expect(dialog.getByLabel('Encoding')).toHaveValue('windows-1252');
  await expect(dialog.getByLabel('Delimiter')).toHaveValue(';');
  await expect(dialog.getByLabel('Type of Buchung')).toHaveValue('date');
  await expect(dialog.getByText('1 broken row')).toBeVisible();
  const run = dialog.getByRole('button', { name: 'Import 2 rows' });
  await expect(run).toHaveAttribute('aria-disabled', 'true');

  await dialog.getByLabel('Type of Betrag').selectOption('double');
  await dialog.getByLabel('Numbers').selectOption('1.234,56');
  await expect(dialog.getByText('1 broken row and 1 value of the wrong type in 1 row')).toBeVisible();
  await expect(dialog.getByText('Line 3, Betrag: n/a The value is not a number.')).toBeVisible();
  await expect(dialog.getByRole('cell', { name: '1234.56' })).toBeVisible();
  await dialog.getByLabel('Name of Empfänger').fill('recipient');
  await dialog.getByLabel('Name of Betrag').click();
  await expect(dialog.getByLabel('Name of recipient')).toBeVisible();
  await assertAccessible(page);
  const sources = `GET /api/organizations/${organizationId}/data-sources`;
  assert.deepEqual((await server.call(sources, { as: owner })).body.items, [], 'a source without a table');

  await dialog.getByLabel('Import anyway').check();
  await run.click();
  await expect(page.getByRole('heading', { name: 'Konto Februar' })).toBeVisible();
  const rows = page.getByRole('table', { name: 'First rows of konto_februar' });
  await expect(rows.getByRole('cell', { name: 'Müller' })).toBeVisible();
  await expect(rows.getByRole('columnheader', { name: 'recipient' })).toBeVisible();
});

test('a connection test warns about a role with more than read access', async (context) => {
  const { source, admin } = await makePostgresqlSource(context);
  const { rows } = await admin.query<{ address: string }>('SELECT host(inet_server_addr()) AS address');
  const host = rows[0]?.address ?? '';
  const { port, database, user, password } = source;
  const office = await startWebOffice(context, { ATRIUM_SOURCE_PRIVATE_HOSTS: `${host}:${port}` });
  const { server, owner, organizationId } = office;
  const { body: created } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: {
      name: 'Shop',
      kind: 'postgresql',
      connection: { host, port, database, user, password: decodeURIComponent(password), tls: 'off' },
    },
  });
  const page = await office.open(`/data-sources/${created.id}`, owner);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('The connection works')).toBeVisible();
  await expect(page.getByText('The role has more than read access')).toBeVisible();
  await expect(page.getByText(`The role ${user} is a superuser`)).toBeVisible();
  await assertAccessible(page);
});

test('people who can’t change data sources see why', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: { name: 'Files', kind: 'files' },
  });
  const viewer = await server.createMember(organizationId, 'viewer');
  const page = await office.open(`/organizations/${organizationId}/data-sources`, viewer);
  const create = page.getByRole('button', { name: 'New data source' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await create.focus();
  await expect(page.getByRole('tooltip')).toContainText('Requires the editor');
  await page.getByRole('link', { name: 'Files' }).click();
  await expect(page.getByText('You can see the data of these tables only in reports')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Drop files here')).toHaveCount(0);
  await assertAccessible(page);

  const editor = await server.createMember(organizationId, 'editor');
  const editing = await office.open(
    `/organizations/${organizationId}/data-sources/new?kind=postgresql`,
    editor,
  );
  await expect(editing.getByRole('button', { name: 'Create and test' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );

  office.expectConsole(/Not found/);
  const stranger = await server.createPerson();
  const closed = await office.open(`/data-sources/${source.id}`, stranger);
  await expect(closed.getByText('Not found')).toBeVisible();
});
