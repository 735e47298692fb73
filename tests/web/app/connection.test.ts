import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a page that is opened while the server is away arrives by itself when it is back', async (context) => {
  const office = await startWebOffice(context);
  const created = await office.server.call('POST /api/dashboards', {
    as: office.owner,
    body: { name: 'Traffic', organizationId: office.organizationId },
  });
  assert.equal(created.status, 201, created.text);
  const page = await office.open('/', office.owner);
  const banner = page.getByRole('status').filter({ hasText: 'The server isn’t responding' });
  const link = page.getByRole('main').getByRole('link', { name: 'Traffic' });
  await expect(link).toBeVisible();

  // The code of the page is missing.
  await office.stopListening();
  await go(page, 'Reports');
  await expect(banner).toBeVisible();
  await expect(page).toHaveURL(/\/reports$/);
  await assertAccessible(page);
  await office.listenAgain();
  await expect(heading(page, 'Reports')).toBeVisible();
  await expect(banner).toHaveCount(0);

  // The data of the page is missing.
  await go(page, 'Dashboards');
  await link.click();
  await expect(heading(page, 'Traffic')).toBeVisible();
  await page.reload();
  await go(page, 'Dashboards');
  await expect(link).toBeVisible();
  await office.stopListening();
  await link.click();
  await expect(banner).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await office.listenAgain();
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(heading(page, 'Traffic')).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('after an upgrade, a page whose code no longer exists is loaded again once', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/', office.owner);
  await expect(heading(page, 'Dashboards')).toBeVisible();
  let documents = 0;
  page.on('request', (request) => void (request.isNavigationRequest() && (documents += 1)));
  await page.route(/\/assets\/ReportsPage-.*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 });
  await go(page, 'Reports');
  await expect(heading(page, 'Reports')).toBeVisible();
  expect(documents).toBe(1);

  await page.route(/\/assets\/AuditPage-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await go(page, 'Audit log');
  await expect(page.getByText('This part of Atrium couldn’t be loaded')).toBeVisible();
  await expect(page).toHaveURL(/\/audit$/);
  await assertAccessible(page);
  expect(documents).toBe(2);
  await go(page, 'Dashboards');
  await expect(heading(page, 'Dashboards')).toBeVisible();
  expect(documents).toBe(2);

  await page.unrouteAll();
  await go(page, 'Audit log');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'Audit log')).toBeVisible();
});
