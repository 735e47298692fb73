import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { addConnection } from '../../support/sso/connection.ts';
import { cookieOf, linkTokenOf, pathOf, toPerson } from '../../support/sso/responses.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { password, type SsoOrganization } from '../../support/sso/organization.ts';
import { problemOf, type Person } from '../../support/server/test-server.ts';

describeSignIns('two directories of one organization', (world) => {
  const createBoth = async () => {
    const organization = await world.createOrganization();
    return { organization, connection: await addConnection(world.server, organization, world.openId) };
  };
  const isSignedIn = async (as: Person) =>
    (await world.server.call('GET /api/auth/get-session', { as })).status === 200;
  const lastRefusal = async (organization: SsoOrganization) =>
    (await organization.refusals()).at(-1)?.['code'];

  test('each admit only addresses of their own domains', async () => {
    const { organization, connection } = await createBoth();
    const asBoss = connection.addPerson('Boss', { email: `boss@${organization.domain}` });
    assert.deepEqual(problemOf(await connection.signIn(asBoss)), { status: 403, code: 'sign_in_refused' });
    assert.equal(await lastRefusal(organization), 'domain_refused');
    const asBob = organization.addPerson('Bob', { preferred_username: `bob@${connection.domain}` });
    assert.deepEqual(problemOf(await organization.signIn(asBob)), { status: 403, code: 'sign_in_refused' });
    assert.equal(await lastRefusal(organization), 'domain_refused');
    assert.deepEqual(await organization.members().then(({ length }) => length), 1);
  });

  test('a domain is verified for one of them at a time', async () => {
    const { organization, connection } = await createBoth();
    const both = [connection.domain, organization.domain];
    const saved = await connection.save({ emailDomains: both });
    assert.equal(saved.status, 200, saved.text);
    const listed = (await connection.call('GET /domains')).body.items;
    assert.deepEqual(
      listed.map(({ state, reason }: { state: string; reason?: string }) => [state, reason]),
      [
        ['proven', undefined],
        ['unproven', 'Another directory of this organization uses this domain.'],
      ],
    );
    const { reasons } = (await connection.call('GET /status')).body;
    assert.deepEqual(
      reasons.map(({ code }: { code: string }) => code),
      ['domain_of_other_directory'],
    );
    const record = listed[1].record;
    world.dns.publish(record.name, record.value);
    const verify = () => connection.call(`POST /domains/${organization.domain}/verify`);
    assert.deepEqual(problemOf(await verify()), { status: 409, code: 'domain_taken' });
    const asBoss = connection.addPerson('Boss', { email: `boss@${organization.domain}` });
    assert.equal((await connection.signIn(asBoss)).status, 403);
    // Once the first one gives it up, it can move.
    await organization.save({ emailDomains: [`other.${organization.domain}`] });
    assert.equal((await verify()).status, 200);
    assert.equal((await connection.signIn(asBoss)).status, 302);
  });

  test('people whose domain moves to another directory get new accounts there, never by their address', async () => {
    const { organization, connection } = await createBoth();
    const { domain } = organization;
    const before = await organization.enter(organization.addPerson('Ada'));
    await organization.setRole(before, 'admin');
    await organization.save({ emailDomains: [`other.${domain}`] });
    assert.equal((await connection.save({ emailDomains: [domain] })).status, 200);
    await verifyDomainAsOperator(world.server.database, Date.now, {
      organizationId: organization.id,
      domain,
    });
    const after = await connection.enter(connection.addPerson('Ada', { email: `ada@${domain}` }));
    assert.equal(after.email, before.email);
    assert.notEqual(after.id, before.id);
    assert.equal(await organization.roleOf(after), 'viewer');
    assert.equal(await organization.roleOf(before), 'admin');
  });

  test('a response of one provider doesn’t complete a sign-in at the other', async () => {
    const { organization, connection } = await createBoth();
    const subject = connection.addPerson('Bob');
    const first = await organization.start();
    const second = await connection.start();
    const back = new URL(await world.openId.signIn(second.url, subject));
    const state = new URL(first.url).searchParams.get('state') ?? '';
    const call = (path: string, cookie: string) => world.server.call(`GET ${path}`, { headers: { cookie } });
    // The state of one at the redirect URI of the other.
    const atOther = `/api/sso/callback/${organization.configurationId}${back.search}`;
    assert.deepEqual(problemOf(await call(atOther, second.cookie)), { status: 400, code: 'sign_in_expired' });
    // The code of one with the state of the other, as a provider in the middle would send it.
    const mixed = new URLSearchParams(back.search);
    mixed.set('state', state);
    const atOwn = `/api/sso/callback/${organization.configurationId}?${mixed.toString()}`;
    assert.deepEqual(problemOf(await call(atOwn, first.cookie)), { status: 403, code: 'sign_in_refused' });
    assert.equal(await lastRefusal(organization), 'token_invalid');
    // The sign-in that nobody interfered with still works.
    assert.equal((await call(`${back.pathname}${back.search}`, second.cookie)).status, 302);
  });

  test('do not exist for another organization', async () => {
    const { connection } = await createBoth();
    const other = await world.createOrganization();
    const body = {
      name: 'Mine',
      provider: 'oidc',
      clientId: 'evil',
      discoveryUrl: 'https://evil.example/.well-known/openid-configuration',
      emailDomains: ['evil.example'],
      enabled: true,
    };
    const policy = { defaultRole: 'admin', roleMappings: [] };
    for (const [line, options] of [
      ['GET ', {}],
      ['PUT ', { body }],
      ['DELETE ', {}],
      ['GET /status', {}],
      ['GET /policy', {}],
      ['PUT /policy', { body: policy }],
      ['GET /domains', {}],
      [`POST /domains/${connection.domain}/verify`, {}],
      ['POST /test', {}],
    ] as const) {
      const [method, path = ''] = line.split(' ');
      const foreign = await other.call(`${method} /connections/${connection.id}${path}`, options);
      const none = await other.call(`${method} /connections/${crypto.randomUUID()}${path}`, options);
      assert.deepEqual(problemOf(foreign), { status: 404, code: 'not_found' }, line);
      assert.deepEqual({ ...foreign.body, requestId: '' }, { ...none.body, requestId: '' });
    }
    const started = await world.server.call(`GET /api/sso/start/${other.id}?connection=${connection.id}`);
    assert.deepEqual(problemOf(started), { status: 404, code: 'not_found' });
    assert.equal((await connection.call('GET ')).body.name, 'Subsidiary');
  });

  for (const [what, end] of [
    [
      'turned off',
      (save: (changes: Record<string, unknown>) => Promise<unknown>) => save({ enabled: false }),
    ],
    [
      'pointed elsewhere',
      (save: (changes: Record<string, unknown>) => Promise<unknown>) => save({ clientId: 'another' }),
    ],
    ['deleted', undefined],
  ] as const) {
    test(`only what was obtained through the one that is ${what} ends`, async () => {
      const { organization, connection } = await createBoth();
      const groups = ['Sales'];
      const ada = await organization.enter(organization.addPerson('Ada', { groups }));
      const bob = await connection.enter(connection.addPerson('Bob', { groups }));
      const pending = await organization.start();
      const ending = await connection.start();
      const subject = connection.addPerson('Eve');
      const back = pathOf(await world.openId.signIn(ending.url, subject));
      if (end === undefined) assert.equal((await connection.call('DELETE ')).status, 204);
      else await end((changes) => connection.save(changes));
      assert.deepEqual([await isSignedIn(ada), await isSignedIn(bob)], [true, false]);
      const path = `/api/organizations/${organization.id}/groups`;
      assert.deepEqual((await world.server.call(`GET ${path}`, { as: organization.owner })).body.items, [
        { groupId: 'Sales', name: 'Sales', memberCount: 1 },
      ]);
      const refused = await world.server.call(`GET ${back}`, { headers: { cookie: ending.cookie } });
      assert.equal(refused.status, 400);
      assert.equal((await organization.complete(pending, organization.addPerson('Dan'))).status, 302);
      assert.equal((await organization.status()).state, 'ready');
    });
  }

  test('the end of the first one leaves the other as it is', async () => {
    const { organization, connection } = await createBoth();
    const groups = ['Sales'];
    const ada = await organization.enter(organization.addPerson('Ada', { groups }));
    const bob = await connection.enter(connection.addPerson('Bob', { groups }));
    assert.equal((await organization.call('DELETE /config')).status, 204);
    assert.deepEqual([await isSignedIn(ada), await isSignedIn(bob)], [false, true]);
    const path = `/api/organizations/${organization.id}/groups`;
    const { items } = (await world.server.call(`GET ${path}`, { as: organization.owner })).body;
    assert.deepEqual(
      items.map(({ groupId }: { groupId: string }) => groupId),
      [`${connection.id}:Sales`],
    );
    assert.equal((await connection.signIn(connection.addPerson('Bob'))).status, 302);
    assert.equal(await world.methodOf(`bob@${connection.domain}`), 'sso');
    // Without the first one, a sign-in without an address leads to the other.
    const started = await world.server.call(`GET /api/sso/start/${organization.id}`);
    assert.equal(new URL(String(started.headers.location)).host, world.openId.host);
  });

  test('groups of the same name are not the same group', async () => {
    const { organization, connection } = await createBoth();
    const share = async (groupId: string) => {
      const as = organization.owner;
      const { body } = await world.server.call('POST /api/dashboards', {
        as,
        body: { name: 'Numbers', organizationId: organization.id },
      });
      const access = { restricted: true, members: [], groups: [{ groupId, access: 'view' }] };
      const shared = await world.server.call(`PUT /api/dashboards/${body.id}/access`, { as, body: access });
      assert.equal(shared.status, 200, shared.text);
      return body.id as string;
    };
    const ofFirst = await share('Sales');
    const ofOther = await share(`${connection.id}:Sales`);
    const sees = async (as: Person) =>
      Promise.all(
        [ofFirst, ofOther].map(
          async (id) => (await world.server.call(`GET /api/dashboards/${id}`, { as })).status === 200,
        ),
      );
    const claimed = ['Sales', `${connection.id}:Sales`, `${connection.id.toUpperCase()}:Sales`];
    const ada = await organization.enter(organization.addPerson('Ada', { groups: claimed }));
    const bob = await connection.enter(connection.addPerson('Bob', { groups: claimed }));
    assert.deepEqual(await sees(ada), [true, false]);
    assert.deepEqual(await sees(bob), [false, true]);
    const path = `/api/organizations/${organization.id}/groups`;
    const { body } = await world.server.call(`GET ${path}`, { as: organization.owner });
    const { name } = (await connection.call('GET ')).body;
    const names = body.items.map((group: { name: string }) => group.name);
    assert.ok(names.includes('Sales') && names.includes(`Sales (${name})`), names.join());
  });

  test('an admin can’t become an owner through one that no owner approved', async () => {
    const { organization } = await createBoth();
    const admin = await organization.addAccount('Admin', 'admin');
    const connection = await addConnection(world.server, organization, world.openId, {
      domain: `evil.${organization.domain}`,
      as: admin,
    });
    const asOwner = { defaultRole: 'viewer', roleMappings: [{ claim: 'roles', value: 'o', role: 'owner' }] };
    const byAdmin = await connection.call('PUT /policy', { as: admin, body: asOwner });
    assert.deepEqual(problemOf(byAdmin), { status: 403, code: 'forbidden' });
    // The owner maps it without noticing who chose the provider.
    assert.equal((await connection.call('PUT /policy', { body: asOwner })).status, 200);
    const { reasons } = (await connection.call('GET /status')).body;
    assert.ok(reasons.some(({ code }: { code: string }) => code === 'owner_not_approved'));
    const eve = await connection.enter(connection.addPerson('Eve', { roles: ['o'] }));
    assert.equal(await organization.roleOf(eve), 'admin');
    // An approval of one is none of the other.
    await connection.save();
    await connection.enter(connection.addPerson('Eve', { roles: ['o'] }));
    assert.equal(await organization.roleOf(eve), 'owner');
    assert.equal((await connection.change({ clientId: 'another' }, admin)).status, 200);
    assert.equal((await organization.status()).reasons.length, 0);
  });

  test('one does not reduce the role that the other gave, until that one is turned off', async () => {
    const { organization, connection } = await createBoth();
    await organization.putPolicy({ roleMappings: [{ claim: 'roles', value: 'boss', role: 'admin' }] });
    const writers = { defaultRole: 'viewer', roleMappings: [{ claim: 'roles', value: 'w', role: 'editor' }] };
    await connection.call('PUT /policy', { body: writers });
    // The same account in both, since its password was entered for each.
    const account = await organization.addAccount('Ada', 'viewer');
    const asFirst = organization.addPerson('Ada', { roles: ['boss'] });
    const linked = await organization.enterAndLink(asFirst);
    assert.equal(linked.id, account.id);
    await organization.save({ emailDomains: [`other.${organization.domain}`] });
    await connection.save({ emailDomains: [connection.domain, organization.domain] });
    const id = { organizationId: organization.id, domain: organization.domain };
    await verifyDomainAsOperator(world.server.database, Date.now, id);
    /** As after a sign-in through the first one. */
    const setRoleGiven = (role: string) =>
      world.server.database.write((transaction) =>
        transaction.execute(
          `update sso_identities set role = '${role}' where configuration_id = '${organization.configurationId}'`,
        ),
      );
    const email = `ada@${organization.domain}`;
    const subject = connection.addPerson('Ada', { email, roles: ['w'] });
    const started = await connection.start();
    const back = pathOf(await world.openId.signIn(started.url, subject));
    const waiting = await world.server.call(`GET ${back}`, { headers: { cookie: started.cookie } });
    const confirmed = await world.server.call('POST /api/sso/sign-in/link', {
      body: { token: linkTokenOf(waiting), password },
      headers: { cookie: started.cookie },
    });
    const both = await toPerson(world.server, confirmed);
    assert.equal(both.id, account.id);
    assert.equal(await organization.roleOf(account), 'admin');
    for (const end of [
      // The first one gives the role no longer.
      () => organization.putPolicy({ roleMappings: [{ claim: 'roles', value: 'x', role: 'admin' }] }),
      // The membership with the role has ended.
      () =>
        world.server.call(`DELETE /api/organizations/${organization.id}/members/${account.id}`, {
          as: organization.owner,
        }),
    ]) {
      await setRoleGiven('admin');
      await end();
      await connection.enter(subject);
      assert.equal(await organization.roleOf(account), 'editor');
    }
    await setRoleGiven('admin');
    await organization.save({ enabled: false });
    await connection.enter(subject);
    assert.equal(await organization.roleOf(account), 'editor');
    // Turning it on again doesn't bring the role back.
    await organization.save();
    await connection.enter(subject);
    assert.equal(await organization.roleOf(account), 'editor');
  });

  test('a migration of the people of the first one moves nobody of the other', async () => {
    const { organization, connection } = await createBoth();
    const accepted = await organization.call('PUT /migration', { body: { byAddress: true, people: [] } });
    assert.equal(accepted.status, 200, accepted.text);
    const bob = await connection.enter(connection.addPerson('Bob'));
    const { clientId, clientSecret, discoveryUrl } = world.adfs;
    const moved = await connection.save({ clientId, clientSecret, discoveryUrl });
    assert.equal(moved.status, 200, moved.text);
    world.adfs.allowRedirect((await connection.call('GET /status')).body.redirectUri);
    const claims = { name: 'Bob', email: bob.email, email_verified: true };
    world.adfs.addPerson({ subject: 'another Bob', claims });
    const { url, cookie } = await connection.start();
    const back = pathOf(await world.adfs.signIn(url, 'another Bob'));
    const another = await toPerson(
      world.server,
      await world.server.call(`GET ${back}`, { headers: { cookie } }),
    );
    assert.equal(another.email, bob.email);
    assert.notEqual(another.id, bob.id);
  });

  test('the requirement of SSO holds as long as an owner can sign in through one of them', async () => {
    const { organization, bySso: ada } = await world.createRequiring();
    const connection = await addConnection(world.server, organization, world.openId, { as: ada });
    const isRequired = async () => (await organization.call('GET /policy', { as: ada })).body.requireSso;
    const bob = await connection.enter(connection.addPerson('Bob'));
    const path = `GET /api/organizations/${organization.id}`;
    assert.equal((await world.server.call(path, { as: bob })).status, 200);
    assert.equal((await connection.change({ enabled: false })).status, 200);
    assert.equal(await isRequired(), true);
    assert.equal((await connection.change({})).status, 200);
    // An owner in a directory that was pointed elsewhere may be unable to sign in there.
    const boss = await connection.enter(connection.addPerson('Boss'));
    await organization.setRole(boss, 'owner', ada);
    assert.equal((await connection.change({ clientSecret: 'another', clientId: 'another' })).status, 200);
    assert.equal(await isRequired(), true);
    // Nobody who has signed in through the other is an owner, so the end of the first one would lock all owners out.
    const { body: first } = await organization.call('GET /config', { as: ada });
    const turnedOff = await organization.call('POST /config', {
      as: ada,
      body: { ...first, enabled: false },
    });
    assert.equal(turnedOff.status, 200, turnedOff.text);
    assert.equal((await world.signInByPassword(ada)).status, 200);
  });

  test('a moved client never gets the secret that was stored for the one before', async () => {
    const { connection } = await createBoth();
    for (const change of [
      { clientId: 'another' },
      { discoveryUrl: 'https://evil.example/.well-known/openid-configuration' },
      { provider: 'keycloak' },
    ]) {
      await connection.save();
      const response = await connection.change(change);
      assert.equal(response.body.hasSecret, false, JSON.stringify(change));
    }
  });

  test('the callback belongs to the browser that started there', async () => {
    const { connection } = await createBoth();
    const { url } = await connection.start();
    const back = pathOf(await world.openId.signIn(url, connection.addPerson('Bob')));
    const response = await world.server.call(`GET ${back}`, { headers: { cookie: 'x=y' } });
    assert.deepEqual(problemOf(response), { status: 400, code: 'sign_in_expired' });
    assert.equal(cookieOf(response), '');
  });
});

