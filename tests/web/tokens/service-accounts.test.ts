import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createServiceAccount, createToken } from '../../support/credentials/tokens.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';
import { createNamedMember, expectNoTrace, hasNoOverflow, openAtServerTime, shownToken } from './desk.ts';

test('an admin creates a service account with a token, changes it, and deletes it with what it owns', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId } = office;
  const admin = await createNamedMember(office, 'Grace', 'admin');
  const path = `/organizations/${organizationId}/settings`;
  const page = await openAtServerTime(office, path, admin);
  const section = page.getByRole('region', { name: 'Service accounts' });
  const dialog = page.getByRole('dialog');
  await section.getByRole('button', { name: 'Create a service account' }).click();
  await dialog.getByLabel('Name').fill('Deployment');
  await dialog.getByLabel('Role').selectOption('editor');
  assert.deepEqual(await dialog.getByLabel('Role').locator('option').allTextContents(), [
    'viewer',
    'editor',
    'admin',
  ]);
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Create the service account' }).click();
  const account = section.getByRole('list', { name: 'Service accounts' }).getByRole('listitem').first();
  await expect(account).toContainText('editor');
  await expect(account).toContainText('Created just now by Grace');
  await expect(account).toContainText('No tokens yet.');

  await account.getByRole('button', { name: 'Create a credential of Deployment' }).click();
  await dialog.getByLabel('Name').fill('Pipeline');
  await dialog.getByRole('button', { name: 'Read and write' }).click();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  const token = await shownToken(page);
  assert.match(token, /^atrium_sat_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await expectNoTrace(page, token);
  await expect(account.getByRole('list', { name: 'Tokens of Deployment' })).toContainText('Pipeline');
  const created = await server.call('POST /api/dashboards', {
    ...bearer({ token }),
    body: { name: 'Made by a program', organizationId },
  });
  assert.equal(created.status, 201, created.text);

  await account.getByRole('button', { name: 'Edit the service account Deployment' }).click();
  await dialog.getByLabel('Name').fill('Releases');
  await dialog.getByLabel('Role').selectOption('admin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Service account saved.')).toBeVisible();
  await expect(account).toContainText('Releases');
  await expect(account.getByText('admin', { exact: true })).toBeVisible();
  await assertAccessible(page);

  await account.getByRole('button', { name: 'Delete the service account Releases' }).click();
  await expect(dialog).toContainText('Its tokens stop working immediately.');
  await expect(dialog).toContainText('Releases owns 1 dashboard in this organization.');
  await dialog.getByLabel('Transfer ownership to').selectOption({ label: `Grace (${admin.email})` });
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Transfer and remove' }).click();
  await expect(page.getByText('Deleted Releases.')).toBeVisible();
  await expect(section).toContainText('There are no service accounts.');
  assert.equal((await server.call('GET /api/dashboards', bearer({ token }))).status, 401);
  const board = await server.call(`GET /api/dashboards/${created.body.id}`, { as: admin });
  assert.equal(board.body.userId, admin.id);
});

test('an admin sets which tokens are permitted, and revokes those of members', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const admin = await createNamedMember(office, 'Grace', 'admin');
  const member = await createNamedMember(office, 'Linus', 'viewer');
  const token = await createToken(server, member, { organizationId, name: 'Old script' });
  await createToken(server, owner, { organizationId, name: 'Of the owner' });
  const page = await openAtServerTime(office, `/organizations/${organizationId}/settings`, admin);
  const section = page.getByRole('region', { name: 'Tokens', exact: true });
  const dialog = page.getByRole('dialog');
  const itemOf = (name: string) => section.getByRole('listitem').filter({ hasText: name });
  await expect(itemOf('Old script')).toContainText(`Linus (${member.email})`);
  await assertAccessible(page);
  await section.getByRole('button', { name: 'Revoke the token Of the owner' }).hover();
  await expect(page.getByText('Only an owner can revoke the token of an owner.')).toBeVisible();
  await section.getByLabel('Members can use personal tokens').uncheck();
  await section.getByRole('textbox', { name: 'Longest validity in days' }).fill('90');
  await expect(section.getByRole('status')).toContainText('stop working immediately');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved which tokens are permitted.')).toBeVisible();
  await expect(itemOf('Old script')).toContainText('Not permitted');
  assert.equal((await server.call('GET /api/dashboards', bearer(token))).status, 401);
  await section.getByRole('button', { name: 'Revoke the token Old script' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Token revoked.')).toBeVisible();
  await expect(itemOf('Old script')).toHaveCount(0);
  const { body } = await server.call(`GET /api/organizations/${organizationId}/token-policy`, { as: owner });
  assert.deepEqual(body, { personalTokens: false, maxDays: 90 });
});

test('members see that an account is a program, and who can manage it', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  await createServiceAccount(server, owner, { organizationId });
  const page = await openAtServerTime(office, `/organizations/${organizationId}/members`, owner);
  const row = page.getByRole('row').filter({ hasText: 'Pipeline' });
  await expect(row).toContainText('Service account');
  await expect(row).toContainText('token');
  await expect(row).not.toContainText('invalid');
  await expect(row.getByLabel('Role of Pipeline').locator('option')).toHaveText([
    'admin',
    'editor',
    'viewer',
  ]);
  await assertAccessible(page);
  const editor = await server.createMember(organizationId, 'editor');
  const settings = await openAtServerTime(office, `/organizations/${organizationId}/settings`, editor);
  const section = settings.getByRole('region', { name: 'Service accounts' });
  await expect(section).toContainText('Requires the admin role or higher');
  await expect(section.getByRole('button')).toHaveCount(0);
  const tokens = settings.getByRole('region', { name: 'Tokens', exact: true });
  await expect(tokens.getByLabel('Members can use personal tokens')).toBeDisabled();
  await expect(tokens.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await expect(tokens.getByRole('list')).toHaveCount(0);
  await assertAccessible(settings);
});

test('service accounts are managed in German, on a phone, by keyboard', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  await createServiceAccount(server, owner, { organizationId });
  const page = await openAtServerTime(office, `/organizations/${organizationId}/settings`, owner, {
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
  });
  const section = page.getByRole('region', { name: 'Dienstkonten' });
  await expect(section.getByRole('list', { name: 'Tokens von Pipeline' })).toContainText('Nightly');
  await assertAccessible(page);
  await hasNoOverflow(page);
  await section.getByRole('button', { name: 'Das Token Nightly ersetzen' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Token' })).toHaveValue(/^atrium_sat_/);
  await assertAccessible(page);
  await hasNoOverflow(page);
  await page.getByRole('button', { name: 'Fertig' }).press('Enter');
  await expect(section.getByRole('list', { name: 'Tokens von Pipeline' }).getByRole('listitem')).toHaveCount(
    2,
  );
  await page.goto(`${office.url}/organizations/${organizationId}/members`);
  await expect(page.getByRole('row').filter({ hasText: 'Pipeline' })).toContainText('Dienstkonto');
  await hasNoOverflow(page);
});
