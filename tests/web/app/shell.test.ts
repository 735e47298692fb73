import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { makeOperator } from '../../support/organizations/operators.ts';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../web-office.ts';

test('people who aren’t signed in sign in and then see the page they opened', async (context) => {
  const office = await startWebOffice(context);
  await signUp(office, 'bob@example.com', 'the password of Bob');
  const page = await office.open(`/organizations/${office.organizationId}/reports`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('Email').fill('bob@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill('a wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Incorrect email or password');
  await page.getByLabel(/^Password/).fill('the password of Bob');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No reports yet' })).toBeVisible();
  await assertAccessible(page);
});

test('a session that ended elsewhere is reported over the page, and signing in returns to it', async (context) => {
  const office = await startWebOffice(context);
  await signUp(office, 'bob@example.com', 'the password of Bob');
  const address = `/organizations/${office.organizationId}/dashboards?show=starred`;
  const page = await office.open(address);
  await signIn(page, 'bob@example.com', 'the password of Bob');
  await expect(page.getByRole('heading', { name: 'No starred dashboards' })).toBeVisible();
  const [cookie] = await page.context().cookies();
  await office.server.call('POST /api/auth/sign-out', {
    as: { id: '', email: '', token: cookie?.value ?? '' },
  });
  await page.getByRole('radiogroup').getByText('Owned by me').click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, 'bob@example.com', 'the password of Bob');
  await expect(page).toHaveURL(/\/dashboards\?show=own$/);
  await expect(page.getByRole('heading', { name: "You don't own any of these dashboards" })).toBeVisible();
});

test('operators create an organization from the organization menu; others see why they can’t', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/', office.owner);
  const switcher = page.getByRole('button', { name: /^Organization:/ });
  const newOrganization = page.getByRole('menuitem', { name: 'New organization' });
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible();
  const requested = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  );
  assert.ok(requested.includes(`${office.url}/api/auth/get-session`));
  assert.ok(!requested.includes(`${office.url}/api/auth/account`), 'only the open menu needs the account');
  await switcher.click();
  await expect(newOrganization).toHaveAttribute('aria-disabled', 'true');
  await expect(newOrganization).toContainText('Only operators of this server can create organizations.');
  await assertAccessible(page);

  await makeOperator(office.server, office.owner);
  await page.reload();
  await switcher.click();
  await newOrganization.click();
  const dialog = page.getByRole('dialog', { name: 'New organization' });
  await dialog.getByLabel('Name').fill('Second');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(switcher).toContainText('Second');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible();
});

test('the frame works by keyboard, on a phone, offline and at unknown addresses', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/', office.owner);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible();
  const link = page.getByRole('navigation').getByRole('link', { name: 'Dashboards' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await page.getByRole('button', { name: /^Account of/ }).click();
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeChecked();
  await assertAccessible(page);
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible();

  await page.context().setOffline(true);
  await expect(page.getByText('You’re offline')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('You’re offline')).toBeHidden();

  await page.setViewportSize({ width: 360, height: 740 });
  const open = page.getByRole('button', { name: 'Open the menu' });
  await expect(link).toBeHidden();
  await open.click();
  await link.focus();
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await expect(link).toBeHidden();
  await open.click();
  await page.getByRole('link', { name: 'Reports' }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'Reports' });
  await expect(heading).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'Reports · Atrium' })).toBeAttached();
  await expect(link).toBeHidden();

  await page.goto(`${office.url}/nowhere`);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page).toHaveTitle('Page not found · Atrium');
  await page.goto(`${office.url}/dashboards/${crypto.randomUUID()}`);
  await expect(page.getByText('Not found')).toBeVisible();
  await page.getByRole('link', { name: 'Go to your dashboards' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible();
});

test('the heading of a page is focused, also if it replaces another one late', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/', office.owner);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible();
  // As if the code of the page arrived after its path: the heading is of another element, twice.
  await page.evaluate(() => {
    const main = document.getElementById('main');
    const observer = new MutationObserver(() => {
      const heading = main?.querySelector('h1');
      if (heading?.textContent !== 'Reports') return;
      observer.disconnect();
      const replace = (name: string) => {
        const other = document.createElement('h1');
        other.textContent = name;
        main?.querySelector('h1')?.replaceWith(other);
      };
      replace('Loading');
      setTimeout(() => replace('Reports'), 300);
    });
    if (main !== null) observer.observe(main, { childList: true, subtree: true });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeFocused();
  // A person who does something keeps the focus where they are.
  await page.keyboard.press('Tab');
  await page.evaluate(() => document.querySelector('h1')?.replaceWith(document.createElement('h1')));
  await expect(page.locator('h1')).not.toBeFocused();
});

async function signUp(
  { server, owner, organizationId }: WebOffice,
  email: string,
  password: string,
): Promise<void> {
  const link = await server.call(`POST /api/organizations/${organizationId}/invitations`, {
    as: owner,
    body: { email, role: 'editor' },
  });
  const token = new URL(link.body.link).hash.slice(1);
  const body = { token, name: 'Bob', password };
  const { status } = await server.call('POST /api/invitations/sign-up', { body });
  expect(status).toBe(201);
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
