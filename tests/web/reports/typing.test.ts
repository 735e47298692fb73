import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { expect } from '../web-office.ts';
import { startReportOffice } from './office.ts';

/**
 * Types letters into the field that has the focus, one in each task of the browser, and returns them. Some come between the drawing
 * of the letter before and the effects of that.
 */
async function typeFast(page: Page): Promise<string> {
  const letters = 'abc'.repeat(20);
  await page.evaluate(`(async () => {
    const { port1, port2 } = new MessageChannel();
    for (const letter of '${letters}') {
      document.execCommand('insertText', false, letter);
      const next = new Promise((resolve) => (port1.onmessage = resolve));
      port2.postMessage(undefined);
      await next;
    }
  })()`);
  return letters;
}

test('a query keeps what is typed while the page is still drawing', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({ query: 'select 1' });
  const page = await office.open(`/reports/${id}/edit`, office.owner);
  const query = page.getByRole('textbox', { name: 'Query' });
  await query.click();
  await page.keyboard.press('Control+End');
  const letters = await typeFast(page);
  await expect(query).toHaveText(`select 1${letters}`);
});

test('a formula keeps what is typed while the page is still drawing', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports/new`, office.owner);
  await page.getByRole('button', { name: /^sales/ }).click();
  await page.getByRole('button', { name: 'Custom column', exact: true }).click();
  const formula = page.getByRole('textbox', { name: 'Formula' });
  await formula.click();
  const letters = await typeFast(page);
  await expect(formula).toHaveText(letters);
});
