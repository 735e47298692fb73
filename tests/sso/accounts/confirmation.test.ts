import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { readConfirmedAt } from '../../../src/server/sso/sign-in/admission.ts';
import { describeTenancies } from '../../support/sso/hostile-world.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { toPerson } from '../../support/sso/responses.ts';

test('a sign-in confirms an identity as of the time when the directory authenticated the person', () => {
  const now = Date.UTC(2026, 10, 21, 9);
  for (const [claims, minutesAgo] of [
    [{ iat: 1_000_000, auth_time: 1_000_000 - 20 * 60 }, 20],
    [{ iat: 1_000_000, auth_time: 1_000_000 }, 0],
    // Entra backdates tokens by five minutes.
    [{ iat: 1_000_000, auth_time: 1_000_000 + 300 }, 0],
    [{ iat: 1_000_000, auth_time: -1e300 }, 24 * 60],
    [{ iat: 1_000_000 }, 0],
    [{ iat: 1_000_000, auth_time: 'yesterday' }, 0],
  ] as const) {
    assert.equal(readConfirmedAt(claims, now), now - minutesMs(minutesAgo), JSON.stringify(claims));
  }
});

describeTenancies('a directory that remembers a person', (world) => {
  test('does not confirm an identity until the person has signed in there again', async () => {
    const tenancy = await world.createTenancy();
    const { server, provider, organizationId } = tenancy;
    const enter = async (secondsAgo: number) => {
      provider.bend({ claims: (honest) => ({ ...honest, auth_time: Number(honest['iat']) - secondsAgo }) });
      return toPerson(server, (await tenancy.signIn()).response);
    };
    const bob = await enter(1_200);
    const promoted = await server.call(`PATCH /api/organizations/${organizationId}/members/${bob.id}`, {
      as: tenancy.owner,
      body: { role: 'owner' },
    });
    assert.equal(promoted.status, 200, promoted.text);
    const codes = `POST /api/sso/orgs/${organizationId}/recovery-codes`;
    const refused = await server.call(codes, { as: bob });
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation_required']);
    const fresh = await enter(0);
    assert.deepEqual([fresh.id, (await server.call(codes, { as: fresh })).status], [bob.id, 201]);
  });
});

describeSignIns('an email address that a directory does not confirm', (world) => {
  test('is marked as not verified everywhere, until the directory confirms it', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const email = `bob@${organization.domain}`;
    const claims = { preferred_username: 'bob', email };
    const subject = organization.addPerson('Bob', claims);
    const bob = await organization.enter(subject);
    const shown = async () => {
      const members = await server.call(`GET /api/organizations/${organization.id}/members`, {
        as: organization.owner,
      });
      const account = await server.call('GET /api/auth/account', { as: bob });
      const line = `GET /api/organizations/${organization.id}/audit?actorId=${bob.id}`;
      const audit = await server.call(line, { as: organization.owner });
      const member = members.body.items.find(({ userId }: { userId: string }) => userId === bob.id);
      const { actorEmail, actorEmailVerified, details } = audit.body.items[0];
      return [
        [member.email, member.emailVerified],
        [account.body.user.email, account.body.emailVerified],
        [actorEmail, actorEmailVerified],
        [details.email, details.emailVerified],
      ];
    };
    assert.deepEqual(
      await shown(),
      Array.from({ length: 4 }, () => [email, false]),
    );
    const [added] = await organization.audit('member.added');
    assert.deepEqual([added?.details['email'], added?.details['emailVerified']], [email, false]);
    organization.addPerson('Bob', { ...claims, xms_edov: true });
    await organization.enter(subject);
    assert.deepEqual(
      await shown(),
      Array.from({ length: 4 }, () => [email, undefined]),
    );

    const stranger = { preferred_username: 'eve', email: 'eve@elsewhere.example' };
    assert.equal((await organization.refusal(organization.addPerson('Eve', stranger))).status, 403);
    const [refused] = await organization.refusals();
    assert.deepEqual([refused?.['email'], refused?.['emailVerified']], [stranger.email, false]);
  });

  test('is not shown if there is one that the directory confirms', async () => {
    const organization = await world.createOrganization();
    const email = `olga@${organization.domain}`;
    const bob = await organization.enter(organization.addPerson('Bob', { email }));
    assert.equal(bob.email, `bob@${organization.domain}`);
  });
});
