import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Request } from '@playwright/test';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { startDashboardDesk } from './desk.ts';
import { assertAccessible, expect } from '../web-office.ts';
import { reportEditOf } from '../../support/edits.ts';

const widgetOf = (page: Page, name: string | RegExp): Locator => page.getByRole('article', { name });
const placesOf = ({ widgets }: Dashboard): string[] =>
  widgets.map(({ layout: { x, y, w, h } }) => `${x},${y} ${w}×${h}`);

test('a dashboard is edited with the pointer, and edits are undone, redone and saved', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([
    [0, 0, 6, 4],
    [6, 0, 6, 4],
  ]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  await expect(widgetOf(page, 'Flights: column 1, row 1, 6 wide, 4 high')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await assertAccessible(page);

  // The neighbor is pushed down, and moves back once the widget is no longer in its place.
  const head = page.getByText('Flights', { exact: true });
  await head.hover();
  await page.mouse.down();
  await moveBy(page, head, 500, 0);
  await expectTop(widgetOf(page, /^Delays/), 'below the other', (top, first) => top > first);
  await moveBy(page, head, -500, 0);
  await expectTop(widgetOf(page, /^Delays/), 'where it was', (top, first) => top === first);
  await moveBy(page, head, 500, 0);
  await page.mouse.up();
  await expect(widgetOf(page, 'Flights: column 7, row 1, 6 wide, 4 high')).toBeVisible();
  await expect(widgetOf(page, 'Delays: column 7, row 5, 6 wide, 4 high')).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(widgetOf(page, 'Flights: column 1, row 1, 6 wide, 4 high')).toBeVisible();
  await page.keyboard.press('Control+Shift+Z');
  await expect(widgetOf(page, 'Flights: column 7, row 1, 6 wide, 4 high')).toBeVisible();

  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByLabel('Search reports').fill('delay');
  await expect(page.getByRole('list', { name: 'Reports' }).getByRole('button')).toHaveText(['Delays']);
  await assertAccessible(page);
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: 'Delays' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(widgetOf(page, /^Delays/)).toHaveCount(2);

  await page.getByRole('button', { name: 'Actions for Flights' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for Flights' }).last().click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByLabel('Title').fill('<b>Departures</b>');
  // In a dialog, the keys undo and redo typing.
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  await expect(page.getByLabel('Title')).toHaveValue('<b>Departures</b>');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(widgetOf(page, /^<b>Departures<\/b>/)).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Delays' }).first().click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(widgetOf(page, /^Delays/)).toHaveCount(1);

  await page.getByLabel('Name').fill('Traffic of 2026');
  await page.getByLabel('Description').fill('By the hour');
  await page.keyboard.press('Control+S');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await expect(page.getByText('No changes')).toBeVisible();
  const saved = await desk.readDashboard(dashboard.id);
  assert.deepEqual([saved.name, saved.description], ['Traffic of 2026', 'By the hour']);
  assert.deepEqual(
    saved.widgets.map(({ id, config }) => [id === dashboard.widgets[0]?.id, config['title']]),
    [
      [true, undefined],
      [false, undefined],
      [false, '<b>Departures</b>'],
    ],
  );

  // Changes from before the save can be undone after it, and the widgets keep their IDs.
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Undo' }).click();
  await expect(widgetOf(page, /^Delays/)).toHaveCount(2);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
  const undone = await desk.readDashboard(dashboard.id);
  const ids = undone.widgets.map(({ id }) => id);
  assert.equal(ids.length, 4);
  assert.deepEqual(
    saved.widgets.filter(({ id }) => !ids.includes(id)),
    [],
  );
  assert.equal(undone.name, 'Traffic');
});

test('a dashboard is edited with only the keyboard, and each step is announced', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([
    [0, 0, 6, 4],
    [6, 0, 6, 4],
  ]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await widgetOf(page, /^Flights/).focus();
  await press('Enter');
  await expect(page.getByText(/^Moving Flights: column 1, row 1.*Escape cancels\.$/)).toBeAttached();
  await press('ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowLeft');
  await expect(page.getByText('Flights: column 3, row 2, 5 wide, 5 high')).toBeAttached();
  await expect(widgetOf(page, 'Delays: column 7, row 7, 6 wide, 4 high')).toBeVisible();
  await assertAccessible(page);
  await press('Escape');
  await expect(page.getByText('Cancelled moving Flights.')).toBeAttached();
  await expect(widgetOf(page, 'Delays: column 7, row 1, 6 wide, 4 high')).toBeVisible();

  await press('Enter', 'ArrowDown', 'Enter');
  await expect(page.getByText('Moved Flights to column 1, row 2, 6 wide, 4 high.')).toBeAttached();
  await press('Control+z', 'Control+Shift+z', 'Control+s');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  assert.deepEqual(placesOf(await desk.readDashboard(dashboard.id)), ['0,1 6×4', '6,0 6×4']);

  // The menu of a widget starts the same move.
  await page.getByRole('button', { name: 'Actions for Delays' }).focus();
  await press('Enter');
  await page.getByRole('menuitem', { name: 'Move or resize with the keyboard' }).press('Enter');
  await expect(widgetOf(page, /^Delays/)).toBeFocused();
  await press('ArrowDown', 'Enter');
  await expect(page.getByText('Moved Delays to column 7, row 2, 6 wide, 4 high.')).toBeAttached();
});

test('on a phone, widgets are in one column and can be moved up and down', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([
    [0, 0, 6, 4],
    [6, 0, 6, 4],
  ]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner, {
    viewport: { width: 360, height: 740 },
  });
  await page.getByRole('button', { name: 'Move Flights down' }).click();
  await expect(page.getByRole('article')).toHaveText([/^Delays/, /^Flights/]);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
  assert.deepEqual(placesOf(await desk.readDashboard(dashboard.id)), ['6,0 6×4', '0,0 6×4']);
});

test('people who can only view a dashboard see why they cannot edit it, and a link to view it', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const viewer = await desk.server.createMember(desk.organizationId, 'viewer');
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, viewer);
  await expect(page.getByText('You can view this dashboard, but not edit it')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'View dashboard' }).click();
  await page.waitForURL(`${desk.url}/dashboards/${dashboard.id}`);
});

