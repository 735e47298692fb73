import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { script, startReportOffice } from './office.ts';
import { assertAccessible, expect } from '../web-office.ts';

test('a report is found, viewed with values from the URL, downloaded, and added to a dashboard', async (context) => {
  const office = await startReportOffice(context);
  const { owner, organizationId, createReport } = office;
  const id = await createReport({
    description: `Words ${script}`,
    query:
      'select region, amount from sales where amount >= {{least}} and region = coalesce({{region}}, region)',
    parameters: [
      { name: 'least', label: `At least ${script}`, type: 'number', default: 0 },
      { name: 'region', type: 'text', allowed: { query: 'select distinct region from sales' } },
    ],
  });
  await createReport({ name: 'Another' });
  const page = await office.open(`/organizations/${organizationId}/reports?q=sales`, owner);
  await expect(page.getByRole('link', { name: 'Another' })).toHaveCount(0);
  await page.getByRole('link', { name: `Sales ${script}` }).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: `Sales ${script}` }).click();

  await expect(page.getByRole('heading', { name: `Sales ${script}` })).toBeVisible();
  await expect(page.getByText(`Words ${script}`)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '4 rows' })).toBeVisible();
  await expect(page.getByText('Not used on any dashboard yet.')).toBeVisible();
  await assertAccessible(page);
  await page.getByText('Table', { exact: true }).click();
  await expect(page.getByText(script, { exact: true }).first()).toBeVisible();

  const least = page.getByLabel(`At least ${script}`);
  await least.fill('30');
  await least.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: '2 rows' })).toBeVisible();
  assert.match(page.url(), /least=30/);
  await page.getByRole('combobox', { name: 'region' }).click();
  await page.getByRole('option', { name: 'south' }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 row ' })).toBeVisible();
  await page.goto(`${office.url}/reports/${id}?least=many`);
  await expect(page.getByText('Must be a number')).toBeVisible();
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(page.getByRole('status').filter({ hasText: '4 rows' })).toBeVisible();

  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Download all rows as CSV (exact)' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download all rows as CSV', exact: true }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'Sales img src=x onerror=alert(1).csv');
  assert.match(await text(await download.createReadStream()), /^region,amount\r?\nnorth,10/);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Add to a dashboard' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New dashboard').check();
  await dialog.getByLabel('Name of the new dashboard').fill(`Board ${script}`);
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(page).toHaveURL(/\/dashboards\//);
  await page.goto(`${office.url}/reports/${id}`);
  await expect(page.getByRole('link', { name: `Board ${script}` })).toBeVisible();

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(dialog.getByRole('link', { name: `Board ${script}` })).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Delete anyway' }).click();
  await expect(page.getByText(/^Moved .* to the trash/)).toBeVisible();
  await expect(page.getByRole('link', { name: `Sales ${script}` })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: `Sales ${script}` })).toBeVisible();
});

test('a viewer reads reports and sees what they can’t do; other people find nothing', async (context) => {
  const office = await startReportOffice(context);
  const { server, organizationId, createReport } = office;
  const id = await createReport({ query: 'select 1 as one, nothing from sales' });
  const viewer = await server.createMember(organizationId, 'viewer');
  const page = await office.open(`/reports/${id}`, viewer);
  await expect(page.getByRole('alert')).toContainText('nothing');
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: /Delete/ })).toContainText(
    'You can view this report, but not edit it.',
  );
  await assertAccessible(page);
  await page.goto(`${office.url}/organizations/${organizationId}/reports`);
  await expect(page.getByRole('button', { name: 'New report' })).toHaveAttribute('aria-disabled', 'true');
  await page.goto(`${office.url}/organizations/${organizationId}/reports/new`);
  await expect(page.getByText('You don’t have permission to')).toBeVisible();
  await page.goto(`${office.url}/reports/${id}/edit`);
  await expect(page.getByText('You can view this report, but not edit it')).toBeVisible();

  office.expectConsole(/Not found/);
  const closed = await office.open(`/reports/${id}`, await server.createPerson());
  await expect(closed.getByText('Not found')).toBeVisible();
});

test('the versions of a report are compared and restored', async (context) => {
  const office = await startReportOffice(context);
  const { server, owner, organizationId, dataSourceId, createReport } = office;
  const id = await createReport({ name: 'Sales', query: 'select 1 as one' });
  await server.call(`PUT /api/reports/${id}`, {
    as: owner,
    headers: { 'if-match': '"1"' },
    body: { name: script, dataSourceId, query: 'select 2 as two' },
  });
  const page = await office.open(`/reports/${id}/history`, owner);
  const version = page.getByRole('region', { name: 'Version 2' });
  await expect(version.getByLabel('Query')).toHaveText('select 2 as two');
  await expect(version.getByRole('listitem').filter({ hasText: 'Before' })).toHaveText(
    /Beforeselect 1 as oneAfterselect 2 as two$/,
  );
  await assertAccessible(page);
  await page.getByRole('link', { name: /Version 1/ }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(page.getByText(/Version 3.*restored version 1/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'History of Sales' })).toBeVisible();

  const viewer = await server.createMember(organizationId, 'viewer');
  const other = await office.open(`/reports/${id}/history`, viewer);
  await expect(other.getByText('You can’t see the history of this report')).toBeVisible();
  await assertAccessible(other);
});

test('a table aligns decimals, sums columns, finds rows, and has columns that can be resized', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({
    name: 'Prices',
    query: "select 'item ' || i as item, i * 0.25 as price, i * 1.0 / 40 as share from range(1, 41) t(i)",
    visualization: {
      kind: 'table',
      hasTotals: true,
      columns: [{ field: 'item' }, { field: 'price' }, { field: 'share', format: { kind: 'percent' } }],
    },
  });
  const page = await office.open(`/reports/${id}`, office.owner);
  const table = page.getByRole('table', { name: 'Table of Prices' });
  await expect(table.getByRole('row').nth(1).getByRole('cell')).toHaveText(['item 1', '0.25', '2.5%']);
  await expect(table.getByRole('row').nth(4).getByRole('cell')).toHaveText(['item 4', '1.00', '10.0%']);
  await expect(table.getByRole('row').last().getByRole('cell')).toHaveText(['Total', '205.00', '']);

  await page.getByRole('searchbox', { name: 'Search in Table of Prices' }).fill('ITEM 3');
  await expect(page.getByRole('status').filter({ hasText: '11 of 40 rows' })).toBeVisible();
  await expect(table.getByRole('row').last().getByRole('cell')).toHaveText(['Total', '87.00', '']);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Clear search' }).click();

  const width = async () =>
    (await table.getByRole('columnheader', { name: 'price' }).boundingBox())?.width ?? 0;
  const edge = page.getByRole('separator', { name: 'Width of price' });
  const before = await width();
  await edge.press('ArrowRight');
  await expect.poll(width).toBe(Math.round(before) + 16);
  const box = await edge.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x - 56, box.y + 4);
  await page.mouse.up();
  await expect.poll(width).toBe(Math.round(before) - 44);
});
