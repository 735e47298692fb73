import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an owner invites several people, changes roles, and removes a member after transferring their dashboards', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const [editor, viewer] = [
    await server.createMember(organizationId, 'editor'),
    await server.createMember(organizationId, 'viewer'),
  ];
  await server.call('POST /api/dashboards', { as: editor, body: { name: 'Sales', organizationId } });

  const page = await office.open(`/organizations/${organizationId}/members`, owner);
  await expect(page.getByText('3 members')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('note', { name: /^Role of Ada/ }).hover();
  await expect(page.getByText('An organization needs at least one owner')).toBeVisible();

  await page.getByRole('button', { name: 'Invite people' }).click();
  const addresses = page.getByLabel('Email addresses');
  await addresses.fill('bob@example.com, nobody');
  await expect(page.getByText('Not an email address: nobody')).toBeVisible();
  await addresses.fill(`bob@example.com\nCyd <cyd@example.com>; ${editor.email}`);
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Invite 3 people' }).click();
  await expect(page.getByText('2 people invited.')).toBeVisible();
  await expect(page.getByText('Already a member.')).toBeVisible();
  await expect(page.getByText(`${office.url}/invitation#`)).toHaveCount(2);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();

  const resend = page.getByRole('button', { name: 'Resend the invitation to bob@example.com' });
  await resend.click();
  await expect(page.getByRole('dialog').getByText(`${office.url}/invitation#`)).toHaveCount(1);
  await page.getByRole('button', { name: 'Done' }).click();
  server.mailServer.state = 'refuses';
  await resend.click();
  await expect(
    page.getByText('The email could not be sent: the mail server refused it with code 451.'),
  ).toBeVisible();
  await expect(page.getByText(`${office.url}/invitation#`)).toHaveCount(0);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  server.mailServer.state = 'accepts';
  await resend.click();
  await expect(page.getByText('The link was sent by email.')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Revoke the invitation to bob@example.com' }).click();
  await expect(page.getByRole('cell', { name: 'bob@example.com' })).toHaveCount(0);
  await expect(page.getByRole('cell', { name: 'cyd@example.com', exact: true })).toBeVisible();

  await page.getByLabel('Role of viewer').selectOption('admin');
  await expect(page.getByText('viewer is now an admin.')).toBeVisible();
  const members = await server.call(`GET /api/organizations/${organizationId}/members`, { as: owner });
  const roles = members.body.items.map(({ role }: { role: string }) => role);
  await expect(async () => expect(roles.toSorted()).toEqual(['admin', 'editor', 'owner'])).toPass();

  await page.getByRole('button', { name: 'Remove editor' }).click();
  await expect(page.getByText('editor owns 1 dashboard in this organization.')).toBeVisible();
  await page.getByLabel('Transfer ownership to').selectOption(viewer.id);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Transfer and remove' }).click();
  await expect(page.getByText('2 members')).toBeVisible();
  const { body } = await server.call(`GET /api/dashboards?organizationId=${organizationId}`, { as: viewer });
  expect(body.items[0].userId).toBe(viewer.id);
});

test('a viewer sees the members, and why they can’t change them', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId } = office;
  const viewer = await server.createMember(organizationId, 'viewer');
  const path = `/organizations/${organizationId}`;
  const page = await office.open(`${path}/members`, viewer, { viewport: { width: 360, height: 760 } });
  await expect(page.getByText('2 members')).toBeVisible();
  await expect(page.getByLabel(/^Role of Ada: owner\. Requires the admin role or higher\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite people' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Remove Ada' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Open invitations')).toHaveCount(0);
  await assertAccessible(page);
});

test('an owner renames the organization but can’t leave as the last one; a member leaves', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const path = `/organizations/${organizationId}/settings`;
  const page = await office.open(path, owner);
  await page.getByLabel(/^Name/).fill('Analytical <b>Engines</b>');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('button', { name: 'Leave Analytical <b>Engines</b>' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await assertAccessible(page);

  const editor = await server.createMember(organizationId, 'editor');
  const left = await office.open(path, editor);
  await expect(left.getByRole('button', { name: 'Save name' })).toHaveAttribute('aria-disabled', 'true');
  await left.getByRole('button', { name: /^Leave/ }).click();
  await assertAccessible(left);
  await left.getByRole('button', { name: 'Leave', exact: true }).click();
  await left.waitForURL(/\/dashboards$/);
  expect((await server.call(`GET /api/organizations/${organizationId}`, { as: editor })).status).toBe(404);
});

test('an owner sets how dates and numbers are written; an editor can only see it', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const path = `/organizations/${organizationId}/settings`;
  const page = await office.open(path, owner);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('UTC');
  await zone.fill('lisbon');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await page.getByLabel('Weeks start on').selectOption('Sunday');
  await assertAccessible(page);
  await page.getByRole('combobox', { name: 'Language and country' }).fill('austria');
  await page.getByRole('option', { name: 'German (Austria)' }).click();
  await page.getByRole('combobox', { name: 'Currency' }).fill('eur');
  await page.getByRole('option', { name: 'EUR – Euro' }).click();
  await expect(page.getByText('Example:')).toHaveText('Example: 31.12.2026 · -1 234 567,8 · € 1.234,50');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save dates and numbers' }).click();
  await expect(page.getByText('Dates and numbers saved.')).toBeVisible();
  const { body } = await server.call(`GET /api/organizations/${organizationId}`, { as: owner });
  const { timeZone, weekStart, locale, currency } = body;
  expect({ timeZone, weekStart, locale, currency }).toEqual({
    timeZone: 'Europe/Lisbon',
    weekStart: 'sunday',
    locale: 'de-AT',
    currency: 'EUR',
  });

  const editor = await server.createMember(organizationId, 'editor');
  const seen = await office.open(path, editor);
  // The page is in the language of the organization now.
  await expect(seen.getByLabel('Wochen beginnen am')).toHaveValue('sunday');
  await expect(seen.getByRole('button', { name: 'Datumsangaben und Zahlen speichern' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
