import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmationMs } from '../../../src/server/base/credentials/confirmation.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { codeOf, setUpApp } from '../../support/organizations/second-factors.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const password = 'correct horse battery';

test('a person sets up an authenticator app, stores the recovery codes, and removes the app', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner } = office;
  await setPassword(server, owner, password);
  server.advance(confirmationMs);
  const page = await office.open('/account', owner);
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel(/^Password/).fill(password);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();

  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  await assertAccessible(page);
  const secret = await dialog.getByLabel('Setup key, if you can’t scan the code').inputValue();
  await dialog.getByLabel('Code from the app').fill('000');
  await dialog.getByRole('button', { name: 'Set up' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Incorrect code');
  await dialog.getByLabel('Code from the app').fill(codeOf(server, secret));
  await dialog.getByRole('button', { name: 'Set up' }).click();

  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await assertAccessible(page);
  await codes.getByLabel('I have stored the codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 recovery codes left.')).toBeVisible();
  await assertAccessible(page);

  server.advance(confirmationMs);
  await page.getByRole('button', { name: 'Remove the app…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await confirmation.getByLabel(/^Password/).fill(password);
  await confirmation.getByLabel('Code from your authenticator app').fill(codeOf(server, secret));
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('You have no authenticator app.')).toBeVisible();
});

test('signing in with a second factor returns to the page', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner } = office;
  await setPassword(server, owner, password);
  const { secret, recoveryCodes } = await setUpApp(server, owner);
  server.advance(30_000);
  const enterPassword = async () => {
    const page = await office.open('/account?from=a+link');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  };
  const page = await enterPassword();
  const code = page.getByLabel('Code from your authenticator app');
  await expect(code).toBeFocused();
  await assertAccessible(page);
  await code.fill('123');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Incorrect code');
  await code.fill(codeOf(server, secret));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  assert.equal(page.url(), `${office.url}/account?from=a+link`);

  const other = await enterPassword();
  await other.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await other.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await assertAccessible(other);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByText('9 recovery codes left.')).toBeVisible();
});
