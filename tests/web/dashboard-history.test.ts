import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDashboardDesk } from './dashboard-desk.ts';
import { assertAccessible, expect } from './web-office.ts';

test('the versions of a dashboard are read, compared in words, and restored', async (context) => {
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
    /^Version 3 \(the one there is\)Bob <b> saved/,
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
  await expect(versions.first()).toHaveText(/^Version 4 \(the one there is\)Ada restored version 1/);
  assert.deepEqual((await desk.readDashboard(dashboard.id)).widgets, dashboard.widgets);

  const viewer = await server.createMember(desk.organizationId, 'viewer');
  const other = await desk.open(`/dashboards/${dashboard.id}/history`, viewer);
  await expect(other.getByText('Whoever may edit a dashboard may read its history')).toBeVisible();
  await assertAccessible(other);
});

test('what was deleted is restored from the bin, or goes for good', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId } = desk;
  const [kept, purged] = await Promise.all([desk.createDashboard([]), desk.createDashboard([])]);
  await server.call(`PATCH /api/dashboards/${purged.id}`, {
    as: owner,
    headers: { 'if-match': '*' },
    body: { name: '<i>Old</i>' },
  });
  const own = await server.call('POST /api/dashboards', { as: owner, body: { name: 'My notes' } });
  for (const { id } of [kept, purged, own.body]) {
    assert.equal((await server.call(`DELETE /api/dashboards/${id}`, { as: owner })).status, 204);
  }
  await server.call(`DELETE /api/reports/${desk.reports['Delays']}?force=true`, { as: owner });

  const page = await desk.open(`/organizations/${organizationId}/bin`, owner);
  await expect(page.getByRole('listitem')).toHaveText([
    /^<i>Old<\/i>Deleted by Ada/,
    /^TrafficDeleted by Ada/,
  ]);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Restore Traffic' }).click();
  await expect(page.getByText('“Traffic” is back.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete for good: <i>Old</i>' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Delete for good', exact: true }).click();
  await expect(page.getByText('No dashboard is in the bin')).toBeVisible();
  await assertAccessible(page);
  assert.equal((await desk.readDashboard(kept.id)).name, 'Traffic');
  const gone = await server.call(`POST /api/bin/dashboards/${purged.id}/restore`, { as: owner });
  assert.equal(gone.status, 404);

  await page.getByRole('tab', { name: 'Reports' }).click();
  await page.getByRole('button', { name: 'Restore Delays' }).click();
  await expect(page.getByText('No report is in the bin')).toBeVisible();
  await page.getByRole('tab', { name: 'My own dashboards' }).click();
  await page.getByRole('button', { name: 'Restore My notes' }).click();
  await expect(page.getByText('None of your own dashboards is in the bin')).toBeVisible();

  // An editor restores what is not theirs, and cannot make it go.
  await server.call(`DELETE /api/dashboards/${kept.id}`, { as: owner });
  const bobs = await desk.open(`/organizations/${organizationId}/bin`, await desk.createEditor('Bob'));
  const purge = bobs.getByRole('button', { name: 'Delete for good: Traffic' });
  await expect(purge).toHaveAttribute('aria-disabled', 'true');
  await purge.focus();
  await expect(bobs.getByRole('tooltip')).toContainText('Only its owner and the admins');
  await bobs.getByRole('button', { name: 'Restore Traffic' }).click();
  await expect(bobs.getByText('No dashboard is in the bin')).toBeVisible();

  const viewers = await desk.open(
    `/organizations/${organizationId}/bin?show=reports`,
    await server.createMember(organizationId, 'viewer'),
  );
  await expect(viewers.getByText('Deleted reports are for editors')).toBeVisible();
});