test('a new widget has a size that suits its chart and is in view, and gaps are closed', async (context) => {
  const desk = await startDashboardDesk(context);
  const { organizationId, server, owner } = desk;
  const { body: flights } = await server.call(`GET /api/reports/${desk.reports['Flights']}`, { as: owner });
  const total = await server.call('POST /api/reports', {
    as: owner,
    body: {
      organizationId,
      dataSourceId: flights.dataSourceId,
      name: 'Total',
      query: 'SELECT 42 AS n',
      visualization: { kind: 'number', value: 'n' },
    },
  });
  assert.equal(total.status, 201, total.text);
  const dashboard = await desk.createDashboard([
    [0, 0, 12, 20],
    [4, 24, 6, 4],
  ]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, owner);
  await expect(widgetOf(page, /^Flights/)).toBeVisible();
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: 'Total' }).click();
  const added = widgetOf(page, 'Total: column 1, row 21, 3 wide, 2 high');
  await expect(added).toBeInViewport({ ratio: 1 });
  await expect(added).toBeFocused();
  await expect(added).toContainText('42');

  await page.getByRole('button', { name: 'Tidy up' }).click();
  await expect(widgetOf(page, 'Delays: column 4, row 21, 6 wide, 4 high')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(widgetOf(page, 'Delays: column 5, row 25, 6 wide, 4 high')).toBeVisible();
  await page.getByRole('button', { name: 'Redo' }).click();
  const isOfResults = (request: Request) => request.url().endsWith('/results');
  // The page ends the request itself when it has read the last line, which the browser can take for a failure.
  const results = Promise.race([
    page.waitForEvent('requestfinished', isOfResults),
    page.waitForEvent('requestfailed', isOfResults),
  ]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
  assert.deepEqual(placesOf(await desk.readDashboard(dashboard.id)), ['0,0 12×20', '3,20 6×4', '0,20 3×2']);
  await results;

  // The charts that are there stay.
  let isWaiting = true;
  await page.route('**/results', async (route) => {
    await expect.poll(() => isWaiting).toBe(false);
    await route.continue();
  });
  // The notification has a button of this name, too.
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.waitForURL(`${desk.url}/dashboards/${dashboard.id}`);
  await expect(widgetOf(page, 'Total')).toContainText('42');
  isWaiting = false;
  await expect(page.getByText(/^Updated at/)).toBeVisible();
});

test('the filters are shown as readers will see them, and can be tried out', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner } = desk;
  const { body, headers } = await server.call(`GET /api/reports/${desk.reports['Flights']}`, { as: owner });
  const saved = await server.call(`PUT /api/reports/${body.id}`, {
    as: owner,
    headers: { 'if-match': String(headers.etag) },
    body: {
      ...reportEditOf(body),
      query: 'SELECT {{place}} AS place',
      parameters: [{ name: 'place', label: 'Place', type: 'text', default: 'Berlin' }],
    },
  });
  assert.equal(saved.status, 200, saved.text);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, owner);
  await expect(widgetOf(page, /^Flights/)).toContainText('Berlin');
  await page.getByRole('searchbox', { name: 'Place' }).fill('Oslo');
  await page.keyboard.press('Enter');
  await expect(widgetOf(page, /^Flights/)).toContainText('Oslo');
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
});

test('a widget has the name of its report, even if the report is newer than the page and fails', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  await expect(widgetOf(page, /^Flights/)).toBeVisible();
  const { organizationId, server, owner } = desk;
  const { body: flights } = await server.call(`GET /api/reports/${desk.reports['Flights']}`, { as: owner });
  await server.call('POST /api/reports', {
    as: owner,
    body: {
      organizationId,
      dataSourceId: flights.dataSourceId,
      name: 'Brand new',
      query: 'SELECT * FROM missing',
    },
  });
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: 'Brand new' }).click();
  await expect(widgetOf(page, /^Brand new/)).toContainText('missing');
});

async function moveBy(page: Page, from: Locator, x: number, y: number): Promise<void> {
  const box = await from.boundingBox();
  assert.ok(box);
  const [startX, startY] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(startX + x, startY + y, { steps: 6 });
}

/** Waits until the top of an element is as expected, compared with the first row of the grid. */
async function expectTop(
  element: Locator,
  message: string,
  isExpected: (top: number, first: number) => boolean,
): Promise<void> {
  const first = await element.page().locator('.react-grid-layout').boundingBox();
  await expect
    .poll(async () => isExpected((await element.boundingBox())?.y ?? Number.NaN, first?.y ?? Number.NaN), {
      message,
    })
    .toBe(true);
}
