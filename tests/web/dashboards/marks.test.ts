import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from '@playwright/test';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const columns = 'SELECT region, sum(amount) AS amount FROM sales';
const tags = { name: 'region', label: 'Region', type: 'list', default: null } as const;

/** Opens a dashboard with a bar chart by region, and a number that is filtered by regions. */
async function openBoard(context: TestContext) {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const bars = await room.save({
    name: 'By region',
    query: `${columns} GROUP BY 1 ORDER BY 1`,
    visualization: { kind: 'bar', x: 'region', series: [{ field: 'amount' }] },
  });
  const total = await room.save({
    name: 'Total',
    query: 'SELECT sum(amount) AS total FROM sales WHERE {{region}} IS NULL OR region = ANY ({{region}})',
    parameters: [tags],
    visualization: { kind: 'number', value: 'total' },
  });
  const body = {
    name: 'Board',
    organizationId: room.organizationId,
    widgets: [
      { reportId: bars.id, layout: { x: 0, y: 0, w: 6, h: 5 } },
      { reportId: total.id, layout: { x: 6, y: 0, w: 6, h: 5 } },
    ],
  };
  const created = await office.server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  return { office, room, path: `/dashboards/${created.body.id}` };
}

const widget = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const settle = (page: Page) => expect(page.getByText(/^Updated at/)).toBeVisible();

test('marks are selected and filter the dashboard by keyboard', async (context) => {
  const { office, room, path } = await openBoard(context);
  const page = await office.open(path, room.owner);
  await settle(page);
  const list = page.getByRole('listbox', { name: 'Values of By region' });
  await list.focus();
  await page.keyboard.press('Home');
  await expect(list.getByRole('option')).toHaveText('north · 30.5');
  await page.keyboard.press('ArrowRight');
  await expect(list.getByRole('option')).toHaveText('south · 70');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect(list.getByRole('option')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toBeVisible();
  await assertAccessible(page);

  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu).toContainText('2 selected');
  await assertAccessible(page);
  await page.getByRole('menuitem', { name: 'Filter this dashboard by Region' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?region=south&region=north$/);
  await expect(list).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByText('2 selected')).toHaveCount(0);

  const number = page.getByRole('button', { name: 'Total: 100.5' });
  await number.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Filter this dashboard' })).toContainText(
    'It shows no value that a filter could have.',
  );
  await page.keyboard.press('Escape');
  await expect(number).toBeFocused();
});

test('the cells of a table are reached with the arrow keys, and their values can be copied', async (context) => {
  const { office, room, path } = await openBoard(context);
  const page = await office.open(path, room.owner);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await settle(page);
  await page.getByRole('button', { name: 'Actions for By region' }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  const cell = (name: string) => widget(page, 'By region').getByRole('button', { name, exact: true });
  await cell('north').focus();
  await page.keyboard.press('ArrowDown');
  await expect(cell('south')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(cell('70.0')).toBeFocused();
  // Again if needed: the clipboard is that of the whole browser, which other tests use at the same time.
  await expect(async () => {
    await cell('70.0').press('Enter');
    await page.getByRole('menuitem', { name: 'Copy value' }).click({ timeout: 10_000 });
    await expect(page.getByText('Copied.').first()).toBeVisible({ timeout: 10_000 });
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), '70');
  }).toPass({ timeout: 120_000 });
});

test('several marks are selected by tapping on a phone', async (context) => {
  const { office, room, path } = await openBoard(context);
  const page = await office.open(path, room.owner, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await settle(page);
  const canvas = page.locator('canvas');
  const box = await canvas.boundingBox();
  assert.ok(box !== null);
  const bar = (share: number) => ({ position: { x: box.width * share, y: box.height * 0.8 } });
  await canvas.tap(bar(0.3));
  await expect(page.getByRole('menu')).toContainText('north · 30.5');
  await assertAccessible(page);
  await page.getByRole('menuitem', { name: 'Select more' }).click();
  await canvas.tap(bar(0.75));
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await expect(page.getByRole('menu')).not.toContainText('Loading');
  await page.getByRole('menuitem', { name: 'Filter this dashboard by Region' }).click();
  await expect(page).toHaveURL(/\?region=north&region=south$/);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByText('2 selected')).toHaveCount(0);
});
