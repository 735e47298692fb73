import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const script = '<script>document.title = "broken"</script>';

const namesOf = (page: Page) => page.getByRole('table').getByRole('link');

test('dashboards are searched, starred, sorted, duplicated, deleted and restored, and the URL has the search', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const create = async (name: string, description?: string) => {
    server.advance(60_000);
    const body = { name, organizationId, ...(description !== undefined && { description }) };
    const response = await server.call('POST /api/dashboards', { as: owner, body });
    return response.body.id as string;
  };
  await create('Alpha', 'Sales of all regions');
  const flights = await create('Flights');
  await create(script);
  const address = `/organizations/${organizationId}/dashboards`;
  const page = await office.open(address, owner);
  await expect(namesOf(page)).toHaveText([script, 'Flights', 'Alpha']);
  await expect(page).toHaveTitle('Dashboards · Atrium');
  await expect(page.getByRole('cell', { name: 'You', exact: true })).toHaveCount(3);
  await assertAccessible(page);

  const filters = page.getByRole('radiogroup', { name: 'Filter dashboards' });
  await page.getByRole('button', { name: 'Star Flights' }).click();
  await expect(page.getByRole('button', { name: 'Star Flights' })).toHaveAttribute('aria-pressed', 'true');
  const starred = page.getByRole('navigation', { name: 'Starred' });
  await expect(starred.getByRole('link')).toHaveText(['Flights']);
  await assertAccessible(page);
  await filters.getByText('Starred').click();
  await expect(namesOf(page)).toHaveText(['Flights']);
  await expect(starred).toHaveCount(0);
  await expect(page).toHaveURL(/show=starred/);
  await filters.getByText('Recent').click();
  await expect(page.getByRole('heading', { name: 'No recent dashboards' })).toBeVisible();
  await filters.getByText('All').click();
  await page.getByLabel('Sort by').selectOption('name');
  await expect(namesOf(page)).toHaveText([script, 'Alpha', 'Flights']);

  await page.getByLabel('Search dashboards').fill('regio');
  await expect(namesOf(page)).toHaveText(['Alpha']);
  await expect(page).toHaveURL(/q=regio/);
  await page.reload();
  await expect(page.getByLabel('Search dashboards')).toHaveValue('regio');
  await page.getByLabel('Search dashboards').fill('nowhere');
  await expect(page.getByRole('heading', { name: 'No dashboards found' })).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Clear search', exact: true }).last().click();
  await expect(namesOf(page)).toHaveCount(3);

  await page.getByRole('button', { name: 'Actions for Flights' }).click();
  await assertAccessible(page);
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(namesOf(page).filter({ hasText: 'Flights (copy)' })).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Flights', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(namesOf(page).filter({ hasText: /^Flights$/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(namesOf(page).filter({ hasText: /^Flights$/ })).toBeVisible();
  const kept = await server.call(`GET /api/dashboards/${flights}`, { as: owner });
  expect(kept.status).toBe(200);
});

test('a long list loads more, and viewers see why some actions are disabled', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const viewer = await server.createMember(organizationId, 'viewer');
  const empty = await office.open(`/organizations/${organizationId}/dashboards`, viewer);
  await expect(empty.getByRole('heading', { name: 'No dashboards yet' })).toBeVisible();
  await assertAccessible(empty);
  await empty.close();
  for (let index = 1; index <= 60; index += 1) {
    const body = { name: `Number ${index}`, organizationId };
    await server.call('POST /api/dashboards', { as: owner, body });
  }

  const page = await office.open(`/organizations/${organizationId}/dashboards`, viewer);
  await expect(namesOf(page)).toHaveCount(50);
  await expect(page.getByText('Showing the first 50 dashboards')).toBeVisible();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(namesOf(page)).toHaveCount(60);
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  await expect(page.getByText('60 dashboards', { exact: true })).toBeVisible();
  const create = page.getByRole('button', { name: 'New dashboard' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await create.hover();
  await expect(page.getByRole('tooltip')).toContainText("Viewers can't create dashboards");

  await page.getByRole('button', { name: 'Actions for Number 60' }).click();
  const remove = page.getByRole('menuitem', { name: 'Delete' });
  await expect(remove).toContainText('You can view this dashboard, but not edit it.');
  await assertAccessible(page);
  await remove.click({ force: true });
  await page.getByRole('menuitem', { name: 'Duplicate as private' }).click();
  await expect(page.getByText('Created “Number 60 (copy)”.')).toBeVisible();
  await expect(namesOf(page)).toHaveCount(60);
  await page.goto(`${office.url}/dashboards`);
  await expect(page.getByRole('heading', { name: 'Private dashboards' })).toBeVisible();
  await expect(namesOf(page)).toHaveText(['Number 60 (copy)']);
  await assertAccessible(page);
});
