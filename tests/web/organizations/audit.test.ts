import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { parseJson } from '../../../src/server/base/texts/json.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an owner reads, filters and exports the audit log', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const bob = await server.createMember(organizationId, 'admin');
  const name = '<img src=x onerror=alert(1)>';
  await server.call(`PATCH /api/organizations/${organizationId}`, { as: owner, body: { name } });
  for (let index = 0; index < 60; index += 1) {
    const body = { email: `person.${index}@example.com`, role: 'viewer' };
    await server.call(`POST /api/organizations/${organizationId}/invitations`, { as: bob, body });
  }

  const page = await office.open(`/organizations/${organizationId}/audit`, owner);
  await expect(page.getByText('invited person.59@example.com as viewer')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Show older entries' }).click();
  await expect(page.getByText(`renamed the organization to “${name}”`)).toBeVisible();

  await page.getByLabel('Who').selectOption(owner.id);
  await expect(page.getByText('invited person.59@example.com as viewer')).toHaveCount(0);
  await page.getByLabel('What').selectOption('organization.renamed');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByText('Details').click();
  await expect(page.getByText('"action": "organization.renamed"')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByLabel('What')).toHaveValue('organization.renamed');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export these entries' }).click(),
  ]);
  const lines = (await text(await download.createReadStream())).trimEnd().split('\n');
  expect(lines.map((line) => (parseJson(line) as { details: object }).details)).toEqual([{ name }]);

  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('No matching entries')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('invited person.59@example.com as viewer')).toBeVisible();
});

test('an editor sees which role the audit log requires', async (context) => {
  const office = await startWebOffice(context);
  const editor = await office.server.createMember(office.organizationId, 'editor');
  const page = await office.open(`/organizations/${office.organizationId}/audit`, editor);
  await expect(page.getByRole('heading', { name: 'You can’t view the audit log' })).toBeVisible();
  await assertAccessible(page);
});
