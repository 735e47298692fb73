import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disableAccount, enableAccount } from '../../../src/server/accounts/disabled-accounts.ts';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { endCredentials } from '../../../src/server/end-membership.ts';
import { suspendFormerLastOwners } from '../../../src/server/scim/users/deactivated.ts';
import { bearer, createToken } from '../../support/credentials/tokens.ts';
import { startProvisioning } from '../../support/sso/provisioning.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('people whose membership is suspended', (world) => {
  const suspend = () =>
    suspendFormerLastOwners(
      {
        database: world.server.database,
        clock: world.server.clock,
        endCredentials: endCredentials(world.server.clock),
      },
      new AbortController().signal,
    );
  const start = async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    const path = `/api/organizations/${organization.id}/suspended-members`;
    return { organization, scim, path, owner: organization.owner };
  };

  test('are listed for owners and admins, removed by them, and invited again', async () => {
    const { server } = world;
    const { organization, scim, path, owner } = await start();
    const { id } = await scim.createUser('Zoë');
    const nobody = await server.call(`GET ${path}`, { as: owner });
    assert.deepEqual(nobody.body, { items: [] });
    await scim.setActive(id, false);
    const { body } = await server.call(`GET ${path}`, { as: owner });
    const email = `zoë@${organization.domain}`;
    const [{ suspendedAt, ...person }, ...others] = body.items;
    assert.deepEqual([person, others], [{ userId: id, email, name: 'Zoë', role: 'viewer' }, []]);
    assert.ok(!Number.isNaN(Date.parse(suspendedAt)));

    const invite = () =>
      server.call(`POST /api/organizations/${organization.id}/invitations`, {
        as: owner,
        body: { email, role: 'viewer' },
      });
    const admin = await server.createMember(organization.id, 'admin');
    assert.equal((await server.call(`DELETE ${path}/${id}`, { as: admin })).status, 204);
    assert.equal((await server.call(`DELETE ${path}/${id}`, { as: admin })).status, 404);
    assert.equal((await invite()).status, 201);
    const audit = await server.call(`GET /api/organizations/${organization.id}/audit`, { as: owner });
    const removal = audit.body.items.find(
      ({ action }: { action: string }) => action === 'member.suspension_ended',
    );
    assert.deepEqual(removal.details, { userId: id, email, role: 'viewer' });

    // For the directory, the person is gone: it creates them again, who have the same account.
    assert.equal((await scim.call(`GET /Users/${id}`)).status, 404);
    assert.equal((await scim.createUser('Zoë')).id, id);
    assert.deepEqual((await server.call(`GET ${path}`, { as: owner })).body, { items: [] });
  });

  test('can’t be removed by an admin if they were an owner, nor from another organization', async () => {
    const { server } = world;
    const { organization, scim, path, owner } = await start();
    const { id } = await scim.createUser('Second');
    const role = await server.call(`PATCH /api/organizations/${organization.id}/members/${id}`, {
      as: owner,
      body: { role: 'owner' },
    });
    assert.equal(role.status, 200, role.text);
    await scim.setActive(id, false);
    const admin = await server.createMember(organization.id, 'admin');
    assert.equal((await server.call(`DELETE ${path}/${id}`, { as: admin })).status, 403);
    const other = await start();
    const elsewhere = await server.call(`DELETE ${other.path}/${id}`, { as: other.owner });
    assert.equal(elsewhere.status, 404);
    assert.equal((await server.call(`GET ${path}`, { as: other.owner })).status, 404);
    assert.equal((await server.call(`DELETE ${path}/${id}`, { as: owner })).status, 204);
  });

  test('aren’t let in again by a person who confirmed nothing, nor by a token', async () => {
    const { server } = world;
    const { organization, scim, path, owner } = await start();
    const { id } = await scim.createUser('Zoe');
    await scim.setActive(id, false);
    const token = await createToken(server, owner, {
      organizationId: organization.id,
      scopes: ['administer'],
    });
    assert.equal((await server.call(`DELETE ${path}/${id}`, bearer(token))).status, 403);
    const admin = await server.createMember(organization.id, 'admin');
    server.advance(minutesMs(11));
    const late = await server.call(`DELETE ${path}/${id}`, { as: admin });
    assert.equal(late.body.code, 'confirmation_required', late.text);
  });

  test('don’t include the last owner whose account isn’t disabled', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'owner');
    const byAda = await startProvisioning(server, organization, ada);
    await disableAccount(server.database, server.clock, organization.owner.id);
    await byAda.setActive(ada.id, false);
    await suspend();
    const isMember = async () => {
      const person = await toPerson(server, await world.signInByPassword(ada));
      return (await server.call(`GET /api/organizations/${organization.id}`, { as: person })).status === 200;
    };
    assert.equal(await isMember(), true, 'nobody else could manage the organization');
    await enableAccount(server.database, server.clock, organization.owner.id);
    await suspend();
    assert.equal(await isMember(), false);
  });

  test('include a former last owner as soon as there is another one, without a request', async () => {
    const organization = await world.createOrganization();
    const { owner, id } = organization;
    const ada = await organization.addAccount('Ada', 'owner');
    const leave = `DELETE /api/organizations/${id}/members/${owner.id}`;
    const byAda = await startProvisioning(world.server, organization, ada);
    assert.equal((await world.server.call(leave, { as: owner })).status, 204);
    await byAda.setActive(ada.id, false);
    const back = await world.signInByPassword(ada);
    const person = await toPerson(world.server, back);
    const isMember = async () =>
      (await world.server.call(`GET /api/organizations/${id}`, { as: person })).status === 200;
    await suspend();
    assert.equal(await isMember(), true, 'nobody else could manage the organization');

    const bob = await organization.addAccount('Bob', 'owner');
    await suspend();
    assert.equal(await isMember(), false);
    // The directory's request was long before, so no time is measured.
    const { lastLogout } = (await world.server.call(`GET /api/sso/orgs/${id}/status`, { as: bob })).body;
    assert.deepEqual(
      [lastLogout.message, lastLogout.seconds],
      [`Ended 1 session of ${ada.email}.`, undefined],
    );
    const audit = await world.server.call(`GET /api/organizations/${id}/audit?action=member.suspended`, {
      as: bob,
    });
    const [suspension, ...before] = audit.body.items;
    assert.deepEqual([suspension.details.userId, suspension.actor, before.length], [ada.id, undefined, 1]);
    const listed = await world.server.call(`GET /api/organizations/${id}/suspended-members`, { as: bob });
    assert.deepEqual(
      listed.body.items.map(({ userId }: { userId: string }) => userId),
      [ada.id],
    );
  });
});
