import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { reportEditOf } from '../../support/edits.ts';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../web-office.ts';

const at = (x: number, y: number, w = 6, h = 5) => ({ x, y, w, h });
const filtered = 'FROM sales WHERE {{region}} IS NULL OR region = {{region}}';
const region = { name: 'region', label: 'Region', type: 'text', default: null } as const;

/** Creates a dashboard, and returns its ID. */
async function createDashboard(
  { server }: WebOffice,
  room: Awaited<ReturnType<typeof openNewsroom>>,
  widgets: object[],
  name = 'Board',
): Promise<string> {
  const body = { name, organizationId: room.organizationId, widgets };
  const created = await server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

const widget = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
/** Waits until all results are shown. */
const settle = (page: Page) => expect(page.getByText(/^Updated at/)).toBeVisible();

test('the sample is shown completely, and each chart can be shown as a table', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  await server.call(`POST /api/organizations/${organizationId}/sample`, { as: owner, body: {} });
  const listed = await server.call(`GET /api/dashboards?organizationId=${organizationId}`, { as: owner });
  const page = await office.open(`/dashboards/${listed.body.items[0].id}`, owner);
  await settle(page);

  await expect(page.getByRole('heading', { level: 1, name: 'A first look' })).toBeVisible();
  await expect(widget(page, 'Flights')).toContainText('2,999,994');
  const charts = page.getByRole('img', { name: /chart “|Heat map “/ });
  await expect(charts).toHaveCount(7);
  for (const chart of await charts.all()) await expect(chart.locator('canvas').first()).toBeVisible();
  const prices =
    'Line chart “Five stock prices”: Price by month and symbol. Price from $5.97 to $707.00. 560 rows.';
  await expect(page.getByRole('img', { name: prices, exact: true })).toBeVisible();
  await assertAccessible(page);

  await page.getByRole('button', { name: 'Actions for Five stock prices' }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  const table = page.getByRole('group', { name: 'Table of Five stock prices' }).getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', '561');
  await table.getByRole('button', { name: 'price' }).click();
  await table.getByRole('button', { name: 'price' }).click();
  await expect(table.getByRole('columnheader', { name: 'price' })).toHaveAttribute('aria-sort', 'descending');
  await expect(table.getByRole('cell').nth(2)).toHaveText('707.00');
  await assertAccessible(page);

  const year = page.getByRole('combobox', { name: 'Year' });
  await year.click();
  await page.getByRole('option', { name: '1955', exact: true }).click();
  await expect(page).toHaveURL(/\?year=1955$/);
  await settle(page);
  await expect(year).toHaveValue('1955');
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(page).not.toHaveURL(/year/);
});

test('a click on a chart offers to filter the other widgets, and then to remove the filter', async (context) => {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const bars = await room.save({
    name: 'By region',
    query: 'SELECT region, sum(amount) AS amount FROM sales GROUP BY 1 ORDER BY 1',
    visualization: { kind: 'bar', x: 'region', series: [{ field: 'amount' }] },
  });
  const total = await room.save({
    name: 'Total',
    query: `SELECT sum(amount) AS total ${filtered}`,
    parameters: [region],
    visualization: { kind: 'number', value: 'total' },
  });
  const id = await createDashboard(office, room, [
    { reportId: bars.id, layout: at(0, 0) },
    { reportId: total.id, layout: at(6, 0) },
  ]);
  const page = await office.open(`/dashboards/${id}?region=south`, room.owner);
  await settle(page);
  await expect(widget(page, 'Total')).toContainText('70');
  await expect(page.getByRole('searchbox', { name: 'Region' })).toHaveValue('south');
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(widget(page, 'Total')).toContainText('100.5');

  const canvas = page.locator('canvas');
  const box = await canvas.boundingBox();
  assert.ok(box !== null);
  const north = { position: { x: box.width * 0.3, y: box.height * 0.8 } };
  const chooseOfNorth = async (name: string) => {
    await settle(page);
    await canvas.click(north);
    // The menu grows, and may move, once its last items are loaded.
    await expect(page.getByRole('menu')).not.toContainText('Loading');
    await page.getByRole('menuitem', { name }).click();
  };
  await chooseOfNorth('Filter this dashboard by Region');
  await expect(page).toHaveURL(/\?region=north$/);
  await expect(widget(page, 'Total')).toContainText('30.5');
  await chooseOfNorth('Remove the filter by Region');
  await expect(page).not.toHaveURL(/region/);
  await expect(widget(page, 'Total')).toContainText('100.5');

  await page.getByRole('button', { name: 'Actions for By region' }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  const south = widget(page, 'By region').getByRole('button', { name: 'south' });
  await south.click();
  await page.getByRole('menuitem', { name: 'Filter this dashboard by Region' }).click();
  await expect(widget(page, 'Total')).toContainText('70');
  await expect(south).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('searchbox', { name: 'Region' }).fill('nowhere');
  await page.keyboard.press('Enter');
  await expect(widget(page, 'Total')).toContainText('–');
  await page.goBack();
  await expect(widget(page, 'Total')).toContainText('70');
});

test('a date filter shows its default, and applies when a date is picked or its typing is finished', async (context) => {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const total = await room.save({
    name: 'Total',
    query: 'SELECT sum(amount) AS total FROM sales WHERE day >= {{since}}',
    parameters: [{ name: 'since', label: 'Since', type: 'date', default: '2025-06-01' }],
    visualization: { kind: 'number', value: 'total' },
  });
  const id = await createDashboard(office, room, [{ reportId: total.id, layout: at(0, 0) }]);
  const page = await office.open(`/dashboards/${id}`, room.owner);
  const since = page.getByLabel('Since');
  await expect(since).toHaveValue('2025-06-01');
  await expect(widget(page, 'Total')).toContainText('90');

  // A calendar changes the value without a key press, and leaves the focus in the field.
  await since.fill('2026-04-01');
  await expect(page).toHaveURL(/\?since=2026-04-01$/);
  await expect(widget(page, 'Total')).toContainText('40');
  await expect(since).toBeFocused();
  await since.press('ArrowUp');
  await expect(since).toHaveValue('2026-05-01');
  await expect(page).toHaveURL(/\?since=2026-04-01$/);
  await since.press('Enter');
  await expect(page).toHaveURL(/\?since=2026-05-01$/);
  await page.goBack();
  await expect(since).toHaveValue('2026-04-01');
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(since).toHaveValue('2025-06-01');
  await expect(widget(page, 'Total')).toContainText('90');
});

test('each widget reports its own problem', async (context) => {
  const office = await startWebOffice(context);
  const { server } = office;
  const room = await openNewsroom(server);
  const script = '<img src=x onerror=document.title=1> {a|b}';
  const visualization = { kind: 'number', value: 'n' } as const;
  const failing = await room.save({ name: 'Failing', query: 'SELECT nothing AS n', visualization });
  const deleted = await room.save({ name: 'Old sales' });
  const hostile = await room.save({
    name: script,
    query: `SELECT '${script}' AS "${script}", 1 AS n`,
    visualization: { kind: 'pie', category: script, value: 'n' },
  });
  const unfit = await room.save({
    name: 'Unfit',
    query: 'SELECT 1 AS n',
    visualization: { kind: 'number', value: 'm' },
  });
  const empty = await room.save({ name: 'Empty', query: 'SELECT 1 AS n WHERE false', visualization });
  const words = await room.save({
    name: 'Words',
    query: "SELECT 5 AS n, '<b>bold</b>' AS t",
    visualization: { kind: 'text', text: '{{n}} of {{ t }} <i>x</i> {{unknown}}' },
  });
  const reports = [failing.id, deleted.id, hostile.id, unfit.id, empty.id, words.id, 'none'];
  const id = await createDashboard(
    office,
    room,
    reports.map((reportId, index) => ({
      reportId,
      layout: at((index % 3) * 4, Math.floor(index / 3) * 5, 4),
    })),
    script,
  );
  const gone = await server.call(`DELETE /api/reports/${deleted.id}?force=true`, { as: room.owner });
  assert.equal(gone.status, 204, gone.text);

  const page = await office.open(`/dashboards/${id}`, room.owner);
  await settle(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(script);
  await expect(widget(page, script)).toBeVisible();
  await expect(widget(page, 'Old sales')).toContainText('The report “Old sales” was deleted');
  await expect(widget(page, 'Unknown report')).toContainText('You don’t have access to this report');
  await expect(widget(page, 'Unfit')).toContainText('“m” is not one of the columns: “n”');
  await expect(widget(page, 'Unfit').getByRole('cell')).toHaveText('1');
  await expect(widget(page, 'Empty')).toContainText('No rows');
  await expect(widget(page, 'Words')).toContainText('5 of <b>bold</b> <i>x</i> {{unknown}}');
  await page.locator('canvas').hover({ position: { x: 40, y: 80 } });
  await assertAccessible(page);
  await expect(page).toHaveTitle(`${script} · Atrium`);

  await expect(widget(page, 'Failing')).toContainText('The query failed');
  const { body, headers } = await server.call(`GET /api/reports/${failing.id}`, { as: room.owner });
  const saved = await server.call(`PUT /api/reports/${failing.id}`, {
    as: room.owner,
    body: { ...reportEditOf(body), query: 'SELECT 42 AS n' },
    headers: { 'if-match': String(headers.etag) },
  });
  assert.equal(saved.status, 200, saved.text);
  await widget(page, 'Failing').getByRole('button', { name: 'Try again' }).click();
  await expect(widget(page, 'Failing')).toContainText('42');
});

test('viewers see what others do, and why they cannot edit the dashboard', async (context) => {
  const office = await startWebOffice(context);
  const { server } = office;
  const room = await openNewsroom(server);
  const id = await createDashboard(office, room, []);
  const viewer = await server.createMember(room.organizationId, 'viewer');
  const page = await office.open(`/dashboards/${id}`, viewer);
  await expect(page.getByText('This dashboard is empty')).toBeVisible();
  const edit = page.getByRole('button', { name: 'Edit' });
  await expect(edit).toHaveAttribute('aria-disabled', 'true');
  await edit.focus();
  await expect(page.getByRole('tooltip')).toHaveText('You can view this dashboard, but not edit it.');
  const star = page.getByRole('button', { name: 'Star' });
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true');
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Auto refresh: off' }).click();
  await page.getByRole('menuitemradio', { name: 'Every 5 minutes' }).click();
  await expect(page).toHaveURL(/\?refresh-every=5m$/);

  await server.call(`PUT /api/dashboards/${id}/editing`, { as: room.owner });
  await expect(page.getByRole('img', { name: /is editing$/ })).toBeVisible();
  const renamed = await server.call(`PATCH /api/dashboards/${id}`, {
    as: room.owner,
    body: { name: 'Renamed' },
    headers: { 'if-match': '"1"' },
  });
  assert.equal(renamed.status, 200, renamed.text);
  await expect(page.getByText(/has changed this dashboard/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Board', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Load new version' }).click();
  await expect(page.getByRole('heading', { name: 'Renamed' })).toBeVisible();
  await expect(page.getByText(/has changed this dashboard/)).toHaveCount(0);
  await server.call(`DELETE /api/dashboards/${id}`, { as: room.owner });
  await expect(page.getByText('This dashboard was deleted')).toBeVisible();

  const own = await createDashboard(office, room, []);
  const stranger = await office.open(`/dashboards/${own}`, office.owner);
  await expect(stranger.getByRole('heading', { name: 'Page not found' })).toBeVisible();

  const hers = await office.open(`/dashboards/${own}`, room.owner);
  await hers.getByRole('button', { name: 'More actions' }).click();
  await hers.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(hers).toHaveURL(new RegExp(`/organizations/${room.organizationId}/dashboards`));
  await hers.getByRole('button', { name: 'Undo' }).click();
  await expect(hers.getByRole('link', { name: 'Board', exact: true })).toBeVisible();
});
