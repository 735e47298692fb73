import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDashboardDesk } from './dashboards/desk.ts';
import { assertAccessible, expect } from './web-office.ts';

test('deleted dashboards and reports are restored from the trash or deleted permanently', async (context) => {
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

  const page = await desk.open(`/organizations/${organizationId}/trash`, owner);
  await expect(page.getByRole('listitem')).toHaveText([
    /^<i>Old<\/i>Deleted by Ada/,
    /^TrafficDeleted by Ada/,
  ]);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Restore Traffic' }).click();
  await expect(page.getByText('Restored “Traffic”.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete permanently: <i>Old</i>' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Delete permanently', exact: true }).click();
  await expect(page.getByText('No dashboards in the trash')).toBeVisible();
  await assertAccessible(page);
  assert.equal((await desk.readDashboard(kept.id)).name, 'Traffic');
  const gone = await server.call(`POST /api/trash/dashboards/${purged.id}/restore`, { as: owner });
  assert.equal(gone.status, 404);

  await page.getByRole('tab', { name: 'Reports' }).click();
  await page.getByRole('button', { name: 'Restore Delays' }).click();
  await expect(page.getByText('No reports in the trash')).toBeVisible();
  await page.getByRole('tab', { name: 'Private dashboards' }).click();
  await page.getByRole('button', { name: 'Restore My notes' }).click();
  await expect(page.getByText('No private dashboards in the trash')).toBeVisible();

  // Editors can restore what others own, but can't delete it permanently.
  await server.call(`DELETE /api/dashboards/${kept.id}`, { as: owner });
  const bobs = await desk.open(`/organizations/${organizationId}/trash`, await desk.createEditor('Bob'));
  const purge = bobs.getByRole('button', { name: 'Delete permanently: Traffic' });
  await expect(purge).toHaveAttribute('aria-disabled', 'true');
  await purge.focus();
  await expect(bobs.getByRole('tooltip')).toContainText('Only its owner and admins');
  await bobs.getByRole('button', { name: 'Restore Traffic' }).click();
  await expect(bobs.getByText('No dashboards in the trash')).toBeVisible();

  // Viewers see only what they may restore.
  await server.call(`DELETE /api/reports/${desk.reports['Delays']}?force=true`, { as: owner });
  const vera = await server.createMember(organizationId, 'viewer');
  const veras = await desk.open(`/organizations/${organizationId}/trash?show=reports`, vera);
  await expect(veras.getByText('No reports in the trash')).toBeVisible();
  await veras.getByRole('tab', { name: 'Data sources' }).click();
  await expect(veras.getByText("You can't see deleted data sources")).toBeVisible();
});
