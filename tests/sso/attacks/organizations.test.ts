import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { hashPassword } from '../../../src/server/accounts/passwords.ts';
import { bodies, furnish, lineOf } from './belongings.ts';
import { describeTenancies, type Tenancy } from '../../support/sso/hostile-world.ts';
import { cookieOf, linkTokenOf, toPerson } from '../../support/sso/responses.ts';
import { problemOf, type Person } from '../../support/server/test-server.ts';

/** Signs a person in through an organization's provider, whatever it asserts. */
async function signInAs(tenancy: Tenancy, claims: Record<string, unknown>): Promise<Person | undefined> {
  tenancy.provider.setPerson(claims);
  const { response } = await tenancy.signIn();
  if (response.status !== 302) return undefined;
  const token = cookieOf(response).split('=')[1] ?? '';
  const who = await tenancy.server.call('GET /api/auth/get-session', {
    headers: { cookie: cookieOf(response) },
  });
  return { id: who.body.user.id, email: who.body.user.email, token };
}

/** Returns all that the owner sees of an organization, except the refused sign-ins of others. */
async function readAll({ server, owner, organizationId: id }: Tenancy): Promise<string> {
  const paths = [
    `organizations/${id}`,
    `organizations/${id}/members`,
    `organizations/${id}/invitations`,
    `organizations/${id}/audit`,
    `sso/orgs/${id}/config`,
    `sso/orgs/${id}/status`,
    `sso/orgs/${id}/policy`,
    `sso/orgs/${id}/domains`,
    `dashboards?organizationId=${id}`,
    `reports?organizationId=${id}`,
    `organizations/${id}/data-sources`,
    `organizations/${id}/images`,
    `organizations/${id}/folders`,
  ];
  const responses = [];
  for (const path of paths) {
    const response = await server.call(`GET /api/${path}`, { as: owner });
    assert.equal(response.status, 200, `${path}: ${response.text}`);
    const items: { action?: string }[] | undefined = response.body.items;
    const shown = items?.filter(({ action }) => action !== 'sign_in.refused') ?? response.body;
    responses.push(JSON.stringify(shown));
  }
  return responses.join('\n');
}

/** Operations that send a challenge for a passkey to anyone, or for passkeys of the account. Its cookie gives access to nothing. */
const sendsChallenge = new Set(['startPasskey', 'startPasskeyConfirmation', 'startPasskeySignIn']);

const begins: ReadonlySet<string> = new Set(['startSso']);
const mayEndItself: ReadonlySet<string> = new Set(['signOut']);

