import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an owner reads and filters the data-access log, and sets how long it is kept', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const name = '<img src=x onerror=alert(1)>';
  const bob = await server.createMember(organizationId, 'viewer');
  const { body: dashboard } = await server.call('POST /api/dashboards', {
    as: owner,
    body: { name, organizationId },
  });
  await server.call(`GET /api/dashboards/${dashboard.id}`, { as: bob });
  await server.call(`GET /api/dashboards/${dashboard.id}`, { as: bob });
  await server.call(`GET /api/organizations/${organizationId}/audit/export`, { as: owner });

  const page = await office.open(`/organizations/${organizationId}/access-log`, owner);
  await expect(page.getByText(`viewed the dashboard “${name}”`)).toBeVisible();
  await expect(page.getByText('2 requests, the last at')).toBeVisible();
  await expect(page.getByText('exported the audit log')).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('What').selectOption('audit_log.exported');
  await expect(page.getByRole('row')).toHaveCount(2);

  await page.getByLabel('Delete entries after this many days').fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved how long the data-access log is kept.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Delete entries after this many days')).toHaveValue('30');
});

test('an admin can’t change the retention, and an editor can’t view the log', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId } = office;
  const admin = await server.createMember(organizationId, 'admin');
  const page = await office.open(`/organizations/${organizationId}/access-log`, admin);
  await expect(page.getByLabel('Delete entries after this many days')).toHaveValue('90');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  const editor = await server.createMember(organizationId, 'editor');
  const other = await office.open(`/organizations/${organizationId}/access-log`, editor);
  await expect(other.getByRole('heading', { name: 'You can’t view the data-access log' })).toBeVisible();
  await assertAccessible(other);
});
