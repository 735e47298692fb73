import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { StartedSignIn, SsoOrganization } from '../../support/sso/organization.ts';
import { problemOf, type Person } from '../../support/server/test-server.ts';

describeSignIns('a session or sign-in through a directory', (world) => {
  const statusOf = async (as: Person): Promise<number> =>
    (await world.server.call('GET /api/auth/get-session', { as })).status;
  const expired = { status: 400, code: 'sign_in_expired' };

  /** An organization with a person who is signed in, and one whose sign-in is in progress. */
  async function inUse(): Promise<{
    organization: SsoOrganization;
    bob: Person;
    carol: string;
    started: StartedSignIn;
  }> {
    const organization = await world.createOrganization();
    const bob = await organization.enter(organization.addPerson('Bob'));
    assert.equal(await statusOf(bob), 200);
    return { organization, bob, carol: organization.addPerson('Carol'), started: await organization.start() };
  }

  const changes: [what: string, change: (organization: SsoOrganization) => Promise<unknown>][] = [
    ['turned off', ({ save }) => save({ enabled: false })],
    ['deleted', ({ call }) => call('DELETE /config')],
    ['moved to another client', ({ save }) => save({ clientId: 'another' })],
    ['moved to another tenant', ({ save }) => save({ tenantId: '00000000-0000-4000-8000-000000000000' })],
    ['moved to AD FS', ({ save }) => save({ tenantId: undefined, discoveryUrl: world.adfs.discoveryUrl })],
  ];
  for (const [what, change] of changes) {
    test(`ends when the configuration is ${what}`, async () => {
      const { organization, bob, carol, started } = await inUse();
      const bystander = await inUse();
      await change(organization);
      assert.equal(await statusOf(bob), 401);
      assert.deepEqual(problemOf(await organization.complete(started, carol)), expired);
      assert.equal(await statusOf(organization.owner), 200);
      assert.equal(await statusOf(bystander.bob), 200);
      const done = await bystander.organization.complete(bystander.started, bystander.carol);
      assert.equal(done.status, 302, done.text);
    });
  }

  test('stays if the configuration is saved otherwise; only a sign-in in progress has to be repeated', async () => {
    const { organization, bob, carol, started } = await inUse();
    await organization.save({ emailDomains: [organization.domain, 'another.example'] });
    assert.equal(await statusOf(bob), 200);
    assert.deepEqual(problemOf(await organization.complete(started, carol)), expired);
    assert.equal((await organization.signIn(carol)).status, 302);
  });

  test('ends with the membership, and does not return with the next one', async () => {
    const { server } = world;
    const { organization, bob, started } = await inUse();
    const subject = organization.addPerson('Bob');
    const path = `DELETE /api/organizations/${organization.id}/members/${bob.id}`;
    assert.equal((await server.call(path, { as: organization.owner })).status, 204);
    assert.equal(await statusOf(bob), 401);
    assert.deepEqual(problemOf(await organization.complete(started, subject)), expired);
    const again = await organization.enter(subject);
    assert.equal(again.id, bob.id);
    assert.equal(await organization.roleOf(again), 'viewer');
    assert.deepEqual([await statusOf(again), await statusOf(bob)], [200, 401]);
  });

  test('of another organization stays if a membership ends', async () => {
    const { server } = world;
    const { organization, bob } = await inUse();
    const other = await world.createOrganization();
    await server.addMember(other.id, bob, 'viewer');
    const elsewhere = await server.createSsoSession(bob, other.id);
    const path = `DELETE /api/organizations/${organization.id}/members/${bob.id}`;
    assert.equal((await server.call(path, { as: bob })).status, 204);
    assert.deepEqual([await statusOf(bob), await statusOf(elsewhere)], [401, 200]);
  });

  test('ends when signing out, which returns where to sign out of the directory', async () => {
    const { server, entra } = world;
    const { organization, bob, carol, started } = await inUse();
    const out = await server.call('POST /api/auth/sign-out', {
      headers: { cookie: `auth.session_token=${bob.token}; ${started.cookie}` },
    });
    assert.equal(out.status, 200);
    assert.ok(out.body.logoutUrl.startsWith(`${entra.issuer}/session/end?`));
    assert.equal(await statusOf(bob), 401);
    assert.deepEqual(problemOf(await organization.complete(started, carol)), expired);
  });

  test('a session of another kind signs out only here', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'viewer');
    assert.deepEqual((await world.server.call('POST /api/auth/sign-out', { as: ada })).body, {});
  });

  test('a sign-in that takes longer than ten minutes is refused', async () => {
    const { organization, carol, started } = await inUse();
    const inTime = await organization.start();
    world.server.advance(minutesMs(10) - 1);
    assert.equal((await organization.complete(inTime, carol)).status, 302);
    world.server.advance(1);
    assert.deepEqual(problemOf(await organization.complete(started, carol)), expired);
  });
});
