import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVerifiedDomain } from '../../support/sso/verified-domain.ts';
import { setSsoRequirement } from '../../../src/server/organizations/organizations.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { startDirectory } from '../../support/sso/directory.ts';
import { atEndOf } from '../../support/endings.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../web-office.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const password = 'correct horse battery';

async function invite({ server, owner, organizationId }: WebOffice, email: string): Promise<string> {
  const { body } = await server.call(`POST /api/organizations/${organizationId}/invitations`, {
    as: owner,
    body: { email, role: 'editor' },
  });
  return new URL(body.link).hash;
}

test('signing in again after a session has expired returns to the page', async (context) => {
  const office = await startWebOffice(context);
  await setPassword(office.server, office.owner, password);
  const page = await office.open('/account?from=a+link#here');
  await expect(page.getByText('You’ll return to your page.')).toBeVisible();
  await page.getByLabel('Email').fill(office.owner.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill(password);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  assert.equal(page.url(), `${office.url}/account?from=a+link#here`);
});

test('if single sign-on is required, passwords are refused, and an owner signs in with a recovery code', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  await setPassword(server, owner, password);
  const codes = await server.call(`POST /api/sso/orgs/${organizationId}/recovery-codes`, { as: owner });
  await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
  await addVerifiedDomain(server, organizationId);
  const page = await office.open('/sign-in');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Your organization requires single sign-on');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Sign in with a recovery code' }).click();
  await assertAccessible(page);
  await expect(page.getByLabel('Email')).toHaveValue(owner.email);
  await page.getByLabel('Recovery code').fill('00000-00000-00000-00000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Incorrect email or code');
  await page.getByLabel('Recovery code').fill(codes.body.items[0]);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Dashboards', level: 1 })).toBeVisible();
});

test('an invitation is accepted with a new or an existing account, but not by anyone else', async (context) => {
  const office = await startWebOffice(context);
  const { server } = office;
  const link = await invite(office, 'bob@example.com');
  const bob = await office.open(`/invitation${link}`);
  await assertAccessible(bob);
  await bob.getByLabel('Your name').fill('Bob');
  await bob.getByLabel(/^Password/).fill(password);
  await bob.getByRole('button', { name: 'Join' }).click();
  await expect(bob.getByRole('button', { name: 'Organization: Organization' })).toBeVisible();
  assert.equal(
    await bob.evaluate(() => history.length),
    2,
    'only the empty page and the current one, none with the token',
  );

  const late = await office.open(`/invitation${link}`);
  await expect(late.getByRole('heading', { name: 'This invitation is not valid' })).toBeVisible();
  await assertAccessible(late);

  const [cyd, dan] = [await server.createPerson('Cyd'), await server.createPerson('Dan')];
  const toCyd = await invite(office, cyd.email);
  const other = await office.open(`/invitation${toCyd}`, dan);
  await expect(other.getByText(`you’re signed in as ${dan.email}`)).toBeVisible();
  await assertAccessible(other);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other.getByText('Sign in to join Organization as an editor.')).toBeVisible();

  const own = await office.open(`/invitation${toCyd}`, cyd);
  await own.getByRole('button', { name: 'Join' }).click();
  await expect(own.getByRole('button', { name: 'Organization: Organization' })).toBeVisible();
});

test('a failed sign-in through the directory is explained, and a link from elsewhere asks before it replaces a session', async (context) => {
  const directory = await startDirectory({ tenantId });
  atEndOf(context, directory.stop);
  const office = await startWebOffice(context, {
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
  });
  const { server, owner, organizationId, url } = office;
  const saved = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
    as: owner,
    body: {
      provider: 'idp_ad',
      clientId: directory.clientId,
      clientSecret: directory.clientSecret,
      tenantId,
      emailDomains: ['contoso.test'],
      enabled: true,
    },
  });
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain: 'contoso.test' });
  directory.allowRedirect(`${url}/api/sso/callback/${saved.body.id}`);
  directory.addPerson({
    subject: 'oid-of-bob',
    claims: { preferred_username: 'bob@contoso.test', name: 'Bob' },
  });

  const failed = await office.open(
    `/api/sso/callback/${saved.body.id}?state=x&code=y&error_description=Call+555`,
  );
  await expect(failed.getByRole('alert')).toContainText(
    'This sign-in has expired, was already completed, or was started in another browser',
  );
  await expect(failed.getByText('555')).toHaveCount(0);
  assert.equal(failed.url(), `${url}/sign-in`);
  await assertAccessible(failed);
  await failed
    .context()
    .addCookies([{ name: 'test_person', value: 'oid-of-bob', url: `http://${directory.host}` }]);
  await failed.getByLabel('Email').fill('bob@contoso.test');
  await failed.getByRole('button', { name: 'Continue' }).click();
  await expect(failed.getByRole('button', { name: 'Account of Bob' })).toBeVisible();

  const asked = await office.open(`/api/sso/start/${organizationId}?returnTo=/account`, owner);
  await expect(asked.getByRole('heading', { name: 'Sign in as someone else?' })).toBeVisible();
  await expect(asked.getByText(`You’re signed in as Ada (${owner.email})`)).toBeVisible();
  await assertAccessible(asked);
  await asked
    .context()
    .addCookies([{ name: 'test_person', value: 'oid-of-bob', url: `http://${directory.host}` }]);
  await asked.getByRole('button', { name: 'Sign out and go to the directory' }).click();
  await expect(asked.getByRole('button', { name: 'Account of Bob' })).toBeVisible();
  assert.equal(asked.url(), `${url}/account`);
});
