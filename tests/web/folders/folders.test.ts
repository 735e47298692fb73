import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startDashboardDesk } from '../dashboards/desk.ts';
import { startReportOffice } from '../reports/office.ts';
import { assertAccessible, expect } from '../web-office.ts';

const namesOf = (page: Page) => page.getByRole('table').getByRole('link');
const foldersOf = (page: Page) => page.getByRole('list', { name: 'Folders' }).getByRole('link');
const pathOf = (page: Page) => page.getByRole('navigation', { name: 'Folders' });

/** Chooses a folder in the dialog that moves, by keyboard. */
async function moveTo(page: Page, typed: string, path: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Move “/ });
  const field = dialog.getByRole('combobox', { name: 'Move to' });
  await expect(field).toBeFocused();
  await field.fill(typed);
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([path]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(path);
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

async function choose(page: Page, menu: string, action: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('folders are created, opened, renamed, moved, shared, deleted and restored in a list', async (context) => {
  const desk = await startDashboardDesk(context);
  const { organizationId, owner } = desk;
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/organizations/${organizationId}/dashboards`, owner, {
    viewport: { width: 390, height: 800 },
  });
  await expect(namesOf(page)).toHaveText(['Traffic']);
  const create = async (name: string) => {
    await page.getByRole('button', { name: 'New folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'New folder' });
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  };
  await create('Sales');
  await expect(foldersOf(page)).toHaveText(['Sales']);
  await expect(namesOf(page)).toHaveText(['Traffic']);
  await foldersOf(page).first().press('Enter');
  await expect(page).toHaveURL(/folder=/);
  await expect(page.getByText('No dashboards here.')).toBeVisible();
  await create('Old');
  await assertAccessible(page);
  await choose(page, 'Actions for the folder Old', 'Rename…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Europe');
  await page.keyboard.press('Enter');
  await expect(foldersOf(page)).toHaveText(['Europe']);

  // A dashboard is moved into the inner folder, and found there and by a search.
  await pathOf(page).getByRole('link', { name: 'All' }).click();
  await choose(page, 'Actions for Traffic', 'Move…');
  await expect(page.getByRole('dialog', { name: 'Move “Traffic”' })).toBeVisible();
  await assertAccessible(page);
  await moveTo(page, 'euro', 'Sales / Europe');
  await expect(page.getByText('Moved to Sales / Europe.')).toBeVisible();
  await expect(page.getByText('No dashboards here.')).toBeVisible();
  await page.getByLabel('Search dashboards').fill('traff');
  await expect(namesOf(page)).toHaveText(['Traffic']);
  await expect(page.getByRole('cell', { name: /Sales \/ Europe/ })).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('Search dashboards').fill('');
  await expect(foldersOf(page)).toHaveText(['Sales']);
  await page.getByRole('button', { name: 'Show all in one list' }).click();
  await expect(namesOf(page)).toHaveText(['Traffic']);
  await page.reload();
  await expect(page.getByRole('cell', { name: /Sales \/ Europe/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('traff');
  await expect(page.getByRole('option', { name: /Traffic/ })).toContainText('Sales / Europe');
  await page.keyboard.press('Escape');
  await pathOf(page).getByRole('link', { name: 'All' }).click();
  await foldersOf(page).getByText('Sales').click();
  await foldersOf(page).getByText('Europe').click();
  await expect(pathOf(page)).toContainText('Europe');
  await expect(namesOf(page)).toHaveText(['Traffic']);
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Numbers');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/edit/);
  await page.goto(`${desk.url}/organizations/${organizationId}/dashboards`);
  await foldersOf(page).getByText('Sales').click();

  // A folder is moved out of the one around it.
  await choose(page, 'Actions for the folder Europe', 'Move…');
  await moveTo(page, 'no f', 'No folder');
  await pathOf(page).getByRole('link', { name: 'All' }).click();
  await expect(foldersOf(page)).toHaveText(['Europe', 'Sales']);
  await foldersOf(page).getByText('Europe').click();
  await expect(namesOf(page)).toHaveText(['Numbers', 'Traffic']);
  await pathOf(page).getByRole('link', { name: 'All' }).click();

  await choose(page, 'Actions for the folder Europe', 'Share');
  const share = page.getByRole('dialog', { name: 'Share' });
  await expect(share.getByRole('textbox', { name: 'Link' })).toHaveValue(/\/dashboards\?folder=/);
  await share.getByRole('switch', { name: 'Restrict to people listed below' }).click();
  await expect(share.getByText('Everything in it is hidden from others.')).toBeVisible();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(share).toHaveCount(0);

  // What is created and copied there is restricted, which the dialog says.
  await foldersOf(page).getByText('Europe').click();
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await expect(page.getByRole('dialog', { name: 'New dashboard' })).toContainText(
    'It will be restricted: only people who may see the folder “Europe” can open it.',
  );
  await page.keyboard.press('Escape');
  const europe = page.url();
  await page.getByRole('link', { name: 'Traffic' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
  await choose(page, 'More actions', 'Duplicate');
  await expect(page.getByText('Created “Traffic (copy)”.')).toBeVisible();
  await page.goto(europe);
  await expect(namesOf(page)).toHaveText(['Traffic (copy)', 'Numbers', 'Traffic']);
  await pathOf(page).getByRole('link', { name: 'All' }).click();

  await choose(page, 'Actions for the folder Europe', 'Delete');
  await expect(page.getByRole('dialog', { name: 'Delete the folder?' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(foldersOf(page)).toHaveText(['Sales']);
  await page.goto(`${desk.url}/organizations/${organizationId}/trash?show=folders`);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Restore Europe' }).click();
  await expect(page.getByText('No folders in the trash')).toBeVisible();
  await page.goto(`${desk.url}/organizations/${organizationId}/dashboards`);
  await expect(foldersOf(page)).toHaveText(['Europe', 'Sales']);

  await choose(page, 'Actions for the folder Sales', 'Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(foldersOf(page)).toHaveText(['Europe']);
  await page.goto(`${desk.url}/organizations/${organizationId}/trash?show=folders`);
  await expect(page.getByText(/^Deleted by .* Can be restored until/)).toBeVisible();
  await page.getByRole('button', { name: 'Delete permanently: Sales' }).click();
  const purge = page.getByRole('dialog', { name: 'Delete permanently?' });
  await expect(purge).toContainText('which stay in the trash');
  await assertAccessible(page);
  await purge.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('No folders in the trash')).toBeVisible();
  assert.equal((await desk.readDashboard(dashboard.id)).name, 'Traffic');
});

test('reports are moved to the personal folder, which others don’t see', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, organizationId } = desk;
  const bob = await desk.createEditor('Bob');
  const address = `/organizations/${organizationId}/reports`;
  const page = await desk.open(address, desk.owner);
  await page.getByRole('button', { name: 'My folder' }).click();
  await expect(pathOf(page)).toContainText('My folder');
  await expect(page.getByText('No reports here.')).toBeVisible();
  await assertAccessible(page);
  await pathOf(page).getByRole('link', { name: 'All' }).click();
  await choose(page, 'Actions for Delays', 'Move…');
  await moveTo(page, 'my', 'My folder');
  await expect(namesOf(page)).toHaveText(['Flights']);
  await page.getByRole('button', { name: 'Actions for the folder My folder' }).click();
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toContainText('A personal folder');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show all in one list' }).click();
  await expect(namesOf(page)).toHaveCount(2);
  await assertAccessible(page);

  await server.call(`PUT /api/organizations/${organizationId}/personal-folder`, { as: bob });
  await page.goto(`${desk.url}${address}`);
  await expect(foldersOf(page).filter({ hasText: 'Folder of Bob' })).toHaveCount(1);

  const bobs = await desk.open(address, bob);
  await expect(namesOf(bobs)).toHaveText(['Flights']);
  await expect(foldersOf(bobs)).toHaveText(['My folder']);

  const viewer = await server.createMember(organizationId, 'viewer');
  const viewers = await desk.open(address, viewer);
  await expect(viewers.getByRole('button', { name: 'New folder' })).toHaveAttribute('aria-disabled', 'true');
  await viewers.getByRole('button', { name: 'Actions for Flights' }).click();
  await expect(viewers.getByRole('menuitem', { name: 'Move…' })).toContainText('You can view this report');
  await assertAccessible(viewers);
});

test('a new report is put into the folder that is open', async (context) => {
  const office = await startReportOffice(context);
  const { server, organizationId, owner } = office;
  const { body: folder } = await server.call(`POST /api/organizations/${organizationId}/folders`, {
    as: owner,
    body: { name: 'Sales' },
  });
  const page = await office.open(`/organizations/${organizationId}/reports`, owner);
  await foldersOf(page).getByText('Sales').click();
  await expect(page.getByText('No reports here.')).toBeVisible();
  await page.getByRole('button', { name: 'New report' }).click();
  await page.getByRole('button', { name: 'Write SQL' }).click();
  await page.getByLabel('Name').fill('Regions');
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.insertText('select region from sales');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Regions');
  await page.goto(`${office.url}/organizations/${organizationId}/reports?folder=${folder.id}`);
  await expect(namesOf(page)).toHaveText(['Regions']);
});
