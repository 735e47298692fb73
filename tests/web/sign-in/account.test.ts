import { test } from 'node:test';
import { setPassword } from '../../support/organizations/passwords.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('a person changes their name and password, and signs out of other sessions', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner } = office;
  await setPassword(server, owner, 'the old password');
  const signIn = () =>
    server.call('POST /api/auth/sign-in/email', {
      body: { email: owner.email, password: 'the old password' },
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:142.0) Gecko/20100101 Firefox/142.0' },
    });
  await signIn();
  await signIn();

  const page = await office.open('/account', owner);
  await expect(page.getByText('Firefox on Windows')).toHaveCount(2);
  await expect(page.getByText('This session')).toHaveCount(1);
  await assertAccessible(page);

  await page.getByLabel(/^Name/).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account of Ada Lovelace' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out of the session on Firefox on Windows' }).first().click();
  await expect(page.getByText('Firefox on Windows')).toHaveCount(1);

  await page.getByLabel('Current password').fill('a wrong password');
  await page.getByLabel('New password').fill('the fresh password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Incorrect password.')).toBeVisible();
  await page.getByLabel('Current password').fill('the old password');
  await page.getByLabel('New password').fill('passwordpassword');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Must not be a short repeated text')).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('New password').fill('the fresh password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(
    page.getByText('Your password was changed. You were signed out of 1 other session.'),
  ).toBeVisible();
  await expect(page.getByText('Firefox on Windows')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out of all other sessions' }).hover();
  await expect(page.getByText('You’re not signed in anywhere else.')).toBeVisible();
});

test('an account managed by a directory shows why it can’t be changed here', async (context) => {
  const office = await startWebOffice(context);
  const scoped = await office.server.createSsoSession(office.owner, office.organizationId);
  const page = await office.open('/account', scoped, { viewport: { width: 360, height: 800 } });
  const password = page.getByRole('region', { name: 'Password', exact: true });
  await expect(password).toContainText('This account has no password.');
  await expect(
    page.locator('form').getByText('This session only has access to one organization.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save name' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Signed in through single sign-on')).toHaveCount(1);
  await assertAccessible(page);
});
