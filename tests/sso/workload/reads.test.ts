import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../../src/server/base/actor.ts';
import { putConnection } from '../../../src/server/sso/configuration/connections.ts';
import type { WorkloadIdentity } from '../../../src/server/sso/workload/workload-identity.ts';
import type { Database } from '../../../src/server/storage/database.ts';
import { tenantId } from '../../support/sso/world.ts';
import { describeWorkloads, pathOf } from './world.ts';

describeWorkloads('the token file of a host whose file system does not respond', (world) => {
  test('is read after the transaction that saves a directory, which would block the writes of others', async () => {
    await world.renewToken();
    const organization = await world.createNamed();
    assert.equal((await organization.call(`PUT ${pathOf(organization)}`)).status, 200);
    const { database, clock, secretBox } = world.server;
    let open = 0;
    const watched: Database = {
      ...database,
      write: async (work) => {
        open += 1;
        try {
          return await database.write(work);
        } finally {
          open -= 1;
        }
      },
    };
    const reads: number[] = [];
    const read: WorkloadIdentity['read'] = () => {
      reads.push(open);
      return Promise.resolve({ text: '', issuer: '', subject: '' });
    };
    const workloadIdentity = {
      isOffered: () => true,
      read,
      readOnce: () => read,
      assertionFor: () => assert.fail('no sign-in'),
    };
    const entraAuthority = world.environment['ATRIUM_SSO_ENTRA_AUTHORITY'] ?? '';
    const dependencies = { database: watched, clock, secretBox, entraAuthority, workloadIdentity };
    const actor: Actor = {
      userId: organization.owner.id,
      scope: 'all',
      satisfiesSso: true,
      credential: { kind: 'session', id: 'session', method: 'password', confirmedAt: clock() },
    };
    const { clientId, emailDomains, enabled } = (
      await organization.call(`GET /connections/${organization.configurationId}`)
    ).body;
    const saved = await putConnection(
      dependencies,
      actor,
      { organizationId: organization.id, id: organization.configurationId },
      { name: 'Directory', provider: 'entra', clientId, tenantId, emailDomains, enabled },
    );
    assert.equal(saved.state, 'ready');
    assert.deepEqual(reads, [0]);
  });
});
