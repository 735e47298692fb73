import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible, expect } from '../../web-office.ts';
import { script, startReportOffice } from '../office.ts';

const facts = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name, exact: true });

/** Opens a new report that counts the sales of each region. */
async function countByRegion(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^sales/ }).click();
  await button(page, 'Count by region').click();
  await expect(facts(page, '3 rows')).toBeVisible();
}

test('a built query is edited as SQL, and the way back is open until the SQL differs', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await countByRegion(page);
  await button(page, 'SQL').click();
  await expect(page.getByText('GROUP BY 1')).toBeVisible();
  await button(page, 'Edit as SQL').click();
  const query = page.getByRole('textbox', { name: 'Query' });
  await expect(query).toContainText('GROUP BY 1');
  await button(page, 'Back to the builder').click();
  await expect(button(page, 'region')).toBeVisible();

  await button(page, 'Edit as SQL').click();
  await query.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' ');
  await expect(button(page, 'Back to the builder')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Backspace');
  await expect(button(page, 'Back to the builder')).not.toHaveAttribute('aria-disabled');
  await page.keyboard.type('\n-- By hand');
  await button(page, 'Save').click();
  await button(page, 'View report').click();
  await expect(page.getByText('Written as SQL.')).toBeVisible();
  await button(page, 'Edit').click();
  await expect(page.getByRole('textbox', { name: 'Query' })).toContainText('-- By hand');
  await expect(button(page, 'Back to the builder')).toHaveAttribute('aria-disabled', 'true');
  await assertAccessible(page);
});

test('a draft survives a reload, and a saved report opens in the builder', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await countByRegion(page);
  await page.reload();
  await expect(page.getByText(/^You're continuing your draft/)).toBeVisible();
  await expect(button(page, 'region')).toBeVisible();
  await expect(page.getByRole('img', { name: /Bar chart/ })).toBeVisible();
  await button(page, 'Save').click();
  await button(page, 'View report').click();
  await expect(page.getByText('Made with the query builder')).toBeVisible();
  await button(page, 'Edit').click();
  await expect(button(page, 'region')).toBeVisible();
  await expect(page.getByText('No changes')).toBeVisible();

  // A chart that people chose keeps its type when its columns change, and another table can be chosen.
  await page.getByRole('radio', { name: 'Pie chart' }).click();
  await button(page, 'Sales').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Count');
  await expect(page.getByRole('img', { name: /Pie chart.*Count/s })).toBeVisible();
  await button(page, 'Change table').click();
  await expect(page.getByRole('searchbox', { name: 'Search tables and columns' })).toBeFocused();
  await page.getByRole('button', { name: /^sales/ }).click();
  await expect(facts(page, '4 rows')).toBeVisible();
});

test('two people who change the same built query choose between their queries once', async (context) => {
  const office = await startReportOffice(context);
  const { server, owner, organizationId } = office;
  const page = await office.open(`/organizations/${organizationId}/reports/new`, owner);
  await countByRegion(page);
  await button(page, 'Save').click();
  await button(page, 'View report').click();
  await page.waitForURL(/\/reports\/[^/]+$/);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await button(page, 'Edit').click();
  await button(page, 'Limit').click();

  const editor = await server.createMember(organizationId, 'editor');
  const other = await office.open(`/reports/${id}/edit`, editor);
  await button(other, 'Sort').click();
  await option(other, 'Sales').click();
  await button(other, 'Save').click();
  await expect(other.getByText('Made with the query builder')).toBeVisible();

  await button(page, 'Save').click();
  await expect(page.getByRole('heading', { name: 'Conflicting changes' })).toBeVisible();
  await page.getByRole('radio', { name: 'Theirs' }).check();
  await button(page, 'Save choices').click();
  await expect(page.getByText('Made with the query builder')).toBeVisible();
  const { body } = await server.call(`GET /api/reports/${id}`, { as: owner });
  assert.match(body.query, /ORDER BY 2 DESC|ORDER BY "?Sales"? DESC/);
  assert.equal(body.structure.limit, undefined);
});

test('tables are joined along their keys, and custom columns and filters use the columns of both', async (context) => {
  const office = await startReportOffice(context);
  const { server, owner, dataSourceId } = office;
  const tables = {
    customers: 'id,name\n1,Ann\n2,Bob\n',
    orders: 'id,customer_id,total\n1,1,10\n2,1,20\n3,2,30\n',
  };
  for (const [table, body] of Object.entries(tables)) {
    await server.call(`PUT /api/data-sources/${dataSourceId}/tables/${table}`, {
      as: owner,
      body,
      headers: { 'content-type': 'text/csv' },
    });
  }
  const page = await office.open(`/data-sources/${dataSourceId}?table=orders`, owner);
  await button(page, 'Build a query').click();
  await button(page, 'Show columns').click();
  await expect(page.getByRole('list', { name: 'Columns of orders' })).toContainText('10, 20, 30');
  await button(page, 'Join').click();
  await option(page, 'customers where orders.customer_id = customers.id').click();
  await button(page, 'Preview Join').click();
  await expect(page.getByRole('table', { name: 'Rows after Join' })).toContainText('Bob');

  await button(page, 'Custom column').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Doubled');
  await page.getByRole('textbox', { name: 'Formula' }).click();
  await page.keyboard.type('[tot');
  await option(page, /^total/).click();
  await page.keyboard.type(' * ');
  await expect(page.getByText('The formula isn’t complete')).toBeVisible();
  await page.keyboard.type('2');
  await expect(page.getByText('Type of the result: integer')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Doubled');
  await assertAccessible(page);

  // The rows before stay as easy to read while the next ones load.
  const release = Promise.withResolvers<void>();
  await page.route('**/api/reports/preview', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.keyboard.type('0');
  await expect(page.locator('[data-refreshing]')).toBeVisible();
  await assertAccessible(page);
  await page.keyboard.press('Backspace');
  release.resolve();
  await expect(page.locator('[data-refreshing]')).toBeHidden();

  await button(page, 'Filter').click();
  await option(page, 'name').click();
  await page.getByRole('combobox', { name: 'Values' }).click();
  await option(page, /Ann.*2 rows/).click();
  await page.keyboard.press('Escape');
  await expect(button(page, 'customers name is Ann')).toBeVisible();
  await button(page, 'Summarize').click();
  await option(page, 'Total Doubled').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('60');
  await assertAccessible(page);
});

test('a column of a preview is filtered, grouped or sorted by from its menu, and hostile names are text', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await button(page, 'Preview sales').click();
  await page.getByRole('button', { name: `Actions for ${script}` }).click();
  await page.getByRole('menuitem', { name: 'Filter' }).click();
  await expect(page.getByText('Choose at least one value.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Values' }).click();
  await option(page, /^a.*1 row$/).click();
  await page.keyboard.press('Escape');
  await expect(facts(page, '1 row').first()).toBeVisible();
  await button(page, `Remove ${script} is a`).click();
  await page.getByRole('button', { name: 'Actions for amount' }).click();
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  await expect(button(page, 'amount, highest first')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for region' }).click();
  await page.getByRole('menuitem', { name: 'Group by' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true }).last()).toBeFocused();
  await expect(facts(page, '3 rows')).toBeVisible();
  await assertAccessible(page);
});
