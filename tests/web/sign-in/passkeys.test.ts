import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { confirmationMs } from '../../../src/server/base/credentials/confirmation.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const password = 'correct horse battery';

/** Gives the browser of a page a device that stores passkeys and verifies the person. */
async function plugIn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a person adds a passkey, signs in with it in both ways, confirms their identity, and removes it', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner } = office;
  await setPassword(server, owner, password);
  server.advance(confirmationMs);
  const page = await office.open('/account', owner);
  await plugIn(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel(/^Name/).fill('Laptop');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel(/^Password/).fill(password);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await codes.getByLabel('I have stored the codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  const passkeys = page.getByRole('list', { name: 'Passkeys' });
  await expect(passkeys.getByRole('listitem')).toContainText(['Laptop']);
  await expect(passkeys).toContainText('never used');
  await expect(page.getByText('10 recovery codes left.')).toBeVisible();
  await assertAccessible(page);

  // The device already has one for the account.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('alert')).toContainText('You already have a passkey there');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Rename “Laptop”' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(passkeys).toContainText('Work laptop');

  const signOut = async () => {
    await page.context().clearCookies();
    await page.goto(`${office.url}/account`);
  };
  await signOut();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(passkeys).toContainText('last used');
  await expect(page.getByText('Signed in with a passkey')).toBeVisible();

  await signOut();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Recovery code')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(passkeys).toContainText('Work laptop');

  server.advance(confirmationMs);
  await page.getByRole('button', { name: 'Remove “Work laptop”' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await confirmation.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(page.getByText('You have no passkeys.')).toBeVisible();

  await signOut();
  office.expectConsole(/401/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This passkey does not work here');
  assert.match(page.url(), /\/sign-in/);
});

test('a device without a passkey says so', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/sign-in');
  await plugIn(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('No passkey was used');
});

test('a browser or an address without passkeys says why', async (context) => {
  const office = await startWebOffice(context);
  await setPassword(office.server, office.owner, password);
  const page = await office.open('/account', office.owner);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await page.reload();
  const button = page.getByRole('button', { name: 'Add a passkey' });
  await expect(button).toBeDisabled();
  await button.focus();
  await expect(page.getByText('This browser doesn’t support passkeys.')).toBeVisible();
  const signIn = await office.open('/sign-in');
  await signIn.goto(signIn.url().replace('localhost', '127.0.0.1'));
  await expect(signIn.getByLabel('Email')).toBeVisible();
  await expect(signIn.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
});
