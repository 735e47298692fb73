import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startReportOffice } from '../reports/office.ts';
import { assertAccessible, expect } from '../web-office.ts';

const query = `SELECT DATE '2026-01-01' + CAST(n AS INTEGER) AS day, n % 7 AS amount FROM range(90) AS r(n)`;

/** Starts an office with a dashboard of two charts over time, and one without. */
async function startTimeDesk(context: TestContext) {
  const office = await startReportOffice(context);
  const reports = await Promise.all([
    office.createReport({
      name: 'Daily',
      query,
      visualization: { kind: 'line', x: 'day', series: [{ field: 'amount' }] },
    }),
    office.createReport({
      name: 'Bars',
      query,
      visualization: { kind: 'bar', x: 'day', series: [{ field: 'amount' }] },
    }),
    office.createReport({ name: 'Regions' }),
  ]);
  const { body: dashboard } = await office.server.call('POST /api/dashboards', {
    as: office.owner,
    body: {
      organizationId: office.organizationId,
      name: 'Operations',
      widgets: reports.map((reportId, index) => ({
        reportId,
        layout: { x: (index % 2) * 6, y: Math.floor(index / 2) * 5, w: 6, h: 5 },
      })),
    },
  });
  return { ...office, dashboardId: String(dashboard.id) };
}

test('annotations are added, changed and removed by keyboard, and shown in all charts over time', async (context) => {
  const desk = await startTimeDesk(context);
  const page = await desk.open(`/dashboards/${desk.dashboardId}/edit`, desk.owner);
  await expect(page.getByRole('img', { name: /^Line chart/ })).toBeVisible();
  await page.getByRole('button', { name: 'Edit annotations' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Annotations' });
  await drawer.getByRole('button', { name: 'Add annotation' }).press('Enter');
  await expect(drawer.getByLabel('Text')).toBeFocused();
  await drawer.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expect(drawer.getByText('Enter a text.')).toBeVisible();
  await assertAccessible(page);
  await drawer.getByLabel('Text').fill('Release <b>2.0</b>');
  await drawer.getByLabel('Date', { exact: true }).fill('2026-02-03');
  await drawer.getByRole('radio', { name: 'Color 4' }).press('Space');
  await drawer.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expect(drawer.getByRole('listitem')).toContainText('Release <b>2.0</b>');
  await expect(drawer.getByRole('listitem')).toContainText('Feb 3, 2026');
  await assertAccessible(page);
  await drawer.getByRole('button', { name: 'Edit Release' }).press('Enter');
  await drawer.getByLabel('Until (optional)').fill('2026-02-08');
  await drawer.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect(drawer.getByRole('listitem')).toContainText(/Feb 3\s–\s8, 2026/);
  await drawer.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('img', { name: /Annotations: Feb 3.*Release <b>2\.0<\/b>\.$/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();

  const { body: saved } = await desk.server.call(`GET /api/dashboards/${desk.dashboardId}`, {
    as: desk.owner,
  });
  const configs = saved.widgets
    .filter(({ reportId }: { reportId: string }) => reportId === 'builtin:annotations')
    .map(({ config }: { config: object }) => Object.values(config));
  assert.deepEqual(configs, [
    [{ from: '2026-02-03', to: '2026-02-08', text: 'Release <b>2.0</b>', color: '4' }],
  ]);

  await page.locator('#main').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('img', { name: /Annotations: Feb 3/ })).toHaveCount(2);
  await page.getByRole('button', { name: '1 annotation' }).press('Enter');
  const list = page.getByRole('dialog', { name: 'Annotations' });
  await expect(list.getByRole('listitem')).toContainText('Release <b>2.0</b>');
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: '1 annotation' }).click();
  await expect(list.getByRole('listitem')).toBeVisible();
  await assertAccessible(page);
});

test('dragging over a chart zooms all charts over time, and so does the menu of its values', async (context) => {
  const desk = await startTimeDesk(context);
  const page = await desk.open(`/dashboards/${desk.dashboardId}`, desk.owner);
  const line = page.getByRole('img', { name: /^Line chart/ });
  const bars = page.getByRole('img', { name: /^Bar chart “Bars”/ });
  await expect(line.locator('canvas')).toBeVisible();
  await expect(bars.locator('canvas')).toBeVisible();
  const box = await line.boundingBox();
  assert.ok(box);
  const middle = box.y + box.height / 2;

  // The others show where the pointer is.
  const pointer = bars.locator('> div[class*=pointer]');
  await page.mouse.move(box.x + box.width / 2, middle);
  await expect(pointer).toBeVisible();
  await page.mouse.move(box.x + box.width / 2, box.y - 200);
  await expect(pointer).toBeHidden();

  // Escape cancels, and the end of a drag is no click.
  const drag = async () => {
    await page.mouse.move(box.x + box.width * 0.4, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, middle, { steps: 4 });
    await expect(line.locator('> div[class*=selection]')).toBeVisible();
  };
  await drag();
  await page.keyboard.press('Escape');
  await expect(line.locator('> div[class*=selection]')).toHaveCount(0);
  await page.mouse.up();
  await expect(page).not.toHaveURL(/time-zoom/);
  await drag();
  await page.mouse.up();
  await expect(page).toHaveURL(/time-zoom=2026-0\d-\d\d[^&]*\.\.2026-0\d-\d\d/);
  await expect(page.getByText(/^Charts over time show (Jan|Feb) /)).toBeVisible();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await assertAccessible(page);

  // A link shows the same.
  await page.reload();
  await page.getByRole('button', { name: 'Show all times' }).press('Enter');
  await expect(page).not.toHaveURL(/time-zoom/);
  await expect(page.getByRole('button', { name: 'Show all times' })).toHaveCount(0);

  const values = page.getByRole('listbox', { name: 'Values of Daily' });
  await values.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Zoom in to Jan 2/ }).press('Enter');
  await expect(page).toHaveURL(/time-zoom=2026-01-02\.\.2026-01-03/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText(/^Charts over time show Jan 2/)).toBeVisible();
  await assertAccessible(page);
});
