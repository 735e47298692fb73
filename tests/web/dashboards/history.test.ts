import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDashboardDesk } from './desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

test('versions of a dashboard are viewed, compared and restored', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner } = desk;
  const bob = await desk.createEditor('Bob <b>');
  const dashboard = await desk.createDashboard([
    [0, 0, 6, 4],
    [6, 0, 6, 4],
  ]);
  const [flights, delays] = dashboard.widgets;
  const put = (etag: string, body: object) =>
    server.call(`PUT /api/dashboards/${dashboard.id}`, { as: bob, headers: { 'if-match': etag }, body });
  const moved = { ...flights, layout: { x: 0, y: 9, w: 12, h: 4 } };
  assert.equal((await put('"1"', { name: 'Traffic', widgets: [moved, delays] })).status, 200);
  assert.equal((await put('"2"', { name: 'Renamed', widgets: [moved] })).status, 200);

  const page = await desk.open(`/dashboards/${dashboard.id}/history`, owner);
  const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('link');
  await expect(versions).toHaveText([
    /^Version 3 \(current\)Bob <b> saved/,
    /^Version 2Bob <b> saved/,
    /^Version 1Ada created it/,
  ]);
  await expect(page.getByText('Renamed from “Traffic” to “Renamed”.')).toBeVisible();
  await expect(page.getByText('Widget of report “Delays” removed from column 7, row 1.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore version 3' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await assertAccessible(page);

  await versions.nth(1).click();
  await page.getByLabel('Compare with version').fill('3');
  await expect(page.getByText('Renamed from “Renamed” to “Traffic”.')).toBeVisible();
  await expect(page).toHaveURL(/version=2&with=3$/);
  await versions.nth(2).click();
  await expect(page.getByRole('list', { name: 'Widgets' }).getByRole('listitem')).toHaveText([
    'Flights',
    'Delays',
  ]);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(versions.first()).toHaveText(/^Version 4 \(current\)Ada restored version 1/);
  assert.deepEqual((await desk.readDashboard(dashboard.id)).widgets, dashboard.widgets);

  const viewer = await server.createMember(desk.organizationId, 'viewer');
  const other = await desk.open(`/dashboards/${dashboard.id}/history`, viewer);
  await expect(other.getByText("You can't see the history of this dashboard")).toBeVisible();
  await assertAccessible(other);
});
