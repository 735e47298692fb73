import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { readArchive } from '../../support/archives.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an owner downloads all data of an organization in its settings, after confirming their identity', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  await setPassword(server, owner, 'correct horse battery');
  await server.call('POST /api/dashboards', { as: owner, body: { organizationId, name: 'Week' } });
  server.advance(minutesMs(11));
  const page = await office.open(`/organizations/${organizationId}/settings`, owner);
  const section = page.getByRole('region', { name: 'Export' });
  await expect(section).toContainText('1 dashboard, 0 reports, 0 uploaded tables (0 B) and');
  await page.getByRole('link', { name: 'Download all data first' }).click();
  await expect(section).toBeInViewport();
  await assertAccessible(page);

  await section.getByRole('button', { name: 'Download all data' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(section.getByRole('alert')).toBeVisible();
  await section.getByRole('button', { name: 'Download all data' }).click();
  await confirmation.getByLabel(/^Password/).fill('correct horse battery');
  const downloading = page.waitForEvent('download');
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  const download = await downloading;
  await expect(page.getByText('The download has started.')).toBeVisible();
  const files = await readArchive(await buffer(await download.createReadStream()));
  assert.match(String(files.get('tables/dashboards.ndjson')), /"name":"Week"/);
  await expect(section.getByRole('alert')).toHaveCount(0);
});

test('an admin sees which role an export requires', async (context) => {
  const office = await startWebOffice(context);
  const admin = await office.server.createMember(office.organizationId, 'admin');
  const page = await office.open(`/organizations/${office.organizationId}/settings`, admin);
  const section = page.getByRole('region', { name: 'Export' });
  await expect(section.getByRole('button', { name: 'Download all data' })).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Download all data first' })).toHaveCount(0);
  await assertAccessible(page);
});
