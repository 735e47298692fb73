import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDirectory } from '../support/directory.ts';
import { describeOnBothEngines, startTestServer } from '../support/test-server.ts';
import { vouchForDomain } from '../../src/server/sso/sso-domains.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';

describeOnBothEngines('signing in through Entra', (engine) => {
  test('begins with an e-mail address and ends with a session of the organization', async (context) => {
    const directory = await startDirectory({ tenantId });
    context.after(() => directory.stop());
    const server = await startTestServer(context, engine, {
      ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
      ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
    });
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const saved = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
      as: ada,
      body: {
        provider: 'idp_ad',
        clientId: directory.clientId,
        clientSecret: directory.clientSecret,
        tenantId,
        emailDomains: ['contoso.example'],
        enabled: true,
      },
    });
    assert.equal(saved.status, 200);
    await vouchForDomain(server.database, Date.now, { organizationId, domain: 'contoso.example' });
    const status = await server.call(`GET /api/sso/orgs/${organizationId}/status`, { as: ada });
    assert.deepEqual([status.body.state, status.body.reasons], ['ready', []]);
    directory.allowRedirect(status.body.redirectUri);
    directory.addPerson({ subject: 'oid-of-bob', claims: { preferred_username: 'bob@contoso.example', name: 'Bob' } });

    const asked = await server.call('POST /api/sso/sign-in', { body: { email: 'bob@contoso.example', returnTo: '/x?y' } });
    assert.equal(asked.body.method, 'sso');
    const start = await server.call(`GET ${asked.body.url.replace('http://localhost:3000', '')}`);
    assert.equal(start.status, 302, start.text);
    const cookie = String(start.headers['set-cookie']).split(';')[0] ?? '';
    const back = new URL(await directory.signIn(String(start.headers.location), 'oid-of-bob'));
    const done = await server.call(`GET ${back.pathname}${back.search}`, { headers: { cookie } });
    assert.equal(done.status, 302, done.text);
    assert.equal(done.headers.location, '/x?y');
    const session = String(done.headers['set-cookie']).split(';')[0] ?? '';
    const who = await server.call('GET /api/auth/get-session', { headers: { cookie: session } });
    assert.equal(who.body.user.email, 'bob@contoso.example');
    assert.equal(who.body.session.organizationId, organizationId);
  });
});
