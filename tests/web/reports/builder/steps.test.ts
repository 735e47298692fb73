import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible, expect } from '../../web-office.ts';
import { startReportOffice } from '../office.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const facts = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

test('people choose which columns are shown, and in which order', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await button(page, 'Columns').click();
  const columns = page.getByRole('group', { name: 'Columns to show' });
  await expect(columns.getByRole('checkbox', { name: 'day' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(columns.getByRole('checkbox', { name: 'day' })).not.toBeChecked();
  await columns.getByRole('button', { name: 'Move amount up', exact: true }).click();
  const heads = page.getByRole('region', { name: 'Result' }).getByRole('columnheader');
  await expect(heads.nth(0)).toContainText('amount');
  await expect(heads.nth(1)).toContainText('region');
  await assertAccessible(page);

  // A new custom column is shown, too, and keeps its place when it is renamed.
  await button(page, 'Custom column').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Twice');
  await page.getByRole('textbox', { name: 'Formula' }).click();
  await page.keyboard.type('[amou');
  await page.getByRole('option', { name: /^amount/ }).click();
  await page.keyboard.type(' * 2');
  await columns.getByRole('button', { name: 'Move Twice up', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Double');
  await expect(heads.nth(2)).toContainText('Double');
  await button(page, 'Hide all').click();
  await expect(
    page.getByRole('region', { name: 'Columns', exact: true }).getByText('Choose at least one column.'),
  ).toBeVisible();
  await button(page, 'Show all').click();
  await expect(heads.nth(0)).toContainText('day');
  await button(page, 'Summarize').click();
  await page.getByRole('option', { name: 'Total amount', exact: true }).click();
  await expect(columns).toBeHidden();
});

test('the end of a range can be excluded, and its parameter gets a label and allowed values', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await button(page, 'Filter').click();
  await page.getByRole('option', { name: 'amount', exact: true }).click();
  await page.getByLabel('To', { exact: true }).fill('30');
  await expect(facts(page, '3 rows').first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Exclude the end' }).check();
  await expect(facts(page, '2 rows').first()).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('40');
  await expect(page.getByRole('checkbox', { name: 'Exclude the end' })).toBeChecked();
  await expect(button(page, 'amount is up to 40, without 40')).toBeVisible();

  await page.getByRole('tab', { name: 'Parameters (1)' }).click();
  const parameter = page.getByRole('group', { name: 'amount_to' });
  await parameter.getByLabel('Label').fill('Highest amount');
  await parameter.getByRole('combobox', { name: 'Allowed values' }).click();
  await page.getByRole('option', { name: 'Values from a query' }).click();
  await parameter.getByLabel('Query for the values').fill('SELECT amount FROM sales');
  await assertAccessible(page);
  await button(page, 'Save').click();
  await button(page, 'View report').click();
  await expect(page.getByRole('combobox', { name: 'Highest amount' })).toBeVisible();
  const { body } = await office.server.call(`GET /api/reports/${page.url().split('/').at(-1)}`, {
    as: office.owner,
  });
  assert.notEqual(body.structure, undefined);
  assert.deepEqual(body.parameters, [
    {
      name: 'amount_to',
      label: 'Highest amount',
      type: 'number',
      default: 40,
      allowed: { query: 'SELECT amount FROM sales' },
    },
  ]);
});

test('a report that is saved before its result is there gets the chart that suits the result', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await expect(facts(page, '4 rows').first()).toBeVisible();
  const { promise: isClicked, resolve: click } = Promise.withResolvers<void>();
  await page.route('**/api/reports/preview', async (route) => {
    await isClicked;
    await route.continue();
  });
  await button(page, 'Summarize').click();
  await page.getByRole('option', { name: 'Total amount', exact: true }).click();
  await page.getByRole('combobox', { name: 'Add a group' }).click();
  await page.getByRole('option', { name: 'region', exact: true }).click();
  await button(page, 'Undo').click();
  await button(page, 'Redo').click();
  await button(page, 'Save').click();
  click();
  await expect(button(page, 'Add to a dashboard')).toBeVisible();
  await button(page, 'View report').click();
  await expect(page.getByRole('img', { name: /Bar chart/ })).toBeVisible();
});
