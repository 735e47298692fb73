import { test } from 'node:test';
import { copied, domain, startSurroundings } from './office.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('AD FS is set up with its URL, and a person signs in through it', async (context) => {
  const { directory, dns, environment, becomePerson } = await startSurroundings(context);
  const office = await startWebOffice(context, environment);
  const page = await office.open(`/organizations/${office.organizationId}/sso`, office.owner);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.getByText('AD FS', { exact: true }).click();
  await expect(field('Directory (tenant) ID')).toBeHidden();
  await expect(page.getByText('Template: Server application accessing a web API.')).toBeVisible();
  directory.allowRedirect(await copied(page, 'Redirect URI'));
  await field('Client Identifier').fill(directory.clientId);
  await field('Shared secret').fill(directory.clientSecret);
  await field('Email domain').fill(`somebody@${domain}`);
  await button('Save').click();
  await expect(page.getByText('Enter the address of your AD FS')).toBeVisible();
  await assertAccessible(page);
  await field('Discovery address').fill(directory.discoveryUrl);
  await button('Save').click();

  const proof = page.getByRole('group', { name: domain, exact: true });
  await button('Check DNS now').click();
  await expect(proof).toContainText('The record isn’t in DNS yet');
  await assertAccessible(page);
  dns.publish(await copied(page, 'Name'), await copied(page, 'Value'));
  await button('Check DNS now').click();
  await expect(proof).toContainText('Verified through DNS');
  await becomePerson(page, 'Carol');
  await button('Test a sign-in').click();
  await expect(page.getByText(`carol@${domain} would sign in as a viewer.`)).toBeVisible();
  await expect(page.getByRole('row', { name: 'Account A new account would be created' })).toBeVisible();
  await button('Turn on').click();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText(
    `People in ${domain} sign in through AD FS.`,
  );

  const carol = await office.open('/sign-in');
  await becomePerson(carol, 'Carol');
  await carol.getByLabel('Email').fill(`carol@${domain}`);
  await carol.getByRole('button', { name: 'Continue' }).click();
  await expect(carol.getByRole('button', { name: `Account of carol@${domain}` })).toBeVisible();
});
