import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { expect } from '../../web-office.ts';
import { startReportOffice } from '../office.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

test('while a step is incomplete, others are added, and the query can’t be edited as SQL', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await button(page, 'Custom column').click();
  await expect(page.getByText('The formula isn’t complete')).toBeVisible();
  await button(page, 'Summarize').click();
  await option(page, 'Number of rows').click();
  await page.getByRole('combobox', { name: 'Add a group' }).click();
  await option(page, 'day').click();
  await expect(button(page, 'day by month')).toBeVisible();
  await button(page, 'Edit as SQL').hover();
  await expect(page.getByText('Complete the steps first.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await button(page, 'Remove Custom column').click();
  await expect(page.getByRole('status').filter({ hasText: /^\d rows?\b/ })).toBeVisible();
  await expect(button(page, 'Edit as SQL')).not.toHaveAttribute('aria-disabled');
});

test('what is changed while the range of a group is read stays', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await button(page, 'Summarize').click();
  await option(page, 'Total amount').click();
  const read = Promise.withResolvers<undefined>();
  await page.route('**/api/reports/preview', async (route) => {
    if (route.request().postData()?.includes('lowest') === true) await read.promise;
    await route.continue();
  });
  const reading = page.waitForRequest((request) => request.postData()?.includes('lowest') === true);
  await page.getByRole('combobox', { name: 'Add a group' }).click();
  await option(page, 'amount').click();
  await reading;
  await page.getByRole('combobox', { name: 'Add a group' }).click();
  await option(page, 'region').click();
  const groups = page.getByRole('group', { name: 'Groups' });
  await expect(groups.getByRole('button', { name: 'region', exact: true })).toBeVisible();
  read.resolve(undefined);
  await expect(button(page, 'Remove region')).toBeVisible();
  await expect(groups.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
});
