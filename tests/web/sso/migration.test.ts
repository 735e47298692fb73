import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { startDirectory } from '../../support/sso/directory.ts';
import { atEndOf } from '../../support/endings.ts';
import { createContoso, domain, startSurroundings, tenantId } from './office.ts';
import { assertAccessible, expect, startWebServer } from '../web-office.ts';

test('people keep their accounts after a change from AD FS to Entra ID, which an owner can undo', async (context) => {
  const adfs = await startDirectory();
  atEndOf(context, adfs.stop);
  const { directory: entra, environment } = await startSurroundings(context, tenantId);
  const hosts = `${entra.host},${adfs.host}`;
  const office = await startWebServer(context, { ...environment, ATRIUM_SSO_PRIVATE_HOSTS: hosts });
  const { server } = office;
  const { ada, organizationId } = await createContoso(server);
  const api = `/api/sso/orgs/${organizationId}`;
  const save = async ({ clientId, clientSecret, discoveryUrl, tenantId: tenant }: typeof adfs) => {
    const body = { provider: 'idp_ad', clientId, clientSecret, emailDomains: [domain], enabled: true };
    const of = tenant === undefined ? { discoveryUrl } : { tenantId: tenant };
    await server.call(`POST ${api}/config`, { as: ada, body: { ...body, ...of } });
  };
  await save(adfs);
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  const { redirectUri } = (await server.call(`GET ${api}/status`, { as: ada })).body;
  for (const directory of [adfs, entra]) directory.allowRedirect(redirectUri);
  const enter = async (
    directory: typeof adfs,
    name: string,
    principal = `${name.toLowerCase()}@${domain}`,
  ) => {
    const own = directory === adfs ? { upn: principal } : { name, preferred_username: principal };
    directory.addPerson({ subject: name, claims: own });
    const started = await server.call(`GET /api/sso/start/${organizationId}`);
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    const { pathname, search } = new URL(await directory.signIn(String(started.headers.location), name));
    await server.call(`GET ${pathname}${search}`, { headers: { cookie } });
  };
  for (const name of ['Bob', 'Carol', 'Dave']) await enter(adfs, name);
  const page = await office.open(`/organizations/${organizationId}/sso`, ada);
  const card = page.getByRole('region', { name: 'People of the former provider' });
  await expect(page.getByRole('region', { name: 'Status' })).toBeVisible();
  await expect(card).toBeHidden();

  await save(entra);
  await page.reload();
  await expect(card.getByRole('status')).toHaveText(
    '0 of 3 people have signed in again. 3 more would keep their accounts.',
  );
  const row = (name: string) => card.getByRole('row', { name: new RegExp(`^${name}@`) });
  await expect(row('bob')).toContainText('Keeps the account (by address)');
  const list = card.getByLabel('People with another address');
  await list.fill('nobody@contoso.test,x');
  await expect(card).toContainText(
    'Line 1: nobody of the former provider has the address nobody@contoso.test.',
  );
  await assertAccessible(page);
  await list.fill(`carol@${domain},caroline@${domain}\ndave@${domain}`);
  await expect(row('carol')).toContainText('Keeps the account (from the list)');
  await expect(row('dave')).toContainText('New account (excluded)');
  await card.getByRole('button', { name: 'Keep these accounts' }).click();
  await expect(card.getByRole('button', { name: 'Save changes' })).toBeVisible();
  await expect(list).toHaveValue(`carol@${domain},caroline@${domain}\ndave@${domain}`);
  await assertAccessible(page);

  await enter(entra, 'Bob');
  await enter(entra, 'Caroline', `caroline@${domain}`);
  await page.reload();
  await expect(card.getByRole('status')).toHaveText(
    '2 of 3 people have signed in again. 0 more will keep their accounts.',
  );
  await expect(row('Bob bob')).toContainText('Signed in');
  await card.getByRole('button', { name: `Undo for caroline@${domain}` }).click();
  const dialog = page.getByRole('dialog', { name: `Undo the change for caroline@${domain}?` });
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog).toBeHidden();
  await expect(card.getByRole('status')).toContainText('1 of 3 people have signed in again.');
});
