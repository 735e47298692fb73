import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { domain, startSurroundings, tenantId } from './office.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
async function openStep(page: Page, title: string): Promise<void> {
  const step = page.getByRole('button', { name: new RegExp(`^${title}`) });
  await expect(step).toBeVisible();
  if ((await step.getAttribute('aria-expanded')) === 'false') await step.click();
}

test('each failure in the set-up is explained with its remedy', async (context) => {
  const { directory, environment, becomePerson } = await startSurroundings(context, tenantId);
  const office = await startWebOffice(context, environment);
  const { server, owner, organizationId } = office;
  const { clientId, clientSecret } = directory;
  const api = `/api/sso/orgs/${organizationId}`;
  await server.call(`POST ${api}/config`, {
    as: owner,
    body: {
      provider: 'idp_ad',
      clientId,
      clientSecret,
      tenantId,
      emailDomains: [domain],
      enabled: false,
    },
  });
  const page = await office.open(`/organizations/${organizationId}/sso`, owner);
  const toGuide = () => page.getByRole('link', { name: 'Back to single sign-on' }).click();
  const verdict = page.getByRole('main').getByRole('status').filter({ hasText: /\w/ });
  await becomePerson(page, 'Bob');

  // The redirect URI is not registered: the directory shows an error itself, and doesn't send the browser back.
  await press(page, 'Test a sign-in');
  await page.waitForURL((url) => url.host === directory.host);
  await page.goBack();
  const last = page.getByRole('group', { name: 'Entra has not sent the browser back yet.' });
  await expect(last).toContainText('If it showed AADSTS50011');
  await expect(last).toContainText('add exactly the redirect URI of step 1');
  await assertAccessible(page);
  const { body: status } = await server.call(`GET ${api}/status`, { as: owner });
  directory.allowRedirect(status.redirectUri);

  // The domain is not verified.
  await press(page, 'Test a sign-in');
  await expect(verdict).toContainText(`The domain is ${domain}, which the organization has not verified.`);
  await expect(verdict).toContainText('Add the domain to the configuration and verify it');
  await assertAccessible(page);
  await toGuide();
  await press(page, 'Check DNS now');
  const proof = page.getByRole('group', { name: domain, exact: true });
  await expect(proof).toContainText(`DNS returned for _atrium.${domain}: no TXT record.`);
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });

  // The secret is wrong: the form keeps other values, but not the secret.
  await openStep(page, 'Enter the app details');
  await field(page, 'Client secret').fill(tenantId);
  await expect(page.getByText('This looks like the Secret ID.')).toBeVisible();
  await press(page, 'Save');
  await expect(page.getByText('Connection saved.')).toBeVisible();
  await press(page, 'Test a sign-in');
  await expect(verdict).toContainText('Enter the client secret again, and check that the client ID');
  await expect(page.getByRole('row', { name: /^Discovery document Passed/ })).toBeVisible();
  await toGuide();

  // The tenant is wrong: entered values survive a reload, except for the secret.
  const elsewhere = tenantId.replace('3d1f', '0000');
  await openStep(page, 'Enter the app details');
  await field(page, 'Directory (tenant) ID').fill('contoso.onmicrosoft.com');
  await expect(page.getByText('The tenant ID must be a GUID.')).toBeVisible();
  await press(page, 'Save');
  await expect(field(page, 'Directory (tenant) ID')).toBeFocused();
  await expect(page.getByText('Draft saved in this tab')).toBeVisible();
  await field(page, 'Directory (tenant) ID').fill(elsewhere);
  await expect(page.getByText('Your changes remove the stored secret')).toBeVisible();
  await press(page, 'Save');
  await expect(page.getByRole('dialog')).toContainText('The stored client secret is deleted.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await field(page, 'Client secret').fill(clientSecret);
  await page.reload();
  await openStep(page, 'Enter the app details');
  await expect(field(page, 'Directory (tenant) ID')).toHaveValue(elsewhere);
  await expect(field(page, 'Client secret')).toHaveValue('');
  await field(page, 'Client secret').fill(clientSecret);
  await field(page, 'Application (client) ID').fill('');
  await press(page, 'Save');
  await expect(page.getByText('Must have at least 1 character')).toBeVisible();
  await field(page, 'Application (client) ID').fill(clientId);
  await press(page, 'Save');
  await expect(page.getByText('Connection saved.').last()).toBeVisible();
  await press(page, 'Test a sign-in');
  await expect(page.getByRole('alert').filter({ hasText: 'Check the tenant' })).toContainText('status 404');

  // The person is not assigned to the application.
  await field(page, 'Directory (tenant) ID').fill(tenantId);
  await field(page, 'Client secret').fill(clientSecret);
  await press(page, 'Save');
  await expect(page.getByText('Draft saved in this tab')).toBeHidden();
  await becomePerson(page, 'Eve', { isUnassigned: true });
  await press(page, 'Test a sign-in');
  await expect(verdict).toContainText('The person isn’t assigned to the application.');
  await expect(verdict).toContainText('Enterprise applications > Users and groups: assign the person');
});
