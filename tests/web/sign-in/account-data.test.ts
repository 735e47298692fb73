import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { readArchive } from '../../support/archives.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('the account page downloads your data, and deletes your account', async (context) => {
  const { server, open, owner, organizationId } = await startWebOffice(context);
  const eve = await server.createPerson('Eve');
  await server.addMember(organizationId, eve, 'editor');
  const body = { organizationId, name: 'Week' };
  const dashboard = await server.call('POST /api/dashboards', { as: eve, body });
  await server.call('POST /api/dashboards', { as: eve, body: { name: 'Diary' } });
  const page = await open('/account', eve);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const files = await readArchive(await buffer(await (await downloading).createReadStream()));
  assert.match(files.get('dashboards.ndjson')?.toString() ?? '', /"name":"Week"/);

  // Otherwise, it could cover the next button, and it stays while the pointer is over it.
  const notification = page.getByRole('alert').filter({ hasText: 'Your data was downloaded.' });
  await notification.getByRole('button').click();
  await expect(notification).toHaveCount(0);

  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account' });
  await expect(dialog.getByText(/^You own 1 dashboard, 0 reports/)).toBeVisible();
  await expect(
    dialog.getByText('1 dashboard outside of organizations is permanently deleted.'),
  ).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('combobox', { name: 'What becomes of it' }).click();
  await page.getByRole('option', { name: `Hand over to Ada (${owner.email})` }).click();
  await dialog.getByRole('textbox', { name: /^Type your email address/ }).fill(eve.email);
  await dialog.getByRole('button', { name: 'Delete account permanently' }).click();
  await page.waitForURL('**/sign-in**');
  const permissions = await server.call(`GET /api/dashboards/${dashboard.body.id}/permissions`, {
    as: owner,
  });
  assert.equal(permissions.body.isOwner, true);
});