describeTenancies('a hostile organization', (world) => {
  test('cannot access another by any route of the contract', async () => {
    const [attacker, victim] = [await world.createTenancy(), await world.createTenancy()];
    const { server } = attacker;
    const bob = { oid: 'oid-of-bob', name: 'Bob', preferred_username: 'bob@corp1.example' };
    const rightful = await signInAs(victim, bob);
    assert.ok(rightful);
    const belongings = await furnish(victim);

    // Its own administrators, with a password and through its directory, which sends the same object id.
    await server.call(`PUT /api/sso/orgs/${attacker.organizationId}/policy`, {
      as: attacker.owner,
      body: { requireSso: false, defaultRole: 'admin', roleMappings: [] },
    });
    const mole = await signInAs(attacker, { ...bob, preferred_username: 'bob@corp0.example' });
    assert.ok(mole);
    assert.notEqual(mole.id, rightful.id);

    const before = await readAll(victim);
    for (const [name, person] of Object.entries({ owner: attacker.owner, mole })) {
      for (const route of routes.filter(({ id }) => !mayEndItself.has(id))) {
        const line = lineOf(route, belongings);
        const body = bodies(belongings, attacker)[route.id];
        assert.ok(route.body === undefined || body !== undefined, `a body for ${route.id}`);
        const response = await server.call(line, {
          as: person,
          headers: { 'if-match': '*', ...(route.upload && { 'content-type': route.upload[0] ?? '' }) },
          ...(body && { body }),
          ...(route.upload && { body: 'a\n1\n' }),
        });
        const what = `${name}: ${line}: ${response.status} ${response.text.slice(0, 500)}`;
        assert.ok(response.status < 500, what);
        const namesVictim =
          line.includes(belongings.organizationId) ||
          route.path.startsWith('/api/explore/') ||
          /[{](dashboard|config|dataSource|report)Id[}]/.test(route.path);
        if (route.access === 'session' && namesVictim) assert.ok([404, 403].includes(response.status), what);
        if (route.path.includes('{orgId}') && route.access === 'session')
          assert.equal(response.status, 404, what);
        if (begins.has(route.id)) {
          assert.ok(String(response.headers.location).startsWith(victim.provider.issuer), what);
          continue;
        }
        if (route.id === 'startSsoByEmail') continue;
        for (const [kind, value] of Object.entries(belongings)) {
          assert.equal(response.text.includes(value), false, `${kind} in ${what}`);
        }
        if (!sendsChallenge.has(route.id)) assert.equal(response.headers['set-cookie'], undefined, what);
      }
    }
    assert.equal(await readAll(victim), before);
    const still = await server.call('GET /api/auth/get-session', { as: rightful });
    assert.equal(still.status, 200);
  });

  test('cannot impersonate the people of another', async () => {
    const [attacker, victim] = [await world.createTenancy(), await world.createTenancy()];
    const { server } = attacker;
    const rightful = await signInAs(victim, {
      oid: 'oid-of-bob',
      preferred_username: `bob@${victim.domain}`,
      name: 'Bob',
    });
    assert.ok(rightful);
    const openings = (person: Person) =>
      server.call(`GET /api/organizations/${victim.organizationId}`, { as: person });
    assert.equal((await openings(rightful)).status, 200);

    // An email in the other's domain, in each claim that can contain one.
    for (const claims of [
      { email: `bob@${victim.domain}` },
      { email: `bob@${victim.domain}`, xms_edov: true },
      { preferred_username: `bob@${victim.domain}` },
      { upn: `bob@${victim.domain}` },
      { email: victim.owner.email, xms_edov: 1 },
    ]) {
      assert.equal(await signInAs(attacker, { oid: 'oid-of-bob', name: 'Bob', ...claims }), undefined);
      assert.equal((await attacker.lastRefusal())?.code, 'domain_refused');
    }

    // The same provider as the other, so that issuer and object id are the same.
    const { provider } = victim;
    const { tenantId, discoveryUrl, clientId, clientSecret } = provider;
    await attacker.save({ tenantId, discoveryUrl, clientId, clientSecret });
    provider.setPerson({ oid: 'oid-of-bob', name: 'Bob', preferred_username: `bob@${attacker.domain}` });
    const started = await attacker.start();
    const back = await provider.authorize(String(started.headers.location));
    const done = await server.call(`GET ${back.pathname}${back.search}`, {
      headers: { cookie: cookieOf(started) },
    });
    assert.equal(done.status, 302, done.text);
    const who = await server.call('GET /api/auth/get-session', { headers: { cookie: cookieOf(done) } });
    assert.notEqual(who.body.user.id, rightful.id);
    const twin = { id: who.body.user.id, email: '', token: cookieOf(done).split('=')[1] ?? '' };
    assert.equal((await openings(twin)).status, 404);

    // The issuer of the other in a document and in a token of its own.
    await attacker.save();
    attacker.provider.bend({ claims: (honest) => ({ ...honest, iss: provider.issuer, tid: tenantId }) });
    assert.equal(
      await signInAs(attacker, { oid: 'oid-of-bob', preferred_username: `bob@${attacker.domain}` }),
      undefined,
    );
    attacker.provider.bend({ discovery: (honest) => ({ ...honest, issuer: provider.issuer }) });
    await attacker.save();
    assert.equal(
      await signInAs(attacker, { oid: 'oid-of-bob', preferred_username: `bob@${attacker.domain}` }),
      undefined,
    );
    assert.equal((await attacker.lastRefusal())?.code, 'issuer_mismatch');
    attacker.provider.bend({});

    // The other's domain in its own configuration.
    await attacker.save({ emailDomains: [attacker.domain, victim.domain] });
    const claimed = `/api/sso/orgs/${attacker.organizationId}/domains/${victim.domain}/verify`;
    assert.equal(problemOf(await server.call(`POST ${claimed}`, { as: attacker.owner })).status, 409);
    assert.equal(
      await signInAs(attacker, { oid: 'oid-of-bob', preferred_username: `bob@${victim.domain}` }),
      undefined,
    );
    const routed = await server.call('POST /api/sso/sign-in', { body: { email: `bob@${victim.domain}` } });
    assert.match(routed.body.url, new RegExp(`/api/sso/start/${victim.organizationId}`));
    assert.equal((await openings(rightful)).status, 200);
  });

  test('can link an account that is a member of both, which gives no further access', async () => {
    const [attacker, victim] = [await world.createTenancy(), await world.createTenancy()];
    const { server } = attacker;
    const email = `shared@${attacker.domain}`;
    const password = 'correct horse battery';
    const passwordHash = await hashPassword(password);
    const account = await server.database.write((transaction) =>
      createUser(transaction, Date.now, { email, name: 'Shared', passwordHash }),
    );
    const shared = { id: account.id, email, token: '' };
    await server.addMember(attacker.organizationId, shared, 'viewer');
    await server.addMember(victim.organizationId, shared, 'owner');
    attacker.provider.setPerson({ oid: 'any', name: 'Renamed', preferred_username: email });
    // The data that is stored until the password is entered must not exceed what can be stored.
    attacker.provider.bend({
      payload: (text) => text.replace('{', `{"groups":${'['.repeat(20_000)}${']'.repeat(20_000)},`),
    });
    const { response, cookie } = await attacker.signIn();
    attacker.provider.bend({});
    const confirmed = await server.call('POST /api/sso/sign-in/link', {
      body: { token: linkTokenOf(response), password },
      headers: { cookie },
    });
    const linked = await toPerson(server, confirmed);
    assert.equal(linked.id, account.id);
    const open = (line: string) => server.call(line, { as: linked });
    assert.equal((await open(`GET /api/organizations/${attacker.organizationId}`)).status, 200);
    assert.equal((await open(`GET /api/organizations/${victim.organizationId}`)).status, 404);
    assert.equal((await open(`GET /api/sso/orgs/${victim.organizationId}/config`)).status, 404);
    const listed = await open('GET /api/organizations');
    assert.deepEqual(
      listed.body.items.map(({ id }: { id: string }) => id),
      [attacker.organizationId],
    );
    // The directory of one organization can't change an account that it does not manage.
    const again = await signInAs(attacker, {
      oid: 'any',
      name: 'Renamed',
      preferred_username: `other@${attacker.domain}`,
    });
    assert.equal(again?.email, email);
    // Another person of the directory can't get it by the address either.
    const another = await signInAs(attacker, { oid: 'another', preferred_username: email });
    assert.notEqual(another?.id, account.id);
  });
});
