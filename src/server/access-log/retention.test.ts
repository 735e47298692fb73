import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorOf } from '../../../tests/support/organizations/actors.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';
import { daysMs } from '../base/clock.ts';
import { prepare } from '../storage/prepared-query.ts';
import { createAccessLog } from './access-log.ts';
import { sweepAccessLog } from './retention.ts';

const entries = prepare((db, p: { organizationId: string }) =>
  db.selectFrom('access_entries').select('id').where('organization_id', '=', p.organizationId),
);

describeOnBothEngines('the retention of the data-access log', (engine) => {
  test('is 90 days, and only an owner in a browser can change it', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(owner);
    const admin = await server.createMember(organizationId, 'admin');
    const path = `/api/organizations/${organizationId}/access-log/retention`;
    assert.deepEqual((await server.call(`GET ${path}`, { as: admin })).body, { days: 90 });
    const put = (days: unknown, as = owner) => server.call(`PUT ${path}`, { as, body: { days } });
    assert.equal(problemOf(await put(7, admin)).code, 'forbidden');
    for (const days of [6, 3_651, 7.5, '7', null]) assert.equal((await put(days)).status, 400, String(days));
    assert.deepEqual((await put(3_650)).body, { days: 3_650 });
    assert.deepEqual((await put(7)).body, { days: 7 });
    const { body } = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=access_log.retention_changed`,
      { as: owner },
    );
    assert.deepEqual(
      body.items.map(({ details }: { details: object }) => details),
      [
        { before: 3_650, after: 7 },
        { before: 90, after: 3_650 },
      ],
    );
  });

  test('deletes the entries that an organization no longer keeps, and no others', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Ada');
    const [short, long] = [await server.createOrganization(owner), await server.createOrganization(owner)];
    await server.call(`PUT /api/organizations/${short}/access-log/retention`, {
      as: owner,
      body: { days: 7 },
    });
    const log = createAccessLog(server, { onFailure: assert.ifError, onLost: assert.ifError });
    const exportAudit = async () => {
      for (const organizationId of [short, long])
        await log.record({ action: 'audit_log.exported', actor: actorOf(owner.id), organizationId });
    };
    const countEntries = async (organizationId: string) =>
      (await server.database.all(entries, { organizationId })).length;
    const { signal } = new AbortController();
    await exportAudit();
    server.advance(daysMs(7));
    await exportAudit();
    await sweepAccessLog(server, signal);
    assert.deepEqual([await countEntries(short), await countEntries(long)], [2, 2]);
    server.advance(1);
    await sweepAccessLog(server, signal);
    assert.deepEqual([await countEntries(short), await countEntries(long)], [1, 2]);
    server.advance(daysMs(83));
    await sweepAccessLog(server, signal);
    assert.deepEqual([await countEntries(short), await countEntries(long)], [0, 1]);
  });
});
