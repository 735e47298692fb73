import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible, expect } from '../web-office.ts';
import { startDashboardDesk, type DashboardDesk } from './desk.ts';

const lost = (page: Page) =>
  page.getByRole('heading', { name: 'This dashboard was deleted, or you can no longer view it' });
const eventsOf = (id: string) => `**/api/dashboards/${id}/events`;

/** Opens a page of a dashboard, and waits until its events arrive. */
async function follow({ url }: DashboardDesk, page: Page, id: string, part = ''): Promise<void> {
  const events = page.waitForResponse(eventsOf(id));
  await page.goto(`${url}/dashboards/${id}${part}`);
  await events;
}

async function restrict({ server, owner }: DashboardDesk, id: string): Promise<void> {
  const body = { restricted: true, members: [] };
  const response = await server.call(`PUT /api/dashboards/${id}/access`, { as: owner, body });
  assert.equal(response.status, 200, response.text);
}

test('a dashboard that was deleted before its first event is replaced, but can’t be restored there', async (context) => {
  const desk = await startDashboardDesk(context);
  const { id } = await desk.createDashboard([]);
  const page = await desk.open('/', await desk.createEditor('Bob'));
  const deleted = Promise.withResolvers<void>();
  await page.route(eventsOf(id), async (route) => {
    await deleted.promise;
    await route.continue();
  });
  await page.goto(`${desk.url}/dashboards/${id}`);
  await expect(page.getByText('This dashboard is empty')).toBeVisible();
  assert.equal((await desk.server.call(`DELETE /api/dashboards/${id}`, { as: desk.owner })).status, 204);
  deleted.resolve();
  await expect(lost(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0);
  await assertAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Dashboards' }).click();
  await expect(page).toHaveURL(/\/organizations\/[^/]+\/dashboards$/);
});

test('a dashboard that you lose access to is replaced, also if you were offline meanwhile', async (context) => {
  const desk = await startDashboardDesk(context);
  const [connected, offline] = [await desk.createDashboard([]), await desk.createDashboard([])];
  const page = await desk.open('/', await desk.createEditor('Bob'));
  await follow(desk, page, connected.id);
  await restrict(desk, connected.id);
  await expect(lost(page)).toBeVisible();

  await follow(desk, page, offline.id);
  await expect(page.getByText('This dashboard is empty')).toBeVisible();
  await desk.stopListening();
  await restrict(desk, offline.id);
  await desk.listenAgain();
  await expect(lost(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0);
});

test('an edit of a dashboard that you lose access to stays as a draft, and can be saved as a new dashboard', async (context) => {
  const desk = await startDashboardDesk(context);
  const { id } = await desk.createDashboard([[0, 0, 6, 4]]);
  const bob = await desk.createEditor('Bob');
  const page = await desk.open('/', bob);
  await follow(desk, page, id, '/edit');
  await page.getByLabel('Name').fill('Typed for an hour');
  await restrict(desk, id);
  await expect(page.getByText('This dashboard was deleted, or you can no longer view it')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Typed for an hour');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save as a new dashboard' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
  await expect(page.getByRole('heading', { name: 'Typed for an hour (my edit)' })).toBeVisible();
});

test('a late response about one dashboard doesn’t replace the dashboard that was opened next', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner } = desk;
  const [first, second] = [await desk.createDashboard([]), await desk.createDashboard([])];
  const rename = (id: string, name: string, version: number) =>
    server.call(`PATCH /api/dashboards/${id}`, {
      as: owner,
      body: { name },
      headers: { 'if-match': `"${version}"` },
    });
  await rename(second.id, 'Next', 1);
  const page = await desk.open('/', owner);
  await follow(desk, page, first.id);
  await page.route(eventsOf(first.id), (route) => route.fulfill({ status: 404 }));
  const released = Promise.withResolvers<void>();
  const problem = JSON.stringify({ type: 'about:blank', title: 'Not found', status: 404, code: 'not_found' });
  await page.route(`**/api/dashboards/${first.id}`, async (route) => {
    await released.promise;
    await route.fulfill({ status: 404, contentType: 'application/problem+json', body: problem });
  });
  // The stream breaks, and can't be opened again.
  const asked = page.waitForRequest(`**/api/dashboards/${first.id}`);
  await desk.stopListening();
  await desk.listenAgain();
  const request = await asked;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Next');
  const events = page.waitForResponse(eventsOf(second.id));
  await page.getByRole('option', { name: /Next/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Next' })).toBeVisible();
  await events;
  released.resolve();
  await request.response();
  await rename(second.id, 'Renamed', 2);
  await expect(page.getByRole('button', { name: 'Load new version' })).toBeVisible();
});
