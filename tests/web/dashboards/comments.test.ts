import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from '@playwright/test';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { dashboardEditOf } from '../../support/edits.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

/** Opens a dashboard with a bar chart, which a viewer may view, too. */
async function openBoard(context: TestContext) {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const { id: reportId } = await room.save({
    name: 'By region',
    query: 'SELECT region, sum(amount) AS amount FROM sales GROUP BY 1 ORDER BY 1',
    visualization: { kind: 'bar', x: 'region', series: [{ field: 'amount' }] },
  });
  const widgets = [{ reportId, layout: { x: 0, y: 0, w: 12, h: 5 } }];
  const body = { name: 'Board', organizationId: room.organizationId, widgets };
  const created = await office.server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  const viewer = await office.server.createPerson('Bea');
  await office.server.addMember(room.organizationId, viewer, 'viewer');
  return { office, owner: room.owner, viewer, id: created.body.id, path: `/dashboards/${created.body.id}` };
}

const settle = (page: Page) => expect(page.getByText(/^Updated at/)).toBeVisible();
const panel = (page: Page) => page.getByRole('dialog', { name: 'Comments' });
const field = (page: Page) => panel(page).getByRole('textbox', { name: 'Write a comment' });
const send = (page: Page) => panel(page).getByRole('button', { name: 'Comment', exact: true });

test('comments are written, mention people by keyboard, and appear for others immediately', async (context) => {
  const { office, owner, viewer, path } = await openBoard(context);
  const [page, other] = [await office.open(path, owner), await office.open(path, viewer)];
  await Promise.all([settle(page), settle(other)]);
  await page.getByRole('button', { name: 'Comments', exact: true }).click();
  await expect(panel(page)).toContainText('No open comments.');
  await assertAccessible(page);

  await field(page).focus();
  await page.keyboard.type('Look, @');
  await expect(page.getByRole('option', { name: 'Ada' })).toBeVisible();
  // The people who no longer match can't be chosen while the response is late.
  const late = Promise.withResolvers<void>();
  await page.route('**/mentionable?q=b', async (route) => {
    await late.promise;
    await route.continue();
  });
  await page.keyboard.type('b');
  await expect(page.getByRole('option', { name: 'Ada' })).toHaveCount(0);
  await expect(page.getByRole('option', { name: 'Bea' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('Look, @Bea ');
  late.resolve();
  await expect(panel(page)).toContainText('Will be notified: Bea');
  await page.keyboard.type('<img src=x onerror=alert(1)> https://example.org/a javascript:alert(1)');
  await page.keyboard.press('Control+Enter');
  const comment = panel(page).getByRole('article', { name: /^Comment by/ });
  await expect(comment).toContainText('@Bea <img src=x onerror=alert(1)> https://example.org/a');
  await expect(comment.getByRole('link')).toHaveCount(1);
  await expect(comment.getByRole('link')).toHaveAttribute('rel', /noopener/);
  await expect(field(page)).toHaveValue('');

  await other.getByRole('button', { name: 'Comments, 1 open' }).click();
  const seen = panel(other).getByRole('listitem');
  await expect(seen).toHaveCount(1);
  await assertAccessible(other);
  // A viewer can't delete what others wrote.
  await expect(seen.getByRole('button', { name: /^Actions for the comment/ })).toHaveCount(0);
  await seen.getByRole('button', { name: 'Reply' }).click();
  await panel(other).getByRole('textbox', { name: 'Write a reply' }).fill('Fixed');
  await seen.getByRole('button', { name: 'Reply' }).click();
  await expect(panel(page).getByRole('article', { name: 'Comment by Bea' })).toContainText('Fixed');

  await seen.getByRole('button', { name: 'Resolve' }).click();
  await expect(panel(other)).toContainText('No open comments.');
  await expect(panel(page)).toContainText('No open comments.');
  await panel(page).getByText('Resolved', { exact: true }).click();
  await expect(panel(page)).toContainText('Resolved by Bea');

  // The owner may delete all, and edits the own ones.
  await panel(page).getByRole('button', { name: 'Actions for the comment by Bea' }).click();
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete this comment?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(panel(page).getByRole('article', { name: 'Comment by Bea' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
});

test('comments are about widgets and values, also on a phone, and linked', async (context) => {
  const { office, owner, viewer, id, path } = await openBoard(context);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await office.open(path, viewer, phone);
  await settle(page);
  await page.getByRole('button', { name: 'Actions for By region' }).click();
  await page.getByRole('menuitem', { name: 'Comment' }).press('Enter');
  await expect(panel(page)).toContainText('About By region');
  await field(page).fill('About the chart');
  await send(page).click();
  await expect(panel(page).getByRole('listitem')).toContainText('By region');
  await assertAccessible(page);
  await panel(page).getByRole('button', { name: 'By region' }).click();
  await expect(panel(page)).toHaveCount(0);

  const list = page.getByRole('listbox', { name: 'Values of By region' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Comment' }).press('Enter');
  await expect(panel(page)).toContainText('About By region: north · 30.5');
  await field(page).fill('About the value');
  await send(page).click();
  await expect(panel(page).getByRole('listitem').first()).toContainText('By region · north · 30.5');

  const { body } = await office.server.call(`GET /api/dashboards/${id}/comments`, { as: owner });
  const [value, chart] = body.items;
  assert.deepEqual(value.mark, { values: { region: 'north', amount: 30.5 }, text: 'north · 30.5' });
  const dashboard = await office.server.call(`GET /api/dashboards/${id}`, { as: owner });
  const removed = await office.server.call(`PUT ${path.replace('/', '/api/')}`, {
    as: owner,
    body: { ...dashboardEditOf(dashboard.body), widgets: [] },
    headers: { 'if-match': '*' },
  });
  assert.equal(removed.status, 200, removed.text);
  const linked = await office.open(`${path}?comment-id=${chart.id}`, owner);
  await expect(panel(linked).getByRole('listitem')).toHaveCount(1);
  await expect(panel(linked)).toContainText('On a widget that was removed');
  await expect(panel(linked)).toContainText('Written about version 1');
  await assertAccessible(linked);
  await panel(linked).getByRole('button', { name: 'Show all comments' }).click();
  await expect(panel(linked).getByRole('listitem')).toHaveCount(2);
  await expect(linked).toHaveURL(new RegExp(`${path}$`));
});

test('emails about comments are turned off in the account', async (context) => {
  const { office, viewer } = await openBoard(context);
  const page = await office.open('/account', viewer);
  const box = page.getByRole('checkbox', { name: 'Email me about comments' });
  await expect(box).toBeChecked();
  const saved = page.waitForResponse((response) => response.request().method() !== 'GET');
  await box.click();
  await expect(box).not.toBeChecked();
  await saved;
  await page.reload();
  await expect(box).not.toBeChecked();
  await assertAccessible(page);
});
