import { test } from 'node:test';
import { setPassword } from '../../support/organizations/passwords.ts';
import { setUpApp } from '../../support/organizations/second-factors.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const password = 'correct horse battery';

test('an owner is asked to set up a second factor, requires it of everyone, and members are led to set one up', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  await setPassword(server, owner, password);
  const member = await server.createMember(organizationId, 'editor');
  await setPassword(server, member, password);
  const settings = `/organizations/${organizationId}/settings`;
  const page = await office.open(settings, owner);
  const banner = page.getByRole('region', { name: 'Protect Organization with a second factor' });
  await expect(banner).toContainText('your password is enough to sign in');
  const section = page.getByRole('region', { name: 'Sign-in requirements' });
  await section.getByLabel('Everyone').check();
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('Your account needs a second factor');
  await assertAccessible(page);
  await banner.getByRole('button', { name: 'Don’t show again' }).click();
  await expect(banner).toBeHidden();
  await page.reload();
  await expect(section.getByLabel('Everyone')).toBeVisible();
  await expect(banner).toBeHidden();

  await setUpApp(server, owner);
  await page.reload();
  await section.getByLabel('Everyone').check();
  await expect(section.getByRole('status')).toContainText('from their next request on');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved the sign-in requirements.')).toBeVisible();
  await page.goto(`${office.url}/organizations/${organizationId}/members`);
  await expect(
    page.getByRole('cell', { name: 'password without a second factor', exact: true }),
  ).toBeVisible();

  const theirs = await office.open(settings, member);
  await expect(theirs.getByText('Your account needs a second factor')).toBeVisible();
  await assertAccessible(theirs);
  await theirs.getByRole('link', { name: 'Set up a second factor' }).click();
  await expect(theirs.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  await setUpApp(server, member);
  await theirs.goBack();
  await expect(theirs.getByLabel('Everyone')).toBeChecked();
});
