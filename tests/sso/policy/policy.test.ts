import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysMs } from '../../../src/server/base/clock.ts';
import { unlockOrganization } from '../../../src/server/sso/configuration/policies.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { problemOf, type Person } from '../../support/server/test-server.ts';

describeSignIns('the sign-in policy', (world) => {
  test('can only require SSO if an owner signed in that way, and with recovery codes', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const notReady = { status: 409, code: 'sso_not_ready' };
    assert.deepEqual(problemOf(await organization.putPolicy({ requireSso: true })), notReady);
    await organization.addAccount('Ada', 'owner');
    const ada = await organization.enterAndLink(organization.addPerson('Ada'));
    assert.deepEqual(problemOf(await organization.putPolicy({ requireSso: true }, ada)), notReady);
    const codes = await organization.createRecoveryCodes(ada);
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
    assert.equal((await organization.status()).recoveryCodesLeft, 10);
    assert.deepEqual(problemOf(await organization.putPolicy({ requireSso: true })), notReady);

    const recovered = await toPerson(server, await world.signInByCode(ada, codes[0]));
    assert.deepEqual(problemOf(await organization.putPolicy({ requireSso: true }, recovered)), notReady);
    const another = await world.createOrganization();
    await server.addMember(another.id, ada, 'owner');
    const elsewhere = await server.createSsoSession(ada, another.id);
    assert.equal((await organization.putPolicy({ requireSso: true }, elsewhere)).status, 404);
    await organization.addAccount('Admin', 'admin');
    const admin = await organization.enterAndLink(organization.addPerson('Admin'));
    const forbidden = { status: 403, code: 'forbidden' };
    assert.deepEqual(problemOf(await organization.putPolicy({ requireSso: true }, admin)), forbidden);
    assert.deepEqual(problemOf(await organization.call('POST /recovery-codes', { as: admin })), forbidden);
    const toOwner = { roleMappings: [{ claim: 'roles', value: 'Owner', role: 'owner' }] };
    assert.deepEqual(problemOf(await organization.putPolicy(toOwner, admin)), forbidden);
    assert.equal((await organization.putPolicy({ requireSso: true }, ada)).status, 200);
    // An admin may change the rest, which does not change the requirement.
    assert.equal(
      (await organization.putPolicy({ requireSso: true, defaultRole: 'editor' }, admin)).status,
      200,
    );
  });

  test('disallows passwords in new and in existing sessions', async () => {
    const { server } = world;
    const { organization, byPassword, bySso } = await world.createRequiring();
    const required = { status: 403, code: 'sso_required' };
    assert.deepEqual(problemOf(await world.signInByPassword(byPassword)), required);
    for (const path of ['', '/members', '/invitations', '/audit', '/audit/export']) {
      const line = `GET /api/organizations/${organization.id}${path}`;
      assert.deepEqual(problemOf(await server.call(line, { as: byPassword })), required, line);
      assert.equal((await server.call(line, { as: bySso })).status, 200, line);
    }
    for (const line of ['GET /config', 'GET /status', 'GET /policy', 'GET /domains', 'DELETE /config']) {
      assert.deepEqual(problemOf(await organization.call(line, { as: byPassword })), required, line);
    }
    const own = await server.createOrganization(byPassword);
    const idsOf = async (as: Person) => {
      const { body } = await server.call('GET /api/organizations', { as });
      return body.items.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual([await idsOf(byPassword), await idsOf(bySso)], [[own], [organization.id]]);
    // If the person is also in an organization that allows passwords, the password works only for that one.
    const again = await toPerson(server, await world.signInByPassword(byPassword));
    assert.deepEqual(await idsOf(again), [own]);
    const line = `GET /api/organizations/${organization.id}`;
    assert.deepEqual(problemOf(await server.call(line, { as: again })), required);
    const created = await server.call('POST /api/dashboards', {
      as: bySso,
      body: { name: 'Ours', organizationId: organization.id },
    });
    assert.ok([200, 201].includes(created.status), created.text);
    const dashboards = async (as: Person) =>
      (await server.call('GET /api/dashboards', { as })).body.items.length;
    assert.deepEqual([await dashboards(again), await dashboards(bySso)], [0, 1]);
  });

  test('a wrong password is reported first', async () => {
    const { byPassword } = await world.createRequiring();
    const response = await world.signInByPassword(byPassword, 'a wrong password');
    assert.deepEqual(problemOf(response), { status: 401, code: 'invalid_credentials' });
  });

  test('a recovery code signs an owner in once, in any notation', async () => {
    const { server } = world;
    const { organization, codes, byPassword } = await world.createRequiring();
    const [one = '', two = '', three = '', four = ''] = codes;
    const wrong = { status: 401, code: 'invalid_credentials' };
    const recovered = await toPerson(server, await world.signInByCode(byPassword, one));
    assert.equal(recovered.id, byPassword.id);
    const { body } = await server.call('GET /api/auth/get-session', { as: recovered });
    assert.deepEqual([body.session.method, body.session.organizationId], ['recovery_code', organization.id]);
    assert.equal((await organization.call('GET /status', { as: recovered })).body.recoveryCodesLeft, 9);
    assert.deepEqual(problemOf(await world.signInByCode(byPassword, one)), wrong);

    const spellings: [string, (code: string) => string][] = [
      [two, (code) => ` ${code.toUpperCase().replaceAll('-', ' ')} `],
      [three, (code) => code.replaceAll('-', '–')],
      [four, (code) => code.replaceAll('-', '').replaceAll('0', 'O').replaceAll('1', 'l')],
    ];
    for (const [code, spell] of spellings) {
      assert.equal(
        (await world.signInByCode({ email: byPassword.email.toUpperCase() }, spell(code))).status,
        200,
        spell(code),
      );
    }
    const viewer = await server.createMember(organization.id, 'viewer');
    assert.deepEqual(problemOf(await world.signInByCode(viewer, codes[4])), wrong);
    const another = await world.createRequiring();
    assert.deepEqual(problemOf(await world.signInByCode(another.byPassword, codes[4])), wrong);
    // Failed attempts for others have not used it up.
    const both = await Promise.all([5, 5].map((index) => world.signInByCode(byPassword, codes[index])));
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 401],
    );
    assert.equal((await world.signInByCode(byPassword, codes[4])).status, 200);
    const renewed = await organization.createRecoveryCodes(recovered);
    assert.deepEqual(problemOf(await world.signInByCode(byPassword, codes[6])), wrong);

    const audit = await organization.audit('sign_in.succeeded');
    assert.equal(audit.filter(({ details }) => details['method'] === 'recovery_code').length, 6);
    const written = JSON.stringify([await organization.audit(), server.log]);
    for (const code of [...codes, ...renewed]) assert.ok(!written.includes(code), 'a code is written down');
  });

  test('a recovery code cannot be guessed', async () => {
    const { byPassword, codes } = await world.createRequiring();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await world.signInByCode(byPassword, `aaaaa-${attempt}`)).status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429]);
    assert.equal((await world.signInByCode(byPassword, codes[0])).status, 429);
  });

  test('a recovery code works only for the owner who created it', async () => {
    const { server } = world;
    const { organization, codes, byPassword } = await world.createRequiring();
    const wrong = { status: 401, code: 'invalid_credentials' };
    const olga = await server.createMember(organization.id, 'owner');
    const scoped = await server.createSsoSession(olga, organization.id);
    const [own = '', second = ''] = await organization.createRecoveryCodes(scoped);
    // Neither owner can use the other's code, and both still work.
    assert.deepEqual(problemOf(await world.signInByCode(byPassword, own)), wrong);
    assert.deepEqual(problemOf(await world.signInByCode(olga, codes[0])), wrong);
    assert.equal((await toPerson(server, await world.signInByCode(olga, own))).id, olga.id);
    assert.equal((await toPerson(server, await world.signInByCode(byPassword, codes[0]))).id, byPassword.id);
    // Each owner replaces only their own.
    const status = async () => (await organization.call('GET /status', { as: scoped })).body;
    const left = async () => [(await status()).recoveryCodesLeft, (await status()).ownRecoveryCodesLeft];
    assert.deepEqual(await left(), [18, 9]);
    const [renewed = ''] = await organization.createRecoveryCodes(scoped);
    assert.deepEqual(await left(), [19, 10]);
    assert.deepEqual(problemOf(await world.signInByCode(olga, second)), wrong);
    assert.equal((await world.signInByCode(byPassword, codes[1])).status, 200);
    // They do not return with a new membership.
    const path = `/api/organizations/${organization.id}/members/${olga.id}`;
    const bySso = await server.createSsoSession(byPassword, organization.id);
    assert.equal((await server.call(`DELETE ${path}`, { as: bySso })).status, 204);
    await server.addMember(organization.id, olga, 'owner');
    assert.deepEqual(problemOf(await world.signInByCode(olga, renewed)), wrong);
  });

  test('recovery codes of a removed owner no longer work', async () => {
    const { server } = world;
    const { organization, bySso } = await world.createRequiring();
    const eve = await server.createMember(organization.id, 'owner');
    const scoped = await server.createSsoSession(eve, organization.id);
    const ownCodes = await organization.createRecoveryCodes(scoped);
    assert.equal((await world.signInByCode(eve, ownCodes[0])).status, 200);
    const line = `DELETE /api/organizations/${organization.id}/members/${eve.id}`;
    assert.equal((await server.call(line, { as: bySso })).status, 204);
    assert.deepEqual(problemOf(await world.signInByCode(eve, ownCodes[1])), {
      status: 401,
      code: 'invalid_credentials',
    });
  });

  test('a session from a recovery code continues after the configuration is fixed', async () => {
    const { server } = world;
    const { organization, codes, byPassword, bySso } = await world.createRequiring();
    const recovered = await toPerson(server, await world.signInByCode(byPassword, codes[0]));
    const { body } = await organization.call('GET /config', { as: recovered });
    const { provider, tenantId, emailDomains } = body;
    const moved = { provider, tenantId, emailDomains, clientId: 'another', clientSecret: 's', enabled: true };
    const response = await organization.call('POST /config', { as: recovered, body: moved });
    assert.equal(response.status, 200, response.text);
    const second = await toPerson(server, await world.signInByCode(byPassword, codes[1]));
    // It was not obtained through the provider, so there is nothing to sign out of.
    assert.deepEqual((await server.call('POST /api/auth/sign-out', { as: second })).body, {});
    const line = `GET /api/organizations/${organization.id}`;
    assert.deepEqual(
      [(await server.call(line, { as: bySso })).status, (await server.call(line, { as: recovered })).status],
      [401, 200],
    );
  });

  test('the operator allows passwords again', async () => {
    const { server } = world;
    const { organization, byPassword } = await world.createRequiring();
    assert.equal(await unlockOrganization(server.database, Date.now, organization.id), true);
    assert.equal((await world.signInByPassword(byPassword)).status, 200);
    assert.equal((await organization.call('GET /policy')).body.requireSso, false);
    assert.equal(await unlockOrganization(server.database, Date.now, organization.id), false);
    assert.equal(await unlockOrganization(server.database, Date.now, 'unknown'), undefined);
    const audit = await organization.audit('sso.unlocked');
    assert.deepEqual(
      audit.map(({ actorId, details }) => [actorId, details]),
      [
        [undefined, { before: true }],
        [undefined, { before: false }],
      ],
    );
  });

  test('the policy is replaced as a whole, and logged before and after', async () => {
    const organization = await world.createOrganization();
    const usual = { requireSso: false, defaultRole: 'viewer', roleMappings: [], revalidateMinutes: 5 };
    assert.deepEqual((await organization.call('GET /policy')).body, usual);
    const policy = {
      ...usual,
      defaultRole: 'editor',
      roleMappings: [{ claim: 'groups', value: 'g', role: 'owner' }],
      secretExpiresAt: '2027-05-01',
    };
    const response = await organization.putPolicy(policy);
    assert.deepEqual([response.status, response.body], [200, policy]);
    assert.deepEqual((await organization.call('GET /policy')).body, policy);
    const [saved] = await organization.audit('sso.policy.saved');
    assert.deepEqual(saved?.details, { before: usual, after: policy });
    const editor = await world.server.createMember(organization.id, 'editor');
    assert.equal((await organization.putPolicy({}, editor)).status, 403);
    assert.equal((await organization.putPolicy({}, await world.server.createPerson())).status, 404);
    const bad = await organization.putPolicy({
      defaultRole: 'owner',
      roleMappings: [{ claim: 'wids', value: '', role: 'king' }],
    });
    assert.deepEqual(problemOf(bad).code, 'invalid_body');
  });

  test('the status warns of an expiring secret from 60 days before', async () => {
    const organization = await world.createOrganization();
    const { body: clock } = await organization.call('POST /config/test');
    const test = await organization.call(`GET /config/test/${clock.id}`);
    const now = Date.parse(test.body.createdAt);
    const after = async (days: number) => {
      const secretExpiresAt = new Date(now + daysMs(days)).toISOString();
      assert.equal((await organization.putPolicy({ secretExpiresAt })).status, 200);
      const { state, reasons } = await organization.status();
      assert.equal(state, 'ready');
      return reasons.map(({ code, message }) => `${code}: ${message.replace(/\d{4}-.*/, '…')}`);
    };
    assert.deepEqual(await after(61), []);
    assert.deepEqual(await after(60), ['secret_expires_soon: The client secret expires in 60 days.']);
    assert.deepEqual(await after(30), ['secret_expires_soon: The client secret expires in 30 days.']);
    assert.deepEqual(await after(0.9), ['secret_expires_soon: The client secret expires in 1 day.']);
    assert.deepEqual(await after(0), ['secret_expired: The client secret expired on …']);
    assert.deepEqual(await after(-400), ['secret_expired: The client secret expired on …']);
    const bad = [
      '',
      'soon',
      '2026-13-01',
      '2026-02-30',
      '2026-02-29T10:00Z',
      '2026-11-21T25:00Z',
      '21.11.2026',
      '2026-11-21T10:00',
    ];
    for (const secretExpiresAt of bad) {
      const response = await organization.putPolicy({ secretExpiresAt });
      assert.equal(response.status, 400, secretExpiresAt);
      assert.ok(problemOf(response).faults?.[0]?.startsWith('/secretExpiresAt '), response.text);
    }
    for (const secretExpiresAt of [
      '2028-02-29',
      '2026-11-21T10:00Z',
      '2026-11-21T10:00:00.123456789+14:00',
    ]) {
      assert.equal((await organization.putPolicy({ secretExpiresAt })).status, 200, secretExpiresAt);
    }
  });
});
