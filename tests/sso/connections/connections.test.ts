import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox } from '../../../src/server/base/credentials/secret-box.ts';
import { rotateClientSecrets } from '../../../src/server/sso/configuration/client-secrets.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { createWorkloadIdentity } from '../../../src/server/sso/workload/workload-identity.ts';
import { listSsoStates } from '../../../src/server/sso/configuration/states.ts';
import { addConnection } from '../../support/sso/connection.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { problemOf } from '../../support/server/test-server.ts';
import { anId } from '../../support/sso/configuration.ts';

describeSignIns('a directory beside the first one', (world) => {
  test('is listed after the first one, of which the contract’s operations show no difference', async () => {
    const organization = await world.createOrganization();
    const { body: before } = await organization.call('GET /config');
    const { body: statusBefore } = await organization.call('GET /status');
    const connection = await addConnection(world.server, organization, world.openId, { provider: 'okta' });
    const { body: after } = await organization.call('GET /config');
    assert.deepEqual(after, before);
    assert.deepEqual((await organization.call('GET /status')).body, statusBefore);
    const { body } = await organization.call('GET /connections');
    const [first, second] = body.items;
    assert.equal(body.items.length, 2);
    assert.deepEqual(first, { ...before, isFirst: true, provider: 'entra', state: 'ready' });
    const { createdAt, updatedAt, ...rest } = second;
    assert.match(second.id, anId);
    assert.deepEqual(rest, {
      id: connection.id,
      organizationId: organization.id,
      name: 'Subsidiary',
      isFirst: false,
      provider: 'okta',
      clientId: 'atrium',
      discoveryUrl: world.openId.discoveryUrl,
      emailDomains: [connection.domain],
      enabled: true,
      hasSecret: true,
      state: 'ready',
    });
    assert.deepEqual((await connection.call('GET ')).body, { ...rest, createdAt, updatedAt });
    const page = await organization.call('GET /connections?limit=1');
    assert.deepEqual(page.body.items, [first]);
    const next = await organization.call(`GET /connections?limit=1&cursor=${page.body.nextCursor}`);
    assert.deepEqual(next.body, { items: [second] });
  });

  test('can be stored before anything but its name is known, and says what is missing', async () => {
    const organization = await world.createOrganization();
    const body = { name: 'New', provider: 'keycloak', clientId: '', emailDomains: [], enabled: false };
    const created = await organization.call('POST /connections', { body });
    assert.equal(created.status, 201, created.text);
    const { body: status } = await organization.call(`GET /connections/${created.body.id}/status`);
    assert.deepEqual(
      status.reasons.map(({ code }: { code: string }) => code),
      ['client_id_missing', 'discovery_url_invalid', 'secret_missing', 'no_proven_domain'],
    );
    assert.ok(status.redirectUri.endsWith(`/api/sso/callback/${created.body.id}`));
    const line = `POST /connections/${created.body.id}/test`;
    assert.deepEqual(problemOf(await organization.call(line)), { status: 409, code: 'sso_not_ready' });
  });

  test('has only what its provider has', async () => {
    const organization = await world.createOrganization();
    const body = { name: 'New', provider: 'okta', clientId: '', emailDomains: [], enabled: false };
    for (const wrong of [
      { tenantId: 'x' },
      { provider: 'saml' },
      { name: ' ' },
      { name: '' },
      { emailDomains: [''] },
      { provider: undefined },
    ]) {
      const response = await organization.call('POST /connections', { body: { ...body, ...wrong } });
      assert.deepEqual([response.status, response.body.code], [400, 'invalid_body'], JSON.stringify(wrong));
    }
    for (const extra of [
      { id: 'x' },
      { isFirst: true },
      { organizationId: 'x' },
      { hasSecret: true },
      { ownerApproved: true },
    ]) {
      const response = await organization.call('POST /connections', { body: { ...body, ...extra } });
      assert.deepEqual(
        problemOf(response),
        { status: 400, code: 'invalid_body', faults: [`/${Object.keys(extra)[0]} unknown`] },
        response.text,
      );
    }
    const created = await organization.call('POST /connections', { body });
    const { id, isFirst, organizationId, hasSecret } = created.body;
    assert.deepEqual([isFirst, organizationId, hasSecret], [false, organization.id, false]);
    assert.match(id, anId);
    const { id: firstId } = (await organization.call('GET /config')).body;
    const asGoogle = { ...body, provider: 'google' };
    const put = await organization.call(`PUT /connections/${firstId}`, { body: asGoogle });
    assert.deepEqual([put.status, put.body.code], [400, 'invalid_body']);
  });

  test('signs in the people of its domain, by their address', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const find = async (email: string) =>
      (await world.server.call('POST /api/sso/sign-in', { body: { email } })).body;
    const bob = await connection.enter(connection.addPerson('Bob'));
    const known = await find(bob.email);
    const unknown = await find(`nobody@${connection.domain}`);
    assert.equal(known.method, 'sso');
    assert.equal(new URL(known.url).searchParams.get('connection'), connection.id);
    assert.equal(unknown.url.replace('nobody', 'bob'), known.url);
    const first = await find(`ada@${organization.domain}`);
    assert.equal(new URL(first.url).searchParams.has('connection'), false);
    // A link with an address leads to its provider, too; without one, to the first.
    const hosts = [];
    for (const query of ['', `?loginHint=x@${connection.domain}`, `?loginHint=x@${organization.domain}`]) {
      const started = await world.server.call(`GET /api/sso/start/${organization.id}${query}`);
      hosts.push(new URL(String(started.headers.location)).host);
    }
    assert.deepEqual(hosts, [world.entra.host, world.openId.host, world.entra.host]);
    const members = await organization.members();
    assert.deepEqual(
      members.filter(({ email }) => email === bob.email).map(({ name, role }) => [name, role]),
      [['Bob', 'viewer']],
    );
  });

  test('is tested, and the result says so', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const started = await connection.call('POST /test');
    assert.equal(started.status, 201, started.text);
    const subject = connection.addPerson('Bob');
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    const back = new URL(await world.openId.signIn(started.body.url, subject));
    await world.server.call(`GET ${back.pathname}${back.search}`, { headers: { cookie } });
    const { body: result } = await connection.call(`GET /test/${started.body.id}`);
    assert.deepEqual([result.state, result.connectionId], ['done', connection.id]);
    assert.ok(result.checks.every(({ passed }: { passed: boolean }) => passed));
    assert.deepEqual(await organization.members().then(({ length }) => length), 1, 'a test adds nobody');
    const { body: first } = await organization.call('GET /config');
    const elsewhere = await organization.call(`GET /connections/${first.id}/test/${started.body.id}`);
    assert.equal(elsewhere.status, 404);
  });

  test('has its own roles', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const roleMappings = [{ claim: 'roles', value: 'writer', role: 'editor' }];
    const policy = { defaultRole: 'viewer', roleMappings, revalidateMinutes: 5 };
    assert.deepEqual((await connection.call('PUT /policy', { body: policy })).body, policy);
    assert.deepEqual((await organization.call('GET /policy')).body.roleMappings, []);
    const bob = await connection.enter(connection.addPerson('Bob', { roles: ['writer'] }));
    const ada = await organization.enter(organization.addPerson('Ada', { roles: ['writer'] }));
    assert.deepEqual([await organization.roleOf(bob), await organization.roleOf(ada)], ['editor', 'viewer']);
  });

  test('signs out at its own provider, and confirms an identity there', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const bob = await connection.enter(connection.addPerson('Bob'));
    const line = `GET /api/sso/start/${organization.id}?prompt=login`;
    const confirmed = await world.server.call(line, { as: bob });
    assert.equal(new URL(String(confirmed.headers.location)).host, world.openId.host);
    const out = await world.server.call('POST /api/auth/sign-out', { as: bob });
    assert.equal(new URL(out.body.logoutUrl).host, world.openId.host);
  });

  test('counts in the state of the organization, and its secret is rotated', async () => {
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const { database, secretBox } = world.server;
    const workloadIdentity = createWorkloadIdentity(readSettings({}), Date.now);
    const stateOf = async () =>
      (await listSsoStates({ database, secretBox, workloadIdentity }, 500)).filter(
        ({ organizationId }) => organizationId === organization.id,
      );
    const organizationId = organization.id;
    assert.deepEqual(await stateOf(), [{ organizationId, state: 'ready' }]);
    assert.equal((await connection.save({ clientSecret: '' })).status, 200);
    assert.deepEqual(await stateOf(), [{ organizationId, state: 'blocked' }]);
    await connection.save();
    const [newer, older] = [
      'a newer root key of this test, 32 characters',
      'the root key of the tests, 32 characters or more',
    ] as const;
    const rotated = await rotateClientSecrets(database, createSecretBox([newer, older]));
    assert.ok(rotated >= 2);
    assert.equal(await rotateClientSecrets(database, createSecretBox([older, newer])), rotated);
    assert.equal((await connection.signIn(connection.addPerson('Bob'))).status, 302);
  });
});
