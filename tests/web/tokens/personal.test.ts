import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setSsoRequirement } from '../../../src/server/organizations/organizations.ts';
import { bearer, createToken } from '../../support/credentials/tokens.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';
import { expectNoTrace, hasNoOverflow, openAtServerTime, shownToken } from './desk.ts';

test('a person creates a token, uses it, replaces it and revokes it', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const page = await openAtServerTime(office, '/account', owner);
  const section = page.getByRole('region', { name: 'Tokens' });
  await expect(section).toContainText('You have no tokens.');
  await section.getByRole('button', { name: 'Create a token' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Expires after' })).toHaveValue('30');
  await assertAccessible(page);
  await dialog.getByLabel('Name').fill('Nightly export');
  await dialog.getByRole('button', { name: 'Read and write' }).click();
  await expect(dialog.getByLabel('Change dashboards')).toBeChecked();
  await expect(dialog.getByLabel('Administer')).not.toBeChecked();
  await dialog.getByLabel('Change data sources').uncheck();
  await expect(dialog.getByRole('button', { name: 'Read and write' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  await dialog.getByRole('combobox', { name: 'Expires after' }).selectOption('7');
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  const first = await shownToken(page);
  await expect(dialog.getByRole('alert')).toContainText('it isn’t shown again');
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog, 'the token is not lost by mistake').toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await expectNoTrace(page, first);

  const item = section.getByRole('listitem').filter({ hasText: 'Nightly export' });
  await expect(item).toContainText('not used yet');
  await expect(item).toContainText('Read · Change dashboards · Change reports · Change folders');
  const read = (token: string) => server.call(`GET /api/organizations/${organizationId}`, bearer({ token }));
  assert.equal((await read(first)).status, 200);
  await page.reload();
  await expect(item).toContainText('last used just now from 127.0.0.1');
  await assertAccessible(page);
  await expectNoTrace(page, first);

  await item.getByRole('button', { name: 'Replace the token Nightly export' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Nightly export');
  await expect(dialog.getByLabel('Change data sources')).not.toBeChecked();
  await expect(dialog.getByRole('combobox', { name: 'Expires after' })).toHaveValue('7');
  await expect(dialog.getByRole('combobox', { name: 'Organization' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Create the second token' }).click();
  const second = await shownToken(page);
  await expect(dialog).toContainText('The previous one still works.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(item).toHaveCount(2);
  await item.last().getByRole('button', { name: 'Revoke the token Nightly export' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Token revoked.')).toBeVisible();
  await expect(item).toHaveCount(1);
  assert.deepEqual([(await read(first)).status, (await read(second)).status], [401, 200]);
});

test('a token is not in a page that was left before the dialog was closed', async (context) => {
  const office = await startWebOffice(context);
  const page = await openAtServerTime(office, '/account', office.owner);
  const create = async () => {
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Script');
    await page.getByRole('button', { name: 'Create the token' }).click();
    return shownToken(page);
  };
  const first = await create();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectNoTrace(page, first);
  await page.goForward();
  await expect(page.getByRole('region', { name: 'Tokens' })).toContainText('Script');
  await expectNoTrace(page, first);
  // As browsers do that keep the page to show it again.
  const second = await create();
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    if (
      document.body.textContent.includes('Copy the new token') &&
      document.querySelector('[role=dialog] input')
    )
      throw new Error('the token is still there when the page is hidden');
  });
  await expectNoTrace(page, second);
});

test('a person learns that an organization permits no personal tokens, or only short ones', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const other = await server.createOrganization(owner);
  await server.call(`PATCH /api/organizations/${other}`, { as: owner, body: { name: 'Strict office' } });
  await createToken(server, owner, { organizationId: other, name: 'Forbidden' });
  const putPolicy = (id: string, personalTokens: boolean, maxDays: number) =>
    server.call(`PUT /api/organizations/${id}/token-policy`, {
      as: owner,
      body: { personalTokens, maxDays },
    });
  await putPolicy(other, false, 365);
  await putPolicy(organizationId, true, 10);
  const page = await openAtServerTime(office, '/account', owner);
  const item = page.getByRole('listitem').filter({ hasText: 'Forbidden' });
  await expect(item).toContainText('Not permitted');
  await expect(item).toContainText('Ask an admin for a service account.');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Organization' }).selectOption('Strict office');
  await expect(dialog.getByRole('alert')).toContainText('Strict office doesn’t permit personal tokens.');
  await expect(dialog.getByRole('button', { name: 'Create the token' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await assertAccessible(page);
  await dialog.getByRole('combobox', { name: 'Organization' }).selectOption(organizationId);
  const expiry = dialog.getByRole('combobox', { name: 'Expires after' });
  await expect(expiry).toHaveValue('10');
  await expect(dialog).toContainText('At most 10 days in this organization');
  await dialog.getByLabel('Name').fill('Short');
  await expiry.selectOption('On a date…');
  await dialog.getByLabel('Last day').fill('2026-11-23');
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  await shownToken(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('region', { name: 'Tokens' }).getByRole('alert')).toContainText(
    '“Short” expires',
  );
  const short = page
    .getByRole('list', { name: 'Personal tokens' })
    .getByRole('listitem')
    .filter({ hasText: 'Short' });
  await expect(short).toContainText('Expires soon');
});

test('a person learns that a token needs a sign-in through the directory', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const other = await server.createOrganization(owner);
  const name = 'Open office';
  await server.call(`PATCH /api/organizations/${other}`, { as: owner, body: { name } });
  await createToken(server, owner, { organizationId });
  await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
  const page = await openAtServerTime(office, '/account', owner);
  const item = page.getByRole('listitem').filter({ hasText: 'Script' });
  await expect(item).toContainText('Sign-in required');
  await expect(item).toContainText('as soon as you sign in through its directory');
  await expect(item).toContainText('An organization that requires single sign-on');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const choice = page.getByRole('dialog').getByRole('combobox', { name: 'Organization' });
  await expect(choice.locator('option')).toHaveText([name]);
  await expect(page.getByRole('dialog')).toContainText(
    'are listed after you sign in through their directory',
  );
  await assertAccessible(page);
});

test('tokens are created by keyboard, in German, on a phone', async (context) => {
  const office = await startWebOffice(context);
  const page = await openAtServerTime(office, '/account', office.owner, {
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
  });
  const section = page.getByRole('region', { name: 'Tokens' });
  await section.getByRole('button', { name: 'Token erstellen' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await assertAccessible(page);
  await hasNoOverflow(page);
  await page.keyboard.type('Nächtlicher Export');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Lesen und schreiben' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.getByRole('dialog').getByLabel('Name').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Token' })).toHaveValue(/^atrium_pat_/);
  await assertAccessible(page);
  await hasNoOverflow(page);
  await page.getByRole('button', { name: 'Fertig' }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(section.getByRole('listitem')).toContainText('Lesen und schreiben');
  await expect(section.getByRole('button', { name: 'Token erstellen' })).toBeFocused();
  await hasNoOverflow(page);
});
