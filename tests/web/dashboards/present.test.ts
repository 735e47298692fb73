import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from '@playwright/test';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const container = (kind: string, key: string, title: string, parent?: string) => ({
  reportId: `builtin:${kind}`,
  config: { key, title, ...(parent !== undefined && { parent }) },
});

/** Opens a dashboard with a widget above its tabs, in a tab, and in a section of another. */
async function openBoard(context: TestContext) {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const { id: reportId } = await room.save({
    name: 'Seven',
    query: 'SELECT 7 AS n',
    visualization: { kind: 'number', value: 'n' },
  });
  const widget = (title: string, parent?: string) => ({
    reportId,
    layout,
    config: { title, ...(parent !== undefined && { parent }) },
  });
  const widgets = [
    widget('Total'),
    container('tab', 'costs', 'Costs'),
    container('tab', 'sales', 'Sales'),
    container('section', 'month', 'By month', 'sales'),
    widget('Rent', 'costs'),
    widget('May', 'month'),
    { reportId: 'builtin:text', layout: { ...layout, x: 6 }, config: { text: 'Hello', parent: 'month' } },
  ];
  const body = { name: 'Board', organizationId: room.organizationId, widgets };
  const created = await office.server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  return { office, owner: room.owner, id: created.body.id, path: `/dashboards/${created.body.id}` };
}

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a dashboard is presented one tab and section after the other', async (context) => {
  const { office, owner, path } = await openBoard(context);
  const page = await office.open(`${path}?region=north`, owner);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Present' }).click();
  const dialog = page.getByRole('dialog', { name: 'Present' });
  await dialog.getByRole('textbox', { name: 'Seconds for each tab or section' }).fill('3600');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Present' }).click();
  await expect(page).toHaveURL(new RegExp(`${path}/present\\?region=north&present-every=3600$`));
  await expect(title(page)).toHaveText('Board');
  await expect(page.getByRole('article', { name: 'Total' })).toContainText('7');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
  await assertAccessible(page);

  await page.keyboard.press('ArrowRight');
  await expect(title(page)).toHaveText('Board · Costs');
  await expect(page.getByRole('article', { name: 'Rent' })).toContainText('7');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(title(page)).toHaveText('Board · Sales · By month');
  await expect(page.getByText('Hello')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '3 of 3' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(title(page)).toHaveText('Board');

  await page.getByRole('button', { name: 'End the presentation' }).click();
  await expect(page).toHaveURL(new RegExp(`${path}\\?region=north$`));
});

test('the address of a presentation can be opened, also on a phone, and Escape ends it', async (context) => {
  const { office, owner, path } = await openBoard(context);
  const page = await office.open(`${path}/present?present-every=5`, owner, {
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  });
  await expect(title(page)).toHaveText('Board · Costs');
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`${path}$`));
});

test('a presentation shows the newest version of its dashboard', async (context) => {
  const { office, owner, id, path } = await openBoard(context);
  const page = await office.open('/account', owner);
  await page.clock.install();
  await page.goto(`${office.url}${path}/present?present-every=3600`);
  await expect(page.getByRole('article', { name: 'Total' })).toContainText('7');
  const renamed = await office.server.call(`PATCH /api/dashboards/${id}`, {
    as: owner,
    body: { name: 'Renamed' },
    headers: { 'if-match': '*' },
  });
  assert.equal(renamed.status, 200, renamed.text);
  await page.clock.fastForward(31_000);
  await expect(title(page)).toHaveText('Renamed');
});
