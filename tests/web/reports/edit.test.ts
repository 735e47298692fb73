import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { script, startReportOffice } from './office.ts';
import { assertAccessible, expect } from '../web-office.ts';

/** Replaces the query. */
async function write(page: Page, query: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Query' });
  await editor.click();
  await page.keyboard.press('Control+a');
  // Typing over highlighted text would make the browser add a style that the content security policy refuses.
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText(query);
}

const facts = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

test('a report is written with completion, run, shown as a suggested chart, saved, and added to a dashboard', async (context) => {
  const office = await startReportOffice(context);
  const page = await office.open(`/organizations/${office.organizationId}/reports`, office.owner);
  await page.getByRole('button', { name: 'New report' }).click();
  await page.getByRole('button', { name: 'Write SQL' }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.type('select reg');
  await page.keyboard.press('Escape');
  await page.keyboard.type('ion from sal');
  await expect(page.getByRole('option', { name: /sales/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await assertAccessible(page);

  await write(page, 'select region, sum(amount) as amount\nfrom seles group by 1');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert')).toContainText('line 2');
  await expect(page.locator('.cm-lintRange-error')).toHaveText('seles');
  await assertAccessible(page);
  await write(page, 'select region, sum(amount) as amount from sales where amount > {{least}} group by 1');
  await expect(page.locator('.cm-parameter')).toHaveText('{{least}}');
  await page.getByRole('button', { name: 'Add least' }).click();
  await page.getByRole('tab', { name: 'Parameters (1)' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Number' }).click();
  await page.getByLabel('Default').fill('5');
  await page.getByLabel('Default').press('Enter');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(facts(page, '3 rows')).toBeVisible();
  await expect(page.getByRole('img', { name: /Bar chart/ })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Data').click();
  await expect(page.getByRole('cell', { name: script })).toBeVisible();

  await page.getByRole('tab', { name: 'Chart' }).click();
  await expect(page.getByRole('radio', { name: 'Bar chart' })).toBeChecked();
  for (const more of ['Series 1 options', 'More settings']) {
    await page.getByRole('button', { name: more }).click();
  }
  await page.getByRole('button', { name: 'Add threshold' }).click();
  await assertAccessible(page);
  await page.getByRole('radio', { name: 'Pie chart' }).click();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Chart').click();
  await expect(page.getByRole('img', { name: /Pie chart/ })).toBeVisible();
  await assertAccessible(page);
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Name').first().fill('Sales by region');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog', { name: 'Report saved' })).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add to a dashboard' }).click();
  await page.getByRole('dialog').getByLabel('New dashboard').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(page).toHaveURL(/\/dashboards\//);
});

test('a draft survives a closed tab, and conflicts with another edit are resolved', async (context) => {
  const office = await startReportOffice(context);
  const { server, owner, organizationId, dataSourceId, createReport } = office;
  const id = await createReport({
    name: 'Sales',
    query: 'select 1 as one',
    visualization: { kind: 'table' },
  });
  const page = await office.open(`/reports/${id}/edit`, owner);
  await page.getByLabel('Name').first().fill('Mine');
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();
  const again = await page.context().newPage();
  await page.close();
  await again.goto(`${office.url}/reports/${id}/edit`);
  await expect(again.getByLabel('Name').first()).toHaveValue('Mine');
  await expect(again.getByText(/^You're continuing your draft, last changed/)).toBeVisible();

  const editor = await server.createMember(organizationId, 'editor');
  await server.call(`PUT /api/reports/${id}`, {
    as: editor,
    headers: { 'if-match': '"1"' },
    body: { name: `Theirs ${script}`, dataSourceId, query: 'select 2 as two' },
  });
  await again.getByRole('button', { name: 'Save' }).click();
  await expect(again.getByRole('heading', { name: 'Conflicting changes' })).toBeVisible();
  await expect(again.getByRole('cell', { name: `Theirs ${script}` })).toBeVisible();
  await expect(again.getByText('select 2 as two')).toHaveCount(0);
  await assertAccessible(again);
  await again.getByRole('button', { name: 'Back to editing' }).click();
  await expect(again.getByRole('textbox', { name: 'Name' }).first()).toHaveValue('Mine');
  await again.getByRole('button', { name: 'Save' }).click();
  await again.getByRole('radio', { name: 'Mine' }).check();
  await again.getByRole('button', { name: 'Save choices' }).click();
  await expect(again.getByRole('heading', { name: 'Mine' })).toBeVisible();
  await expect(again.getByText('select 2 as two')).toBeVisible();
});

test('query and result are both in view, a result that is older than the query is marked, and settings are folded', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({
    query: 'select region, amount from sales',
    visualization: { kind: 'bar', x: 'region', series: [{ field: 'amount' }] },
  });
  const page = await office.open(`/reports/${id}/edit`, office.owner, {
    viewport: { width: 1440, height: 900 },
  });
  const older = page.getByText('The query has changed since this result.');
  const chart = page.getByRole('img', { name: /Bar chart/ });
  await expect(chart).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('textbox', { name: 'Query' })).toBeInViewport({ ratio: 1 });
  await expect(older).toHaveCount(0);
  await write(page, 'select region, amount from sales limit 2');
  await expect(older).toBeVisible();
  await expect(chart).toBeInViewport({ ratio: 1 });
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(facts(page, '2 rows')).toBeVisible();
  await expect(older).toHaveCount(0);

  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page.getByRole('combobox', { name: 'Cache results for' })).toHaveCount(0);
  await page.getByRole('button', { name: 'More settings' }).click();
  await expect(page.getByRole('combobox', { name: 'Cache results for' })).toBeVisible();

  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep draft' }).click();
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();
});

test('a long query is cancelled, and a click inserts a name', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({ query: 'select 1 as one', visualization: { kind: 'table' } });
  const page = await office.open(`/reports/${id}/edit`, office.owner, {
    viewport: { width: 1600, height: 900 },
  });
  await expect(facts(page, '1 row')).toBeVisible();
  await write(page, 'select count(*) from range(100000000) a, range(100000000) b');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await write(page, 'select * from ');
  await page.getByRole('button', { name: 'sales', exact: true }).click();
  await page.keyboard.press('Control+Enter');
  await expect(facts(page, '4 rows')).toBeVisible();
  await page.getByRole('button', { name: 'First rows of sales' }).click();
  await expect(page.getByRole('dialog').getByRole('columnheader', { name: script })).toBeVisible();
  await assertAccessible(page);
});

test('a report is saved as soon as its data source is known, unless its name is removed before', async (context) => {
  const office = await startReportOffice(context);
  const { server, owner, dataSourceId } = office;
  const id = await office.createReport({ name: 'Sales' });
  const page = await office.open('/', owner);
  let known = Promise.withResolvers<void>();
  await page.route(`**/api/data-sources/${dataSourceId}`, async (route) => {
    await known.promise;
    await route.continue();
  });
  let saveCount = 0;
  page.on('request', (request) => void (request.method() === 'PUT' && (saveCount += 1)));
  const name = page.getByLabel('Name').first();
  const save = page.getByRole('button', { name: 'Save' });
  await page.goto(`${office.url}/reports/${id}/edit`);
  await name.fill('Renamed');
  await save.click();
  await expect(page.getByText('Saving…')).toBeVisible();
  await name.fill('');
  known.resolve();
  await expect(page.getByRole('textbox', { name: 'Query' })).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await name.fill('Again');
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();
  expect(saveCount).toBe(0);

  known = Promise.withResolvers();
  await page.reload();
  await expect(name).toHaveValue('Again');
  await save.click();
  await expect(page.getByText('Saving…')).toBeVisible();
  known.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Again' })).toBeVisible();
  assert.equal((await server.call(`GET /api/reports/${id}`, { as: owner })).body.name, 'Again');
  expect(saveCount).toBe(1);
});

test('people who can’t see the data source of a report can rename it, and an edit of its query stays as a draft', async (context) => {
  const office = await startReportOffice(context);
  const { server, owner, organizationId, dataSourceId } = office;
  const id = await office.createReport({ name: 'Sales' });
  const editor = await server.createMember(organizationId, 'editor');
  const page = await office.open(`/reports/${id}/edit`, editor);
  const name = page.getByLabel('Name').first();
  await write(page, 'select 3 as three');
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();
  const restricted = await server.call(`PUT /api/data-sources/${dataSourceId}/access`, {
    as: owner,
    body: { restricted: true, members: [] },
  });
  assert.equal(restricted.status, 200, restricted.text);
  await page.reload();
  const hint = page.getByText('You can’t see the data source of this report');
  await expect(hint).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/must be a data source of the organization that you may query/)).toBeVisible();
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();

  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await name.fill('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
});

test('a data source that can’t be read is reported once, and can be read again', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({ name: 'Sales' });
  const page = await office.open('/', office.owner);
  const problem = {
    type: 'about:blank',
    title: 'Internal error',
    status: 500,
    code: 'internal',
    requestId: 'r1',
  };
  await page.route(
    `**/api/data-sources/${office.dataSourceId}`,
    (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    { times: 1 },
  );
  await page.goto(`${office.url}/reports/${id}/edit`);
  await expect(page.getByRole('alert')).toHaveText(/Internal error/);
  await assertAccessible(page);
  await page.getByLabel('Name').first().fill('Renamed');
  const save = page.getByRole('button', { name: 'Save' });
  await save.hover();
  await expect(page.getByText('The data source couldn’t be loaded.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('textbox', { name: 'Query' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await save.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
});

test('a new report is of the data source that was just created, and nothing is left of it if nothing was written', async (context) => {
  const office = await startReportOffice(context);
  const { organizationId } = office;
  const page = await office.open(`/organizations/${organizationId}/reports`, office.owner);
  await page.getByRole('link', { name: 'Data sources' }).click();
  await page.getByRole('button', { name: 'New data source' }).click();
  await page.getByLabel('Name').fill('My own');
  // The list of data sources is slower than a click.
  const list = Promise.withResolvers<void>();
  await page.route(`**/api/organizations/${organizationId}/data-sources*`, async (route) => {
    if (route.request().method() === 'GET') await list.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create, then upload files' }).click();
  await page.getByRole('button', { name: 'New report' }).click();
  await expect(page).toHaveURL(/\/reports\/new\?source=/);
  await expect(page.getByRole('heading', { name: 'New report' })).toBeVisible();
  list.resolve();
  await expect(page.getByRole('combobox', { name: 'Data source' })).toHaveValue('My own');
  await expect(page.getByText('No changes')).toBeVisible();

  // Choosing another source, and nothing else, is not a draft to continue.
  await page.getByRole('combobox', { name: 'Data source' }).click();
  await page.getByRole('option', { name: 'Shop' }).click();
  await page.getByRole('link', { name: 'Data sources' }).click();
  await page.getByRole('link', { name: 'My own' }).click();
  await page.getByRole('button', { name: 'New report' }).click();
  await expect(page.getByRole('combobox', { name: 'Data source' })).toHaveValue('My own');
  await expect(page.getByText('No changes')).toBeVisible();
});
