import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SsoCheck } from '#contract/sso/sign-in.ts';
import { anId } from '../../support/sso/configuration.ts';
import { describeSignInsOnBothEngines, tenantId } from '../../support/sso/world.ts';
import { cookieOf, pathOf, toPerson } from '../../support/sso/responses.ts';
import type { TestResponse } from '../../support/server/test-server.ts';

const codesOf = (items: { code: string }[]) => items.map(({ code }) => code);
const failedOf = (checks: SsoCheck[]) => checks.filter(({ passed }) => !passed);

describeSignInsOnBothEngines('connecting Entra', (world) => {
  test('goes from an empty configuration to people who sign in', async () => {
    const { server, entra, dns } = world;
    const organization = await world.createOrganization({
      configuration: { enabled: false },
      isVerified: false,
    });
    const { id, owner, domain } = organization;

    const atFirst = await organization.status();
    assert.equal(atFirst.state, 'off');
    assert.deepEqual(codesOf(atFirst.reasons), ['no_proven_domain', 'domain_unproven']);
    for (const { message, remedy } of atFirst.reasons) assert.ok(message !== '' && remedy !== '');
    assert.equal(
      atFirst.redirectUri,
      `http://localhost:3000/api/sso/callback/${organization.configurationId}`,
    );
    const [unproven] = atFirst.domains;
    const { record } = unproven ?? {};
    assert.deepEqual(atFirst.domains, [{ domain, state: 'unproven', record }]);
    assert.equal(record?.name, `_atrium.${domain}`);
    assert.match(record?.value ?? '', /^atrium-domain-verification=[\w-]{32}$/);

    const verify = () => organization.verify();
    const nothing = await verify();
    assert.deepEqual([nothing.status, nothing.body.code], [409, 'domain_not_proven']);
    assert.ok(nothing.body.detail.includes(`_atrium.${domain}: no TXT record`), nothing.text);
    dns.publish(record?.name ?? '', 'v=spf1 -all', 'atrium-domain-verification=of-another');
    const wrong = await verify();
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'domain_not_proven']);
    for (const text of ['"v=spf1 -all"', '"atrium-domain-verification=of-another"', `"${record?.value}"`]) {
      assert.ok(wrong.body.detail.includes(text), wrong.body.detail);
    }
    dns.fail(true);
    const failed = await verify();
    dns.fail(false);
    assert.deepEqual([failed.status, failed.body.code], [409, 'domain_not_proven']);
    assert.match(failed.body.detail, /DNS returned ESERVFAIL/);
    dns.publish(record?.name ?? '', 'v=spf1 -all', record?.value ?? '');
    const right = await verify();
    const { provenAt } = right.body;
    assert.deepEqual(right.body, {
      domain,
      state: 'proven',
      record,
      provenBy: 'dns',
      provenAt,
      checkedAt: provenAt,
    });
    assert.deepEqual((await organization.call('GET /domains')).body, { items: [right.body] });
    assert.deepEqual((await organization.status()).reasons, []);

    const bob = organization.addPerson('Bob');
    const { id: testId, ...started } = await startTest();
    const before = await organization.call(`GET /config/test/${testId}`);
    const { createdAt } = before.body;
    const connectionId = organization.configurationId;
    assert.deepEqual(before.body, { id: testId, connectionId, state: 'waiting', createdAt, checks: [] });
    const back = await organization.complete(started, bob);
    assert.equal(back.status, 302, back.text);
    assert.equal(back.headers.location, `/organizations/${id}/sso/tests/${testId}`);
    assert.equal(back.headers['set-cookie'], undefined);
    const { body: tested } = await organization.call(`GET /config/test/${testId}`);
    const { checks, claims, ...found } = tested;
    assert.deepEqual(found, {
      id: testId,
      connectionId,
      state: 'done',
      createdAt,
      discovery: {
        issuer: entra.issuer,
        authorizationEndpoint: `${entra.issuer}/auth`,
        tokenEndpoint: `${entra.issuer}/token`,
        jwksUri: `${entra.issuer}/jwks`,
        endSessionEndpoint: `${entra.issuer}/session/end`,
      },
      identity: { issuer: entra.issuer, subject: bob },
      email: `bob@${domain}`,
      role: 'viewer',
    });
    assert.deepEqual(codesOf(checks), ['discovery', 'token', 'tenant', 'identity', 'email', 'domain']);
    assert.deepEqual(failedOf(checks), []);
    assert.deepEqual([claims.tid, claims.oid, claims.preferred_username], [tenantId, bob, `bob@${domain}`]);
    for (const hidden of ['nonce', 'at_hash', 'sid']) assert.ok(!Object.hasOwn(claims, hidden), hidden);
    assert.deepEqual(
      (await organization.members()).map(({ userId }) => userId),
      [owner.id],
    );

    // A configuration that is off signs nobody in, even after a successful test.
    assert.equal((await server.call(`GET /api/sso/start/${id}`)).status, 404);
    await organization.save({ enabled: true, clientSecret: undefined });
    assert.deepEqual(
      [(await organization.status()).state, (await organization.status()).reasons],
      ['ready', []],
    );

    const asked = await server.call('POST /api/sso/sign-in', {
      body: { email: ` Bob@${domain.toUpperCase()} `, returnTo: '/dashboards?of=mine' },
    });
    assert.equal(asked.status, 200);
    assert.equal(asked.body.method, 'sso');
    const start = await server.call(`GET ${pathOf(asked.body.url)}`);
    const atProvider = new URL(String(start.headers.location));
    assert.deepEqual(
      ['response_type', 'response_mode', 'code_challenge_method', 'login_hint', 'scope'].map((name) =>
        atProvider.searchParams.get(name),
      ),
      ['code', null, 'S256', `bob@${domain}`, 'openid profile email offline_access'],
    );
    const done = await organization.complete({ url: atProvider.href, cookie: cookieOf(start) }, bob);
    assert.equal(done.headers.location, '/dashboards?of=mine');
    assert.match(
      String(done.headers['set-cookie']),
      /^auth\.session_token=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax$/,
    );
    const person = await toPerson(server, done);
    const { body: who } = await server.call('GET /api/auth/get-session', { as: person });
    assert.deepEqual(who.user, { id: person.id, email: `bob@${domain}`, name: 'Bob' });
    assert.deepEqual([who.session.method, who.session.organizationId], ['sso', id]);
    assert.equal(await organization.roleOf(person), 'viewer');

    const another = await server.createOrganization(owner);
    await server.addMember(another, person, 'editor');
    const list = await server.call('GET /api/organizations', { as: person });
    assert.deepEqual(
      list.body.items.map((item: { id: string }) => item.id),
      [id],
    );
    assert.equal((await server.call(`GET /api/organizations/${id}`, { as: person })).status, 200);
    assert.equal((await server.call(`GET /api/organizations/${another}`, { as: person })).status, 404);

    const { body: status } = await organization.call('GET /status');
    assert.deepEqual(
      [status.state, status.reasons, status.lastSuccess.message, status.lastFailure],
      ['ready', [], `bob@${domain} signed in as viewer.`, undefined],
    );
    const audit = await organization.audit();
    assert.deepEqual(
      audit.map(({ action }) => action),
      [
        'organization.created',
        'sso.configuration.saved',
        'sso.domain.proven',
        'sso.test.begun',
        'sso.configuration.saved',
        'member.added',
        'sign_in.succeeded',
      ],
    );
    const { details, actorId } = audit.at(-1) ?? {};
    assert.deepEqual(
      [actorId, details?.['email'], details?.['role']],
      [person.id, `bob@${domain}`, 'viewer'],
    );
    assert.ok(!JSON.stringify([audit, status, tested, server.log]).includes(entra.clientSecret));

    async function startTest() {
      const response: TestResponse = await organization.call('POST /config/test');
      assert.equal(response.status, 201, response.text);
      return { id: response.body.id, url: response.body.url, cookie: cookieOf(response) };
    }
  });

  test('a test sign-in reports what is incorrect, and what to do', async () => {
    const organization = await world.createOrganization({
      configuration: { enabled: false },
      isVerified: false,
    });
    const test = async (subject: string) => {
      const result = await organization.test(subject);
      for (const { remedy } of failedOf(result.checks)) assert.ok(remedy, JSON.stringify(result));
      return result;
    };

    const unproven = await test(organization.addPerson('Ada'));
    assert.deepEqual(unproven.failed, ['domain']);
    assert.equal(unproven.email, `ada@${organization.domain}`);
    const nameless = await test(organization.addPerson('Nobody', { preferred_username: undefined }));
    assert.deepEqual(nameless.failed, ['email', 'domain']);
    assert.equal(nameless.email, undefined);
    await organization.save({ enabled: false, clientSecret: 'of another client' });
    const wrongSecret = await test(organization.addPerson('Ada'));
    assert.deepEqual(wrongSecret.failed, ['invalid_client']);
    assert.equal(wrongSecret.discovery.issuer, world.entra.issuer);
    assert.equal(wrongSecret.claims, undefined);

    const members = await organization.members();
    assert.deepEqual(
      members.map(({ userId }) => userId),
      [organization.owner.id],
    );
    const { state, lastSuccess, lastFailure } = await organization.status();
    assert.deepEqual([state, lastSuccess, lastFailure], ['off', undefined, undefined]);
  });

  test('the redirect URI is known before anything is stored, and does not change', async () => {
    const { server } = world;
    const owner = await server.createPerson();
    const [id, other] = [await server.createOrganization(owner), await server.createOrganization(owner)];
    const call = async (line: string, body?: object) => {
      const [method, path] = line.split(' ') as [string, string];
      return (await server.call(`${method} /api/sso/orgs/${id}${path}`, { as: owner, body })).body;
    };
    const { reasons, redirectUri, logoutUrl, ...rest } = await call('GET /status');
    assert.deepEqual(rest, {
      state: 'off',
      domains: [],
      domainCount: 0,
      sessionCount: 0,
      recoveryCodesLeft: 0,
      ownRecoveryCodesLeft: 0,
    });
    assert.equal(logoutUrl, redirectUri.replace('/callback/', '/logout/'));
    assert.deepEqual(codesOf(reasons), ['configuration_missing']);
    const ofOther = await server.call(`GET /api/sso/orgs/${other}/status`, { as: owner });
    assert.notEqual(ofOther.body.redirectUri, redirectUri);
    const least = { provider: 'idp_ad', clientId: 'client', emailDomains: ['example.com'], enabled: false };
    const { id: configurationId } = await call('POST /config', least);
    assert.match(configurationId, anId);
    assert.ok(redirectUri.endsWith(`/api/sso/callback/${configurationId}`));
    assert.equal((await call('GET /status')).redirectUri, redirectUri);
    await call('DELETE /config');
    assert.equal((await call('GET /status')).redirectUri, redirectUri);
  });

  test('a configuration that cannot connect is reported before the browser leaves', async () => {
    const organization = await world.createOrganization({
      configuration: { tenantId: 'contoso.onmicrosoft.com', clientSecret: undefined, enabled: false },
      isVerified: false,
    });
    const response = await organization.call('POST /config/test');
    assert.deepEqual([response.status, response.body.code], [409, 'sso_not_ready']);
    assert.match(response.body.detail, /The tenant ID must be a GUID.*\n.*No client secret/);
    assert.deepEqual(codesOf((await organization.status()).reasons), [
      'tenant_not_guid',
      'secret_missing',
      'no_proven_domain',
      'domain_unproven',
    ]);
    await organization.save({ tenantId: undefined, enabled: true });
    const { state, reasons } = await organization.status();
    assert.equal(state, 'blocked');
    assert.equal(codesOf(reasons)[0], 'tenant_required');
  });
});
