import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDirectory } from '../../support/sso/directory.ts';
import { atEndOf } from '../../support/endings.ts';
import { copied, domain, startSurroundings, tenantId } from './office.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const subsidiary = 'subsidiary.test';

test('a second directory is added, and its people sign in through it by the domain of their address', async (context) => {
  const { directory, dns, environment } = await startSurroundings(context, tenantId);
  const other = await startDirectory({ path: '/realms/subsidiary' });
  atEndOf(context, other.stop);
  const hosts = `${directory.host},${other.host}`;
  const office = await startWebOffice(context, { ...environment, ATRIUM_SSO_PRIVATE_HOSTS: hosts });
  const { server, organizationId, owner } = office;
  const first = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
    as: owner,
    body: {
      provider: 'idp_ad',
      clientId: directory.clientId,
      clientSecret: directory.clientSecret,
      tenantId,
      emailDomains: [domain],
      enabled: true,
    },
  });
  assert.equal(first.status, 200, first.text);
  const page = await office.open(`/organizations/${organizationId}/sso`, owner);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // With one directory, the page is about that, and offers another one at its end.
  await expect(page.getByText('SAML 2.0 isn’t supported.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Directories' })).toBeHidden();
  await button('Add a directory').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Identity provider').selectOption('Keycloak');
  await dialog.getByLabel('Name').fill('Subsidiary');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  await expect(page.getByRole('heading', { name: 'Subsidiary', level: 1 })).toBeVisible();
  await expect(page.getByText('Client authentication: on.')).toBeVisible();
  const status = page.getByRole('region', { name: 'Status' });
  await expect(status).toContainText('No client ID is stored.');
  other.allowRedirect(await copied(page, 'Redirect URI'));
  await field('Client ID').fill(other.clientId);
  await field('Client secret').fill(other.clientSecret);
  await button('Save').click();
  await expect(page.getByText('Enter the address of the provider')).toBeVisible();
  await field('Discovery address').fill(other.issuer);
  await button('Save').click();
  await expect(status).toContainText('No domain of the configuration is verified');
  await assertAccessible(page);

  await field('Email domain').fill(subsidiary);
  await button('Add').click();
  dns.publish(await copied(page, 'Name'), await copied(page, 'Value'));
  await button('Check DNS now').click();
  await expect(page.getByRole('group', { name: subsidiary, exact: true })).toContainText(
    'Verified through DNS',
  );
  const claims = { name: 'Bob', email: `bob@${subsidiary}`, email_verified: true };
  other.addPerson({ subject: 'bob', claims });
  const cookie = { name: 'test_person', value: 'bob', url: `http://${other.host}` };
  await page.context().addCookies([cookie]);
  await button('Test a sign-in').click();
  await expect(page.getByText(`bob@${subsidiary} would sign in as a viewer.`)).toBeVisible();
  await button('Turn on').click();
  await expect(page.getByRole('heading', { name: 'Subsidiary', level: 1 })).toBeVisible();
  await expect(status).toContainText(`People in ${subsidiary} sign in through Keycloak.`);

  await page.getByRole('link', { name: 'All directories of the organization' }).click();
  const row = page.getByRole('row', { name: 'Subsidiary' });
  await expect(row).toContainText('Keycloak');
  await expect(row).toContainText(subsidiary);
  await expect(row).toContainText('On');
  await expect(page.getByRole('heading', { name: 'The first directory' })).toBeVisible();
  await assertAccessible(page);

  const bob = await office.open('/sign-in');
  await bob.context().addCookies([cookie]);
  await bob.getByLabel('Email').fill(`bob@${subsidiary}`);
  await bob.getByRole('button', { name: 'Continue' }).click();
  await expect(bob.getByRole('button', { name: 'Account of Bob' })).toBeVisible();
});
