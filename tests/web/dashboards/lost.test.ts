import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { expect } from '../web-office.ts';
import { startDashboardDesk, type DashboardDesk } from './desk.ts';

const eventsOf = (id: string) => `**/api/dashboards/${id}/events`;

/** Opens a page of a dashboard, and waits until its events arrive. */
async function follow({ url }: DashboardDesk, page: Page, id: string, part = ''): Promise<void> {
  const events = page.waitForResponse(eventsOf(id));
  await page.goto(`${url}/dashboards/${id}${part}`);
  await events;
}

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
