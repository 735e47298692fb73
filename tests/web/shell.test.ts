import { test } from 'node:test';
import { expect } from '@playwright/test';
import { assertAccessible, startWebOffice } from './web-office.ts';

test('who is not signed in signs in, and comes to where they wanted to go', async (context) => {
  const office = await startWebOffice(context);
  const link = await office.server.call(`POST /api/organizations/${office.organizationId}/invitations`, {
    as: office.owner,
    body: { email: 'bob@example.com', role: 'editor' },
  });
  const token = new URL(link.body.link).hash.slice(1);
  await office.server.call('POST /api/invitations/sign-up', {
    body: { token, name: 'Bob', password: 'the password of Bob' },
  });

  const page = await office.open(`/organizations/${office.organizationId}/reports`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('E-mail').fill('bob@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill('a wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('wrong');
  await page.getByLabel(/^Password/).fill('the password of Bob');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();
  await assertAccessible(page);
});
