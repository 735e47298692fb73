import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { setPassword } from '../../support/organizations/passwords.ts';
import { expect, startWebOffice } from '../web-office.ts';

const password = 'correct horse battery';

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('the next person on a shared machine finds no data of the previous one', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner: ada, url } = office;
  const bob = await server.createPerson('Bob');
  for (const person of [ada, bob]) await setPassword(server, person, password);
  await server.call('POST /api/dashboards', { as: ada, body: { name: 'Plans of Ada', widgets: [] } });

  const tab = await office.open('/sign-in?returnTo=/x/..//evil.example');
  await signIn(tab, ada.email);
  await expect(tab.getByRole('button', { name: 'Account of Ada' })).toBeVisible();
  assert.equal(new URL(tab.url()).origin, url);
  const lengthThen = await tab.evaluate(() => history.length);
  await tab.goto(`${url}/dashboards`);
  await expect(tab.getByRole('link', { name: 'Plans of Ada' })).toBeVisible();
  await tab.goBack();
  await expect(tab.getByRole('button', { name: 'Account of Ada' })).toBeVisible();
  assert.equal(lengthThen, 2, 'the empty page, and the page that replaced the form');

  const other = await tab.context().newPage();
  await other.goto(`${url}/dashboards`);
  await other.getByRole('button', { name: 'Account of Ada' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await signIn(other, bob.email);
  await expect(other.getByRole('button', { name: 'Account of Bob' })).toBeVisible();
  await other.goto(`${url}/dashboards`);
  await expect(other.getByRole('heading', { name: 'Dashboards', level: 1 })).toBeVisible();
  await expect(other.getByText('Plans of Ada')).toHaveCount(0);

  // The first tab still shows Ada's data until it is visible again.
  const reloaded = tab.waitForEvent('load');
  await tab.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await reloaded;
  await expect(tab.getByRole('button', { name: 'Account of Bob' })).toBeVisible();
  await tab.goto(`${url}/dashboards`);
  await expect(tab.getByText('Plans of Ada')).toHaveCount(0);
  const kept = await tab.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  assert.ok(!/Ada|@/.test(kept), kept);
});
