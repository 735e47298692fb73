import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { minutesMs, timestamp } from '../../../src/server/base/clock.ts';
import type { Person } from '../../support/server/test-server.ts';
import { createToken } from '../../support/credentials/tokens.ts';
import { createChecks } from '../../support/sso/checks.ts';
import { addConnection } from '../../support/sso/connection.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { forgetTokens, isSignedIn, tokensOf } from './sessions.ts';

describeSignIns('the check whether people may still sign in', (world) => {
  const checks = () =>
    createChecks(
      world.server,
      [world.entra, world.adfs, world.openId].map(({ host }) => host),
    );
  const all = (people: readonly Person[]) =>
    Promise.all(people.map((person) => isSignedIn(world.server, person)));
  const setInterval = async (organization: SsoOrganization, revalidateMinutes: number) => {
    const response = await organization.putPolicy({ revalidateMinutes });
    assert.deepEqual([response.status, response.body.revalidateMinutes], [200, revalidateMinutes]);
  };

  // What earlier tests have left would be checked, too.
  beforeEach(async () => {
    world.entra.outage = undefined;
    await forgetTokens(world.server);
  });

  test('ends the sessions of a disabled person within 60 seconds, if it is made every minute', async () => {
    const organization = await world.createOrganization();
    await setInterval(organization, 1);
    const [bob, eve] = [organization.addPerson('Bob'), organization.addPerson('Eve')];
    const people = [
      await organization.enter(bob),
      await organization.enter(bob),
      await organization.enter(eve),
    ];
    const runner = checks();
    let disabledAt = 0;
    let lastAllowedAt = 0;
    // As the server does it: every two seconds, whatever the moment at which the person is disabled.
    for (let second = 0; second < 200; second += 2) {
      if (second === 70) {
        world.entra.disable(bob);
        disabledAt = world.server.clock();
      }
      await runner.checkDue();
      const [first, second_, other] = await all(people);
      assert.equal(other, true);
      if (first === true || second_ === true) lastAllowedAt = world.server.clock();
      world.server.advance(2_000);
    }
    assert.deepEqual(await all(people), [false, false, true]);
    const latencyMs = lastAllowedAt - disabledAt;
    assert.ok(latencyMs > 0 && latencyMs <= 60_000, `${latencyMs} ms`);
    const { lastLogout, revalidation, reasons } = await organization.status();
    assert.match(
      lastLogout?.message ?? '',
      /^Ended 1 session of bob@[\w.]+ at most \d+ s after the directory last confirmed them\. The person has to sign in there again\.$/,
    );
    assert.ok((lastLogout?.seconds ?? Infinity) <= 60, JSON.stringify(lastLogout));
    const { lastCheckedAt, ...state } = revalidation ?? {};
    assert.deepEqual(state, { everyMinutes: 1, sessionCount: 1 });
    assert.ok((lastCheckedAt ?? '') > timestamp(world.server.clock() - minutesMs(1)));
    assert.deepEqual(reasons, []);
    const ended = await organization.audit('sso.sessions.ended');
    assert.deepEqual(
      ended.map(({ actorId, details: { email, sessionCount, refusal } }) => [
        actorId,
        email,
        sessionCount,
        refusal,
      ]),
      Array.from({ length: 2 }, () => [undefined, `bob@${organization.domain}`, 1, 'invalid_grant']),
    );
  });

  test('is off for sessions without a refresh token, which end with the others of the person', async () => {
    const organization = await world.createOrganization();
    const bob = organization.addPerson('Bob');
    world.entra.issuesRefreshTokens = false;
    const unchecked = await organization.enter(bob);
    world.entra.issuesRefreshTokens = true;
    assert.equal((await organization.status()).revalidation?.sessionCount, 0);
    world.entra.disable(bob);
    world.server.advance(minutesMs(6));
    await checks().checkDue();
    assert.equal(await isSignedIn(world.server, unchecked), true);
    organization.addPerson('Bob');
    const checked = await organization.enter(bob);
    assert.deepEqual((await organization.status()).revalidation?.sessionCount, 1);
    world.entra.disable(bob);
    world.server.advance(minutesMs(6));
    await checks().checkDue();
    assert.deepEqual(await all([unchecked, checked]), [false, false]);
  });

  test('changes roles and groups as a sign-in does', async () => {
    const organization = await world.createOrganization();
    await organization.putPolicy({
      roleMappings: [{ claim: 'roles', value: 'writer', role: 'editor' }],
    });
    const subject = organization.addPerson('Bob', { roles: ['writer'], groups: ['a', 'b'] });
    const bob = await organization.enter(subject);
    assert.equal(await organization.roleOf(bob), 'editor');
    const groupsOf = async () =>
      (
        await world.server.call(`GET /api/organizations/${organization.id}/groups`, {
          as: organization.owner,
        })
      ).body.items.map(({ groupId }: { groupId: string }) => groupId);
    assert.deepEqual(await groupsOf(), ['a', 'b']);
    organization.addPerson('Bob', { groups: ['b', 'c'] });
    world.server.advance(minutesMs(4));
    await checks().checkDue();
    assert.equal(await organization.roleOf(bob), 'editor');
    world.server.advance(minutesMs(1));
    await checks().checkDue();
    assert.equal(await organization.roleOf(bob), 'viewer');
    assert.deepEqual(await groupsOf(), ['b', 'c']);
    assert.equal(await isSignedIn(world.server, bob), true);
  });

  test('ends nothing while the provider is away or refuses this client, and the status says since when', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const bob = await organization.enter(subject);
    const runner = checks();
    world.server.advance(minutesMs(5));
    const since = timestamp(world.server.clock());
    for (const outage of [
      { status: 503 },
      { status: 500, error: 'invalid_grant' },
      { status: 429, error: 'invalid_grant' },
      { status: 401, error: 'invalid_client' },
      { status: 400, error: 'unauthorized_client' },
      { status: 400, error: 'temporarily_unavailable' },
      { status: 200 },
    ]) {
      world.entra.outage = outage;
      const before = world.entra.refreshCount;
      await runner.checkDue();
      assert.equal(world.entra.refreshCount, before + 1, JSON.stringify(outage));
      assert.equal(await isSignedIn(world.server, bob), true, JSON.stringify(outage));
      const { revalidation, reasons, state } = await organization.status();
      assert.equal(revalidation?.unavailableSince, since);
      assert.deepEqual([state, reasons.map(({ code }) => code)], ['ready', ['checks_unavailable']]);
      world.server.advance(minutesMs(1));
    }
    world.entra.outage = undefined;
    await runner.checkDue();
    const { revalidation, reasons } = await organization.status();
    assert.deepEqual([revalidation?.unavailableSince, reasons], [undefined, []]);
    assert.equal(await isSignedIn(world.server, bob), true);
  });

  test('is reported as late once it is overdue by more than the interval, unless the provider doesn’t respond', async () => {
    const organization = await world.createOrganization();
    await organization.enter(organization.addPerson('Bob'));
    const readWarnings = async () => {
      const { revalidation, reasons } = await organization.status();
      return [revalidation?.lateSince, reasons.map(({ code, message }) => `${code}: ${message}`)];
    };
    const dueAt = world.server.clock() + minutesMs(5) - 12_000;
    world.server.advance(minutesMs(9));
    assert.deepEqual(await readWarnings(), [undefined, []]);
    world.server.advance(minutesMs(1));
    // The check of another session doesn't hide that.
    await organization.enter(organization.addPerson('Eve'));
    const [lateSince, warnings] = await readWarnings();
    assert.ok(Math.abs(Date.parse(String(lateSince)) - dueAt) < minutesMs(1));
    assert.deepEqual(warnings, [
      'checks_late: Checks whether people may still sign in are late: one has been due since ' +
        `${String(lateSince).slice(0, 16).replace('T', ' ')} UTC. Sessions of people who are disabled at the provider can stay open for longer than 5 minutes.`,
    ]);
    await checks().checkDue();
    assert.deepEqual(await readWarnings(), [undefined, []]);
    world.entra.outage = { status: 503 };
    world.server.advance(minutesMs(5));
    await checks().checkDue();
    world.server.advance(minutesMs(20));
    const [, [unavailable = '', ...others]] = (await readWarnings()) as [undefined, string[]];
    assert.deepEqual([unavailable.split(':')[0], others], ['checks_unavailable', []]);
  });

  test('uses each refresh token once, whatever the number of processes', async () => {
    const organization = await world.createOrganization();
    const people = [];
    for (const name of ['Ada', 'Bob', 'Eve'])
      people.push(await organization.enter(organization.addPerson(name)));
    const processes = [checks(), checks(), checks(), checks()];
    for (let round = 0; round < 4; round += 1) {
      const before = world.entra.refreshCount;
      const tokens = await tokensOf(world.server, organization.configurationId);
      world.server.advance(minutesMs(5));
      await Promise.all(processes.map((process) => process.checkDue()));
      assert.equal(world.entra.refreshCount, before + 3);
      const rotated = await tokensOf(world.server, organization.configurationId);
      assert.equal(new Set([...tokens, ...rotated]).size, 6);
    }
    // The provider would have revoked all tokens of a person if one had been sent twice.
    assert.deepEqual(await all(people), [true, true, true]);
  });

  test('is made before an administrative action if the last one is older than a minute, whatever the interval', async () => {
    const organization = await world.createOrganization();
    const roleMappings = [{ claim: 'roles', value: 'admin', role: 'admin' }];
    await organization.putPolicy({ roleMappings, revalidateMinutes: 60 });
    const subject = organization.addPerson('Ada', { roles: ['admin'] });
    const ada = await organization.enter(subject);
    const bob = await world.server.createMember(organization.id, 'viewer');
    const promote = (role: string) =>
      world.server.call(`PATCH /api/organizations/${organization.id}/members/${bob.id}`, {
        as: ada,
        body: { role },
      });
    const first = world.entra.refreshCount;
    assert.equal((await promote('editor')).status, 200);
    assert.equal(world.entra.refreshCount, first, 'the sign-in was a moment ago');
    world.server.advance(minutesMs(1));
    assert.equal((await promote('viewer')).status, 200);
    assert.equal((await promote('editor')).status, 200);
    assert.equal(world.entra.refreshCount, first + 1);
    world.server.advance(minutesMs(1));
    // The provider does not respond, which must not keep administrators out.
    world.entra.outage = { status: 503 };
    assert.equal((await promote('viewer')).status, 200);
    world.entra.outage = undefined;
    world.entra.disable(subject);
    const before = world.entra.refreshCount;
    // It has just been tried.
    assert.equal((await promote('editor')).status, 200);
    world.server.advance(minutesMs(1));
    assert.equal(
      (await world.server.call(`GET /api/organizations/${organization.id}/members`, { as: ada })).status,
      200,
    );
    assert.equal(world.entra.refreshCount, before);
    const refused = await promote('viewer');
    assert.deepEqual([refused.status, refused.body.code], [401, 'unauthenticated']);
    assert.equal(world.entra.refreshCount, before + 1);
    assert.equal(await organization.roleOf(bob), 'editor');
  });

  test('is made before the organization is exported', async () => {
    const organization = await world.createOrganization();
    await organization.putPolicy({ revalidateMinutes: 60 });
    const subject = organization.addPerson('Ada');
    const ada = await organization.enter(subject);
    const exported = () =>
      world.server.call(`GET /api/organizations/${organization.id}/data-export`, { as: ada });
    assert.equal((await exported()).status, 403, 'only owners may');
    world.entra.disable(subject);
    world.server.advance(minutesMs(1));
    assert.equal((await exported()).status, 401);
  });

  test('is made before an administrative action after the clock was set back', async () => {
    const organization = await world.createOrganization();
    await organization.putPolicy({
      roleMappings: [{ claim: 'roles', value: 'admin', role: 'admin' }],
      revalidateMinutes: 60,
    });
    const subject = organization.addPerson('Ada', { roles: ['admin'] });
    const ada = await organization.enter(subject);
    world.entra.disable(subject);
    world.server.advance(-minutesMs(20));
    const body = { name: 'New name' };
    const changed = await world.server.call(`PATCH /api/organizations/${organization.id}`, { as: ada, body });
    world.server.advance(minutesMs(20));
    assert.equal(changed.status, 401);
  });

  test('never delays or refuses the operation of the contract', async () => {
    const organization = await world.createOrganization();
    await organization.putPolicy({ roleMappings: [{ claim: 'roles', value: 'admin', role: 'admin' }] });
    const subject = organization.addPerson('Ada', { roles: ['admin'] });
    const ada = await organization.enter(subject);
    const { body: configuration } = await organization.call('GET /config');
    world.entra.disable(subject);
    world.server.advance(minutesMs(30));
    const before = world.entra.refreshCount;
    const saved = await organization.call('POST /config', { as: ada, body: configuration });
    assert.deepEqual([saved.status, world.entra.refreshCount], [200, before]);
  });

  test('follows a changed interval at once, and forgets the tokens when it is turned off', async () => {
    const organization = await world.createOrganization();
    const bob = await organization.enter(organization.addPerson('Bob'));
    await setInterval(organization, 60);
    const runner = checks();
    const count = async () => {
      const before = world.entra.refreshCount;
      await runner.checkDue();
      return world.entra.refreshCount - before;
    };
    assert.equal(await count(), 1);
    world.server.advance(minutesMs(59));
    assert.equal(await count(), 0);
    world.server.advance(minutesMs(1));
    assert.equal(await count(), 1);
    // If it is absent, it doesn't change.
    assert.equal((await organization.putPolicy({ defaultRole: 'editor' })).body.revalidateMinutes, 60);
    await setInterval(organization, 0);
    assert.deepEqual(await tokensOf(world.server, organization.configurationId), []);
    await organization.enter(organization.addPerson('Eve'));
    assert.deepEqual(await tokensOf(world.server, organization.configurationId), []);
    const { revalidation } = await organization.status();
    assert.deepEqual(revalidation, { everyMinutes: 0, sessionCount: 0 });
    world.server.advance(minutesMs(60));
    assert.equal(await count(), 0);
    assert.equal(await isSignedIn(world.server, bob), true);
    for (const revalidateMinutes of [-1, 61, 1.5, '5', null])
      assert.equal((await organization.putPolicy({ revalidateMinutes })).status, 400);
  });

  test('works at AD FS and other providers, each with its own interval', async () => {
    const organization = await world.createOrganization({ directory: world.adfs });
    const connection = await addConnection(world.server, organization, world.openId);
    const policy = { defaultRole: 'viewer', roleMappings: [], revalidateMinutes: 1 };
    assert.deepEqual((await connection.call('PUT /policy', { body: policy })).body, policy);
    const [bob, eve] = [organization.addPerson('Bob'), connection.addPerson('Eve')];
    const people = [await organization.enter(bob), await connection.enter(eve)];
    world.adfs.disable(bob);
    world.openId.disable(eve);
    world.server.advance(minutesMs(1));
    await checks().checkDue();
    assert.deepEqual(await all(people), [true, false]);
    world.server.advance(minutesMs(4));
    await checks().checkDue();
    assert.deepEqual(await all(people), [false, false]);
  });

  test('ends what personal tokens owe to the sign-in', async () => {
    const { organization, bySso } = await world.createRequiring();
    const { token: secret } = await createToken(world.server, bySso, { organizationId: organization.id });
    const token = { ...bySso, token: secret, isBearer: true };
    const use = async () =>
      (await world.server.call(`GET /api/organizations/${organization.id}`, { as: token })).status;
    assert.equal(await use(), 200);
    world.entra.disable(`${organization.domain} Ada`);
    world.server.advance(minutesMs(5));
    await checks().checkDue();
    assert.notEqual(await use(), 200);
  });
});
