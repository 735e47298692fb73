import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const script = 'Flights <img src=x onerror="document.title=1">';

test('the palette finds dashboards, reports, pages and actions by keyboard', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: { name: 'Files', kind: 'files' },
  });
  const report = {
    organizationId,
    name: 'Flights by month',
    dataSourceId: source.id,
    query: 'SELECT 1 AS a',
  };
  expect((await server.call('POST /api/reports', { as: owner, body: report })).status).toBe(201);
  const create = (body: object) => server.call('POST /api/dashboards', { as: owner, body });
  await create({ name: script, organizationId });
  const { body: note } = await create({ name: 'Flights of mine' });
  await server.call(`PUT /api/dashboards/${note.id}/visit`, { as: owner });

  const page = await office.open('/', owner);
  await expect(page.getByRole('heading', { name: 'Dashboards' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  await expect(field).toBeFocused();
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(/Flights of mine/);
  await assertAccessible(page);

  await field.fill('fli');
  await expect(options).toHaveText([/Flights of minePrivate/, script, 'Flights by month']);
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await assertAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const chosen = await options.nth(2).getAttribute('id');
  await expect(field).toHaveAttribute('aria-activedescendant', chosen ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/reports\/[0-9a-f-]{36}$/);

  await page.keyboard.press('Control+k');
  await field.fill('zzzz');
  await expect(page.getByText('No results')).toBeVisible();
  await field.fill('new dash');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New dashboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await field.fill('theme dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a search is aborted when a newer one starts', async (context) => {
  const office = await startWebOffice(context);
  await office.server.call('POST /api/dashboards', { as: office.owner, body: { name: 'Sales' } });
  const page = await office.open('/', office.owner);
  let isHeld = false;
  await page.route(/\/api\/dashboards\?q=s&/, () => {
    isHeld = true;
  });
  const given = page.waitForEvent('requestfailed', (request) => request.url().includes('q=s&'));
  await page.getByRole('button', { name: /^Search or run a command/ }).click();
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  await field.fill('s');
  await expect.poll(() => isHeld).toBe(true);
  await field.fill('sal');
  expect((await given).failure()?.errorText).toBe('net::ERR_ABORTED');
  await expect(page.getByRole('option', { name: 'Sales' })).toBeVisible();
});

test('single-key shortcuts open pages, unless they are turned off', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/', office.owner);
  await expect(page.getByRole('heading', { name: 'Dashboards' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeFocused();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByRole('row', { name: /Go to Reports/ })).toBeVisible();
  await assertAccessible(page);
  await help.getByLabel('Single-key shortcuts').click();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('?');
  await expect(help).toHaveCount(0);
  await expect(page).toHaveTitle('Dashboards · Atrium');
});