describeSignIns('a provider other than Active Directory', (world) => {
  const addresses: readonly (readonly [what: string, claims: Record<string, unknown>, code: string])[] = [
    ['is not said to be verified', { email_verified: undefined }, 'email_refused'],
    ['is not verified', { email_verified: false }, 'email_refused'],
    ['is verified by another text', { email_verified: 'yes' }, 'email_refused'],
    [
      'is only a user name',
      { email: undefined, upn: 'boss@DOMAIN', preferred_username: 'boss@DOMAIN' },
      'email_refused',
    ],
  ];
  for (const [what, claims, code] of addresses) {
    test(`admits nobody whose address ${what}`, async () => {
      const organization = await world.createOrganization();
      const connection = await addConnection(world.server, organization, world.openId);
      const named = Object.fromEntries(
        Object.entries(claims).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.replace('DOMAIN', connection.domain) : value,
        ]),
      );
      const response = await connection.signIn(connection.addPerson('Boss', named));
      assert.deepEqual(problemOf(response), { status: 403, code: 'sign_in_refused' });
      assert.equal((await organization.refusals()).at(-1)?.['code'], code);
    });
  }

  test('identifies people by its own ID, whatever address it shows', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const bob = await connection.enter(connection.addPerson('Bob'));
    const renamed = await connection.enter(
      connection.addPerson('Bob', { email: `robert@${connection.domain}` }),
    );
    assert.equal(renamed.id, bob.id);
    const another = await connection.enter(
      connection.addPerson('Eve', { email: `bob@${connection.domain}` }),
    );
    assert.notEqual(another.id, bob.id);
  });

  test('admits people of a Google Workspace only if its domain is verified', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId, { provider: 'google' });
    for (const [hd, status] of [
      ['evil.example', 403],
      [['evil.example'], 403],
      ['', 403],
      [connection.domain.toUpperCase(), 302],
    ] as const) {
      const response = await connection.signIn(connection.addPerson('Bob', { hd }));
      assert.equal(response.status, status, String(hd));
      if (status === 403)
        assert.equal((await organization.refusals()).at(-1)?.['code'], 'hosted_domain_refused');
    }
  });

  test('is not Entra under another name, which would need a tenant', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const asEntra = connection.addPerson('Bob', { tid: '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f', oid: 'x' });
    assert.equal((await connection.signIn(asEntra)).status, 403);
    assert.equal((await organization.refusals()).at(-1)?.['code'], 'tenant_required');
    for (const tenant of ['common', 'organizations']) {
      const discoveryUrl = `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`;
      await connection.save({ discoveryUrl });
      const { reasons } = (await connection.call('GET /status')).body;
      assert.equal(reasons[0].code, 'tenant_required');
    }
  });
});
