import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { addConnection } from '../../support/sso/connection.ts';
import { entraUser, schemas, startProvisioning } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns(
  'accounts of people of another directory, whose domain moved to the one that provisions',
  (world) => {
    const openMoved = async () => {
      const organization = await world.createOrganization();
      const connection = await addConnection(world.server, organization, world.openId);
      const { domain } = connection;
      const bob = await connection.enter(connection.addPerson('Bob'));
      await organization.setRole(bob, 'owner');
      const admin = await organization.addAccount('Admin', 'admin');
      const scim = await startProvisioning(world.server, organization, admin);
      await connection.save({ emailDomains: [`other.${domain}`] });
      await organization.save({ emailDomains: [organization.domain, domain] });
      await verifyDomainAsOperator(world.server.database, Date.now, {
        organizationId: organization.id,
        domain,
      });
      return { organization, domain, bob, scim };
    };

    test('are not found, changed or put in a group by provisioning', async () => {
      const { organization, domain, bob, scim } = await openMoved();
      const subject = organization.addPerson('Eve', { preferred_username: `eve@${domain}` });
      for (const change of [
        { op: 'replace', path: 'externalId', value: subject },
        { op: 'replace', path: 'title', value: 'Head of sales' },
      ])
        assert.equal((await scim.patch(`/Users/${bob.id}`, change)).status, 404);
      const email = `bob@${domain}`;
      for (const filter of [`userName eq "${email}"`, `emails.value eq "${email}"`, `id eq "${bob.id}"`]) {
        const { body } = await scim.call(`GET /Users?filter=${encodeURIComponent(filter)}`);
        assert.equal(body.totalResults, 0, filter);
      }
      const { body: all } = await scim.call('GET /Users');
      assert.equal(all.totalResults, all.Resources.length);
      assert.ok(!all.Resources.some(({ id }: { id: string }) => id === bob.id));
      const members = [{ value: bob.id }];
      const group = await scim.call('POST /Groups', {
        schemas: [schemas.group],
        displayName: 'Sales',
        members,
      });
      assert.deepEqual([group.status, group.body.scimType], [400, 'invalidValue']);
      // Somebody else, who has the address now, gets an account of their own.
      assert.notEqual((await scim.call('POST /Users', entraUser(email, 'Bob'))).body.id, bob.id);
      const eve = await organization.enter(subject);
      assert.notEqual(eve.id, bob.id);
      assert.notEqual(await organization.roleOf(eve), 'owner');
    });
  },
);
