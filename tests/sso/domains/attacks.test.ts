import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '#contract/organizations/organizations.ts';
import { updateMemberRole } from '../../../src/server/organizations/member-store.ts';
import { domainRecord } from '../../../src/server/sso/domains/record.ts';
import { verifySsoDomain, verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { findProvenDomain } from '../../../src/server/sso/domains/store.ts';
import { actorOf } from '../../support/organizations/actors.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { problemOf } from '../../support/server/test-server.ts';

describeSignIns('a domain', (world) => {
  /** Has an admin verify a domain for which DNS has the record; `meanwhile` happens before DNS responds. */
  async function verifyWhile(
    organization: SsoOrganization,
    domain: string,
    meanwhile: (adminId: string) => Promise<unknown>,
  ): Promise<unknown> {
    const { server } = world;
    const { id: userId } = await server.createMember(organization.id, 'admin');
    const actor = actorOf(userId);
    return verifySsoDomain(
      {
        database: server.database,
        clock: Date.now,
        limitVerifications: async () => undefined,
        resolveTxt: async () => {
          await meanwhile(userId);
          return { records: [domainRecord(organization.id, domain).value] };
        },
      },
      actor,
      organization.id,
      domain,
    );
  }

  const isProven = async (domain: string): Promise<boolean> =>
    (await findProvenDomain(world.server.database, domain)) !== undefined;

  test('is not verified by a person who lost the role during the DNS query', async () => {
    const domain = 'demoted.example';
    const organization = await world.createUnverified(domain);
    const demote = (role: Role) => (userId: string) =>
      world.server.database.write((transaction) =>
        updateMemberRole(transaction, {
          organizationId: organization.id,
          userId,
          role,
          at: '2026-11-21T09:00:00.000Z',
          by: null,
        }),
      );
    await assert.rejects(verifyWhile(organization, domain, demote('editor')), { code: 'forbidden' });
    await assert.rejects(
      verifyWhile(organization, domain, async (userId) => {
        const line = `DELETE /api/organizations/${organization.id}/members/${userId}`;
        assert.equal((await world.server.call(line, { as: organization.owner })).status, 204);
      }),
      { code: 'not_found' },
    );
    assert.equal(await isProven(domain), false);
  });

  test('is not verified if the configuration no longer names it', async () => {
    const domain = 'dropped.example';
    const organization = await world.createUnverified(domain);
    const drop = () => organization.save({ emailDomains: ['another.example'] });
    await assert.rejects(verifyWhile(organization, domain, drop), { code: 'not_found' });
    assert.equal(await isProven(domain), false);
    await organization.save();
    const remove = () => organization.call('DELETE /config');
    await assert.rejects(verifyWhile(organization, domain, remove), { code: 'not_found' });
    assert.equal(await isProven(domain), false);
  });

  test('is not verified by the operator if the configuration no longer names it', async () => {
    const domain = 'unnamed.example';
    const organization = await world.createUnverified(domain);
    const { database } = world.server;
    const input = { organizationId: organization.id, domain };
    const [, verified] = await Promise.allSettled([
      organization.save({ emailDomains: ['another.example'] }),
      verifyDomainAsOperator(database, Date.now, input),
    ]);
    // In either order, the domain is not verified once it is no longer named.
    assert.equal(await isProven(domain), false, verified.status);
    await assert.rejects(verifyDomainAsOperator(database, Date.now, input), { code: 'not_found' });
  });

  test('can be verified at most thirty times a minute per organization', async () => {
    const [organization, other] = [
      await world.createUnverified('asked.example'),
      await world.createUnverified('other.example'),
    ];
    const { server } = world;
    const admin = await server.createMember(organization.id, 'admin');
    const outsider = await server.createPerson();
    const editor = await server.createMember(organization.id, 'editor');
    // Requests that are forbidden, or need no DNS query, do not count.
    for (let count = 0; count < 31; count += 1) {
      assert.equal((await organization.verify('asked.example', outsider)).status, 404);
      assert.equal((await organization.verify('asked.example', editor)).status, 403);
      assert.equal((await organization.verify('unnamed.example')).status, 404);
    }
    for (let count = 0; count < 30; count += 1) {
      const { body } = await organization.verify('asked.example', count % 2 ? admin : organization.owner);
      assert.equal(body.code, 'domain_not_proven');
    }
    for (const as of [organization.owner, admin])
      assert.deepEqual(problemOf(await organization.verify('asked.example', as)), {
        status: 429,
        code: 'too_many_attempts',
      });
    assert.equal((await other.verify('other.example', other.owner)).body.code, 'domain_not_proven');
  });
});
