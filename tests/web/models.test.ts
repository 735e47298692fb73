import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from './web-office.ts';

const csv = 'id,customer_id,amount,is_open\n1,7,10.5,true\n2,8,20,false\n';

test('an author describes a table, on a phone too, and no edit is lost', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: { name: 'Shop', kind: 'files' },
  });
  const { id } = created.body;
  const upload = async (table: string, body: string) =>
    server.call(`PUT /api/data-sources/${id}/tables/${table}`, {
      as: owner,
      body,
      headers: { 'content-type': 'text/csv' },
    });
  assert.equal((await upload('orders', csv)).status, 200);
  assert.equal((await upload('customers', 'id,name\n7,Ada\n8,Bob\n')).status, 200);

  const page = await office.open(`/data-sources/${id}?table=orders`, owner);
  await page.getByRole('link', { name: 'Describe this table' }).click();
  await expect(page.getByRole('heading', { name: 'Describe orders' })).toBeVisible();
  const amount = page.getByRole('group', { name: 'amount', exact: true });
  await expect(amount.getByText('10.5 · 20')).toBeVisible();
  await assertAccessible(page);

  await page.getByRole('region', { name: 'Table' }).getByLabel('Display name').fill('Orders');
  await amount.getByLabel('Display name').fill('Amount paid');
  await amount.getByRole('button', { name: 'Format' }).click();
  await amount.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'Currency' }).click();
  await page.getByRole('group', { name: 'is_open' }).getByLabel('Hidden').click();
  await page.getByRole('button', { name: 'customer_id → customers' }).click();
  await page.getByRole('button', { name: 'Add measure' }).click();
  const measure = page.getByRole('group', { name: 'Measure 1' });
  await measure.getByLabel('Name').fill('Revenue');
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await measure.getByLabel('Formula').fill('sum([amount])');

  // A reload in the middle of it continues the draft.
  await page.reload();
  await expect(page.getByText("You're continuing your draft")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await assertAccessible(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);

  // Somebody else saves another part in the meantime, and one that is also in the draft.
  const path = `/api/data-sources/${id}/models`;
  const theirs = {
    schema: 'main',
    name: 'orders',
    description: 'All orders',
    columns: [{ name: 'amount', displayName: 'Sum' }],
  };
  const put = await server.call(`PUT ${path}`, { as: owner, body: theirs, headers: { 'if-match': '*' } });
  assert.equal(put.status, 200, put.text);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Conflicting changes' })).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('group', { name: 'Display name of amount' }).getByLabel('Mine').click();
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect(page.getByText('Saved the description.')).toBeVisible();

  const { items } = (await server.call(`GET ${path}`, { as: owner })).body;
  const { version, updatedAt, ...model } = items[0];
  assert.deepEqual([version, typeof updatedAt], [3, 'string']);
  assert.deepEqual(model, {
    schema: 'main',
    name: 'orders',
    displayName: 'Orders',
    description: 'All orders',
    columns: [
      { name: 'amount', displayName: 'Amount paid', format: { kind: 'currency', currency: 'EUR' } },
      { name: 'is_open', isHidden: true },
    ],
    relationships: [
      {
        name: 'customers',
        columns: ['customer_id'],
        references: { schema: 'main', name: 'customers', columns: ['id'] },
      },
    ],
    measures: [{ name: 'Revenue', formula: 'sum([amount])' }],
  });

  await page.setViewportSize({ width: 1280, height: 800 });
  const report = await server.call('POST /api/reports', {
    as: owner,
    body: { organizationId, dataSourceId: id, name: 'Sums', query: 'SELECT amount FROM orders' },
  });
  await page.goto(new URL(`/reports/${report.body.id}`, page.url()).href);
  await expect(page.getByRole('columnheader', { name: 'Amount paid' })).toBeVisible();
  await expect(page.getByRole('cell', { name: /€10\.50/ })).toBeVisible();
  await page.goto(new URL(`/reports/${report.body.id}/edit`, page.url()).href);
  await page.getByRole('button', { name: 'Show tables' }).click();
  const tables = page.getByRole('region', { name: 'Tables' });
  await tables.getByLabel('Search tables and columns').fill('amount paid');
  await expect(tables.getByRole('button', { name: 'amount Amount paid DOUBLE' })).toBeVisible();
});
