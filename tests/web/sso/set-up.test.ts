import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from '@playwright/test';
import { createSetUpToken } from '../../../src/server/accounts/set-up.ts';
import { copied, domain, startSurroundings, tenantId } from './office.ts';
import { assertAccessible, expect, startWebServer } from '../web-office.ts';

test('from an empty server to a colleague who signs in through Entra, in twelve actions', async (context) => {
  const { directory, dns, environment, becomePerson } = await startSurroundings(context, tenantId);
  const { server, open } = await startWebServer(context, environment);
  const token = await createSetUpToken(server.database, () => Date.UTC(2026, 10, 21, 9));
  let actions = 0;
  /** Counts clicks in Atrium; typing and pasting are not counted. */
  const press = async (what: Locator) => {
    actions += 1;
    await what.click();
  };

  const page = await open(`/set-up#${token}`, undefined, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill(`ada@${domain}`);
  await page.getByLabel(/^Password/).fill('correct horse battery');
  await page.getByLabel('Organization').fill('Contoso');
  await press(page.getByLabel('Add sample data'));
  await press(page.getByRole('button', { name: 'Create' }));
  await press(page.getByRole('link', { name: 'Single sign-on' }));
  const status = page.getByRole('region', { name: 'Status' });
  await expect(status).toContainText('Single sign-on is not set up. People sign in with a password.');
  await assertAccessible(page);

  await press(page.getByRole('button', { name: 'Copy Redirect URI' }));
  const redirectUri = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(redirectUri, await copied(page, 'Redirect URI'));
  directory.allowRedirect(redirectUri);

  await page.getByRole('textbox', { name: 'Directory (tenant) ID' }).fill(tenantId);
  await page.getByRole('textbox', { name: 'Application (client) ID' }).fill(` ${directory.clientId} `);
  await page.getByRole('textbox', { name: 'Client secret' }).fill(directory.clientSecret);
  await page.getByLabel('Secret expires on', { exact: true }).fill('2027-05-20');
  await expect(page.getByRole('textbox', { name: 'Email domain' })).toHaveValue(domain);
  await press(page.getByRole('button', { name: 'Save', exact: true }));
  await expect(status).toContainText('off and not ready. No domain of the configuration is verified');
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue('');

  const proof = page.getByRole('group', { name: domain });
  await press(proof.getByRole('button', { name: 'Copy Name' }));
  await press(proof.getByRole('button', { name: 'Copy Value' }));
  dns.publish(await copied(page, 'Name'), await copied(page, 'Value'));
  await press(proof.getByRole('button', { name: 'Check DNS now' }));
  await expect(proof.getByText('Verified', { exact: true })).toBeVisible();
  await expect(status).toContainText('Test a sign-in, then turn it on.');

  await becomePerson(page, 'Ada');
  await press(page.getByRole('button', { name: 'Test a sign-in', exact: true }));
  await expect(page.getByRole('heading', { name: 'Test sign-in' })).toBeVisible();
  await expect(page.getByText(`The sign-in works: ada@${domain} would sign in as an owner.`)).toBeVisible();
  await expect(
    page.getByRole('row', { name: `Account Ada, ada@${domain} (existing account)` }),
  ).toBeVisible();
  await expect(page.getByRole('row', { name: `preferred_username ada@${domain}` })).toBeVisible();
  await assertAccessible(page);
  await press(page.getByRole('button', { name: 'Turn on' }));
  await expect(status).toContainText(`People in ${domain} sign in through Microsoft Entra ID.`);
  await assertAccessible(page);

  const colleague = await open('/sign-in');
  await becomePerson(colleague, 'Bob');
  await colleague.getByLabel('Email').fill(`bob@${domain}`);
  await press(colleague.getByRole('button', { name: 'Continue' }));
  await expect(colleague.getByRole('button', { name: 'Account of Bob' })).toBeVisible();
  assert.ok(actions <= 12, `${actions} actions`);
});
