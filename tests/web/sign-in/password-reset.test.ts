import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPassword } from '../../support/organizations/passwords.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('a mailed link resets a forgotten password once', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, url } = office;
  server.mailServer.state = 'accepts';
  await setPassword(server, owner, 'the old password');

  const page = await office.open('/sign-in');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // Here and below: the page before has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(owner.email);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toContainText(`If there is an account for ${owner.email}`);
  await assertAccessible(page);

  await expect(async () => assert.equal(server.mails.length, 1)).toPass();
  const [link = ''] = /http\S+reset-password#\S+/.exec(server.mails[0]?.text ?? '') ?? [];
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password').fill('passwordpassword');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Must not be a short repeated text')).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('New password').fill('the fresh password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('You were signed out of 1 session.')).toBeVisible();
  assert.equal(page.url(), `${url}/reset-password`, 'the token leaves the address');
  await assertAccessible(page);

  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill('the fresh password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboards', level: 1 })).toBeVisible();

  const late = await office.open(new URL(link).pathname + new URL(link).hash);
  await late.getByLabel('New password').fill('the fresh password');
  await late.getByRole('button', { name: 'Change password' }).click();
  await expect(late.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await assertAccessible(late);

  server.mailServer.state = 'none';
  await late.goto(`${url}/sign-in`);
  await late.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(late.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  await late.getByLabel('Email').fill(owner.email);
  await late.getByRole('button', { name: 'Send link' }).click();
  await expect(late.getByText('Ask the operator of this server')).toBeVisible();
  await expect(late.getByText(`atrium server user reset-password --email ${owner.email}`)).toBeVisible();
  await assertAccessible(late);
});
