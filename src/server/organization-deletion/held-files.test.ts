import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnUsualEngine, startTestServer } from '../../../tests/support/server/test-server.ts';
import { holdingFiles, type FileUse } from '../data-sources/tables/leases.ts';
import { deleteByOperator, listDeletedByOperator } from './deletion.ts';
import { eraseOrganizations, purgeOrganizations } from './purge.ts';

const never = new AbortController().signal;

describeOnUsualEngine('the deletion of an organization', (engine) => {
  test('waits for backups and for its own export, but not for exports of others', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    const { database, clock, dataDirectory: directory } = server;
    const purged: string[] = [];
    const dependencies = {
      database,
      clock,
      directory,
      publicUrl: '',
      removeRemote: undefined,
      mailer: { isConfigured: false, send: async () => ({ isSent: false as const, reason: 'none' }) },
      onPurged: (id: string) => purged.push(id),
    };
    const finish = async () => {
      await purgeOrganizations(dependencies, never);
      return eraseOrganizations(dependencies, never);
    };
    const deleteOne = async () => {
      const organizationId = await server.createOrganization(owner);
      await deleteByOperator(server, { organizationId, graceMs: 0 });
      return organizationId;
    };
    const during = (use: FileUse) => holdingFiles(database, clock, use, finish);
    const first = await deleteOne();
    assert.equal(
      await during({ exportOf: first }),
      'done',
      'no row was deleted, so there is nothing to erase',
    );
    await purgeOrganizations(dependencies, never);
    assert.equal(await during({ exportOf: first }), 'held');
    assert.equal(await during('backup'), 'held');
    assert.deepEqual(purged, []);
    assert.equal(await during({ exportOf: await server.createOrganization(owner) }), 'done');
    assert.deepEqual(purged, [first]);

    // Once a day is enough for what was held while others were erased.
    const [second, third] = [await deleteOne(), await deleteOne()];
    await purgeOrganizations(dependencies, never);
    assert.equal(await during({ exportOf: second }), 'done');
    assert.deepEqual(purged, [first, third]);
    assert.deepEqual(
      (await listDeletedByOperator(database)).map(({ id }) => id),
      [second],
    );
  });

  test('does not wait for another one whose files can’t be removed', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    const ids = [await server.createOrganization(owner), await server.createOrganization(owner)];
    const { database, clock, dataDirectory: directory } = server;
    const [broken] = ids;
    for (const organizationId of ids) await deleteByOperator(server, { organizationId, graceMs: 0 });
    const purged: string[] = [];
    const dependencies = {
      database,
      clock,
      directory,
      publicUrl: '',
      removeRemote: async () => {},
      mailer: { isConfigured: false, send: async () => ({ isSent: false as const, reason: 'none' }) },
      onPurged: (id: string) => purged.push(id),
    };
    await purgeOrganizations(dependencies, never);
    // A request that was in progress stored it again.
    const at = new Date(clock()).toISOString();
    await database.write((transaction) =>
      transaction.execute(
        `insert into data_sources (id, organization_id, name, kind, created_at, updated_at)
         values ('late', '${broken}', 'Late', 'files', '${at}', '${at}')`,
      ),
    );
    const removeRemote = async () => {
      throw new Error('The storage is not available');
    };
    await assert.rejects(eraseOrganizations({ ...dependencies, removeRemote }, never), /not available/);
    assert.deepEqual(purged, ids.slice(1));
    await eraseOrganizations(dependencies, never);
    assert.deepEqual(purged.toSorted(), ids.toSorted());
  });
});
