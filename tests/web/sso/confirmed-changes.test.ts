import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { domain, startReadyOffice } from './office.ts';
import { assertAccessible, expect } from '../web-office.ts';

test('a change of single sign-on waits for a confirmation, and nothing is lost that was entered', async (context) => {
  const { office, owner, organizationId, becomePerson } = await startReadyOffice(context);
  const { server } = office;
  const api = `/api/sso/orgs/${organizationId}`;
  const guide = `/organizations/${organizationId}/sso`;

  const page = await office.open(`/organizations/${organizationId}/settings`, owner);
  const section = page.getByRole('region', { name: 'Sign-in requirements' });
  await section.getByLabel('Confirm identity before changes of single sign-on').check();
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved the sign-in requirements.')).toBeVisible();
  const domainsOf = async () => (await server.call(`GET ${api}/config`, { as: owner })).body.emailDomains;
  const addDomain = async (to: typeof page, added: string) => {
    await to.goto(`${office.url}${guide}`);
    await to.getByRole('button', { name: /^Verify your email domain/ }).click();
    await to.getByRole('textbox', { name: 'Another domain' }).fill(added);
    await to.getByRole('button', { name: 'Add', exact: true }).click();
  };

  server.advance(minutesMs(11));
  await addDomain(page, 'one.example');
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await assertAccessible(page);
  await dialog.getByLabel(/^Password/).fill('correct horse battery');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('group', { name: 'one.example' })).toBeVisible();
  assert.deepEqual(await domainsOf(), [domain, 'one.example']);

  // In a session through the directory, the directory confirms it, in another tab.
  const through = await office.open('/sign-in');
  await becomePerson(through, 'Ada');
  await through.goto(`${office.url}/api/sso/start/${organizationId}?returnTo=${guide}`);
  await through.getByLabel(/^Password/).fill('correct horse battery');
  await through.getByRole('button', { name: 'Link and sign in' }).click();
  await expect(through.getByRole('heading', { name: 'Single sign-on', exact: true })).toBeVisible();
  server.advance(minutesMs(11));
  await addDomain(through, 'two.example');
  const opened = through.waitForEvent('popup');
  const theirs = through.getByRole('dialog', { name: 'Confirm it’s you' });
  await theirs.getByRole('link', { name: 'Sign in through the directory again' }).click();
  const tab = await opened;
  await expect(tab.getByRole('heading', { name: 'Your identity is confirmed' })).toBeVisible();
  await assertAccessible(tab);
  await tab.close();
  await assertAccessible(through);
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await expect(through.getByRole('group', { name: 'two.example' })).toBeVisible();
  assert.deepEqual(await domainsOf(), [domain, 'one.example', 'two.example']);
});
