import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { startBrowser } from '../../support/browser.ts';
import { findFreePort } from '../../support/network/free-port.ts';
import { startDirectory } from '../../support/sso/directory.ts';
import { atEndOf } from '../../support/endings.ts';
import { startTestServer } from '../../support/server/test-server.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';

test('a person signs in through the directory in a real browser, and signs out', async (context) => {
  const port = await findFreePort();
  const publicUrl = `http://localhost:${port}`;
  const directory = await startDirectory({ tenantId });
  atEndOf(context, directory.stop);
  const server = await startTestServer(context, 'SQLite', {
    ATRIUM_PUBLIC_URL: publicUrl,
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
  });
  await server.app.listen({ host: '127.0.0.1', port });
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const { clientId, clientSecret } = directory;
  const configuration = {
    provider: 'idp_ad',
    clientId,
    clientSecret,
    tenantId,
    emailDomains: ['contoso.test'],
    enabled: true,
  };
  const saved = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
    as: ada,
    body: configuration,
  });
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain: 'contoso.test' });
  directory.allowRedirect(`${publicUrl}/api/sso/callback/${saved.body.id}`);
  directory.addPerson({
    subject: 'oid-of-bob',
    claims: { preferred_username: 'bob@contoso.test', name: 'Bob' },
  });

  const browser = await startBrowser(context);
  const session = await browser.newContext();
  await session.addCookies([{ name: 'test_person', value: 'oid-of-bob', url: `http://${directory.host}` }]);
  const page = await session.newPage();
  // Starts from another site: the cookie that binds the sign-in must be sent on the way back.
  await page.goto(
    `${publicUrl}/api/sso/start/${organizationId}?returnTo=${encodeURIComponent('/account?signed=in')}`,
  );
  assert.equal(page.url(), `${publicUrl}/account?signed=in`);
  await page.getByRole('heading', { level: 1, name: 'Account', exact: true }).waitFor();

  const call = (method: string, path: string) =>
    page.evaluate(
      async ([verb, address]) => {
        const response = await fetch(address, { method: verb });
        return { status: response.status, text: await response.text() };
      },
      [method, path] as const,
    );
  const who = await call('GET', '/api/auth/get-session');
  const { user, session: opened } = JSON.parse(who.text);
  assert.deepEqual(
    [user.email, opened.method, opened.organizationId],
    ['bob@contoso.test', 'sso', organizationId],
  );
  const cookies = await session.cookies(publicUrl);
  const [cookie] = cookies.filter(({ name }) => name === 'auth.session_token');
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax']);
  assert.equal(await page.evaluate('document.cookie'), '');

  const out = await call('POST', '/api/auth/sign-out');
  assert.match(JSON.parse(out.text).logoutUrl, new RegExp(`^http://${directory.host}/`));
  assert.equal((await call('GET', '/api/auth/get-session')).status, 401);
});
