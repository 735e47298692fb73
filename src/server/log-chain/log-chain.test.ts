import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { actorOf } from '../../../tests/support/organizations/actors.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type Engine,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { createAccessLog } from '../access-log/access-log.ts';
import { sweepAccessLog } from '../access-log/retention.ts';
import { recordAudit } from '../audit/audit.ts';
import { daysMs, hoursMs } from '../base/clock.ts';
import { auditVerify } from '../commands/audit/verify.ts';
import type { CommandDependencies } from '../commands/command.ts';
import type { Database } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { sealLogs } from './seal.ts';
import { selectSealedAudit } from './store.ts';
import { verifyLogs } from './verify.ts';

const { signal } = new AbortController();

/** Starts an organization with five sealed entries in each log. */
async function startChains(context: Parameters<typeof startTestServer>[0], engine: Engine) {
  const server = await startTestServer(context, engine);
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const accessLog = createAccessLog(server, { onFailure: assert.ifError, onLost: assert.ifError });
  const actor = actorOf(owner.id);
  const audit = (name: string) =>
    server.database.write((transaction) =>
      recordAudit(transaction, server.clock, {
        organizationId,
        action: 'report.purged',
        actor,
        details: { name },
      }),
    );
  for (const name of ['one', 'two', 'three', 'four']) await audit(name);
  for (let index = 0; index < 5; index += 1)
    await accessLog.record({ action: 'audit_log.exported', actor, organizationId });
  await sealLogs(server, signal);
  const verify = async () => {
    const [ofAudit, ofAccess] = await verifyLogs(server.database, organizationId);
    return { audit: ofAudit, access: ofAccess };
  };
  return { server, owner, organizationId, accessLog, actor, audit, verify };
}

const execute = (server: TestServer, ...statements: readonly string[]) =>
  server.database.write(async (transaction) => {
    for (const statement of statements) await transaction.execute(statement);
  });

const factsOf = (chain: Awaited<ReturnType<typeof verifyLogs>>[number] | undefined) => ({
  at: chain?.break?.sequence,
  reason: chain?.break?.reason,
});

const changed = 'an entry was changed, moved or replaced';

/** What somebody with access to the database does, and where the verification finds it. */
const attacks: readonly (readonly [string, readonly string[], 'audit' | 'access', number, string])[] = [
  [
    'changes who it was',
    ["update audit_entries set actor_id = 'mallory' where sequence = 3"],
    'audit',
    3,
    changed,
  ],
  [
    'changes when it was',
    ["update audit_entries set at = '2020-01-01T00:00:00.000Z' where sequence = 2"],
    'audit',
    2,
    changed,
  ],
  [
    'changes what it was',
    ["update audit_entries set action = 'report.deleted' where sequence = 4"],
    'audit',
    4,
    changed,
  ],
  [
    'changes the details',
    ['update audit_entries set details = \'{"name":"other"}\' where sequence = 4'],
    'audit',
    4,
    'the details of an entry were changed',
  ],
  [
    'changes the details, and removes the salt',
    ['update audit_entries set details = \'{"name":"other"}\', details_salt = null where sequence = 4'],
    'audit',
    4,
    'the details of an entry were changed',
  ],
  [
    'replaces the hash of the details',
    ['update audit_entries set details_hash = hash where sequence = 4'],
    'audit',
    4,
    'the details of an entry were changed',
  ],
  ['lowers a count', ['update access_entries set count = 0 where sequence = 2'], 'access', 2, changed],
  ['deletes an entry', ['delete from audit_entries where sequence = 3'], 'audit', 3, 'an entry is missing'],
  [
    'deletes the first entry',
    ['delete from access_entries where sequence = 1'],
    'access',
    1,
    'an entry is missing',
  ],
  [
    'deletes the newest entry',
    ['delete from access_entries where sequence = 5'],
    'access',
    5,
    'the newest entries are missing',
  ],
  [
    'deletes the newest entry, and lowers the number of the chain',
    [
      'delete from access_entries where sequence = 5',
      "update log_chains set sequence = 4 where log = 'access'",
    ],
    'access',
    4,
    'the record of the chain was changed',
  ],
  [
    'deletes an entry, and closes the gap',
    [
      'delete from audit_entries where sequence = 3',
      'update audit_entries set sequence = 3 where sequence = 4',
      'update audit_entries set sequence = 4 where sequence = 5',
      "update log_chains set sequence = 4 where log = 'audit'",
    ],
    'audit',
    3,
    changed,
  ],
  [
    'swaps two entries',
    [
      'update audit_entries set sequence = 99 where sequence = 2',
      'update audit_entries set sequence = 2 where sequence = 3',
      'update audit_entries set sequence = 3 where sequence = 99',
    ],
    'audit',
    2,
    changed,
  ],
  [
    'inserts an entry in the middle',
    [
      'update access_entries set sequence = sequence + 100 where sequence > 2',
      'update access_entries set sequence = sequence - 99 where sequence > 100',
      `insert into access_entries (id, organization_id, at, last_at, action, count, details, sequence, hash)
       select 'inserted', organization_id, at, last_at, action, count, details, 3, hash from access_entries where sequence = 2`,
    ],
    'access',
    3,
    changed,
  ],
  [
    'inserts an entry before the first',
    [
      "insert into access_entries (id, organization_id, at, last_at, action, count, details, sequence, hash) select 'inserted', organization_id, at, last_at, action, count, details, 0, hash from access_entries where sequence = 2",
    ],
    'access',
    0,
    'an entry was inserted',
  ],
  [
    'inserts a copy of an entry, without the index',
    [
      'drop index access_entries_by_sequence',
      "insert into access_entries (id, organization_id, at, last_at, action, count, details, sequence, hash) select 'zzz', organization_id, at, last_at, action, count, details, sequence, hash from access_entries where sequence = 2",
    ],
    'access',
    2,
    'an entry was inserted',
  ],
  [
    'appends an entry after the end',
    [
      "insert into access_entries (id, organization_id, at, last_at, action, count, details, sequence, hash) select 'inserted', organization_id, at, last_at, action, count, details, 6, hash from access_entries where sequence = 5",
    ],
    'access',
    6,
    'an entry was added after the end',
  ],
  [
    'deletes the record of the chain',
    ["delete from log_chains where log = 'access'"],
    'access',
    1,
    'the record of the chain is missing',
  ],
  [
    'deletes entries from the start, and moves the anchor',
    [
      'delete from access_entries where sequence <= 2',
      "update log_chains set anchor_sequence = 2 where log = 'access'",
    ],
    'access',
    3,
    changed,
  ],
  [
    'deletes entries from the start of the audit log, and gives it an anchor as the retention does',
    [
      `update log_chains set anchor_sequence = 2, anchor_hash =
       (select hash from audit_entries where organization_id = log_chains.organization_id and sequence = 2) where log = 'audit'`,
      'delete from audit_entries where sequence <= 2',
    ],
    'audit',
    1,
    'an entry is missing',
  ],
  [
    'lowers the number of the chain',
    [
      `update log_chains set sequence = 4, hash =
       (select hash from audit_entries where organization_id = log_chains.organization_id and sequence = 4) where log = 'audit'`,
    ],
    'audit',
    5,
    'an entry was added after the end',
  ],
];

describeOnBothEngines('the chain of a log', (engine) => {
  test('is whole after entries were sealed, and can be computed by others', async (context) => {
    const { server, organizationId, verify, audit } = await startChains(context, engine);
    const { audit: first, access } = await verify();
    assert.deepEqual(
      [first?.count, access?.count, first?.break, access?.break],
      [5, 5, undefined, undefined],
    );
    await audit('five');
    await sealLogs(server, signal);
    assert.equal((await verify()).audit?.count, 6);
    const { rows } = await selectSealedAudit(server.database, { organizationId, from: 1, limit: 10 });
    let previous = '0'.repeat(64);
    for (const { hash, details, detailsSalt, sequence, action, actorId, at, id, sessionId } of rows) {
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      const detailsHash = sha256(`${detailsSalt}\n${details}`);
      const content = {
        action,
        actorId,
        at,
        detailsHash,
        id,
        log: 'audit',
        organizationId,
        sequence,
        sessionId,
      };
      previous = sha256(`${previous}\n${JSON.stringify(content)}`);
      assert.equal(hash, previous);
    }
  });

  for (const [attack, statements, log, at, reason] of attacks) {
    test(`shows where somebody ${attack}`, async (context) => {
      const { server, verify } = await startChains(context, engine);
      await execute(server, ...statements);
      const broken = await verify();
      assert.deepEqual(factsOf(broken[log]), { at, reason });
      const other = log === 'audit' ? 'access' : 'audit';
      assert.equal(broken[other]?.break, undefined);
    });
  }

  test('stays whole when the details of an entry are removed, but not when anything else of it is', async (context) => {
    const { server, verify } = await startChains(context, engine);
    const remove = `update audit_entries set details = '{"removed":true}', details_salt = null where sequence = 2`;
    await execute(server, remove);
    const { audit } = await verify();
    assert.deepEqual([audit?.count, audit?.removedCount, audit?.break], [5, 1, undefined]);
    await execute(server, `update audit_entries set actor_id = null where sequence = 2`);
    assert.equal((await verify()).audit?.break?.sequence, 2);
  });

  test('continues from its anchor when old entries are deleted', async (context) => {
    const { server, accessLog, actor, organizationId, verify } = await startChains(context, engine);
    server.advance(daysMs(91));
    for (let index = 0; index < 3; index += 1)
      await accessLog.record({ action: 'audit_log.exported', actor, organizationId });
    await sweepAccessLog(server, signal);
    const { access, audit } = await verify();
    assert.deepEqual([access?.count, access?.sequence, access?.break], [3, 8, undefined]);
    assert.deepEqual([audit?.count, audit?.break], [5, undefined]);
    await execute(server, `update log_chains set anchor_hash = hash where log = 'access'`);
    assert.equal((await verify()).access?.break?.reason, changed);
  });

  test('is verified while entries are written, sealed and deleted', async (context) => {
    const { server, accessLog, actor, organizationId, audit } = await startChains(context, engine);
    const { database } = server;
    /** Verifies the chains, and does something between the record of a chain and its first page. */
    const verifyDuring = async (log: 'audit' | 'access', work: () => Promise<unknown>) => {
      // The first read is of the audit log.
      let untilWork = log === 'audit' ? 1 : 2;
      const interrupted: Database = {
        ...database,
        async page(query, parameters) {
          untilWork -= 1;
          if (untilWork === 0) await work();
          return database.page(query, parameters);
        },
      };
      const chains = await verifyLogs(interrupted, organizationId);
      assert.ok(untilWork <= 0);
      return chains.map(({ count, sequence, break: broken }) => ({ count, sequence, broken }));
    };
    const five = { count: 5, sequence: 5, broken: undefined };
    const write = async () => {
      await audit('meanwhile');
      await sealLogs(server, signal);
    };
    assert.deepEqual(await verifyDuring('audit', write), [five, five]);
    server.advance(daysMs(91));
    await accessLog.record({ action: 'audit_log.exported', actor, organizationId });
    const sweep = () => sweepAccessLog(server, signal);
    assert.deepEqual(await verifyDuring('access', sweep), [
      { count: 6, sequence: 6, broken: undefined },
      { count: 1, sequence: 6, broken: undefined },
    ]);
  });

  test('has no entry whose count can still change, and each view once', async (context) => {
    const { server, accessLog, actor, organizationId, verify } = await startChains(context, engine);
    const view = () =>
      accessLog.note({ action: 'dashboard.viewed', actor, organizationId, subjectId: 'one' });
    view();
    await accessLog.flush();
    await sealLogs(server, signal);
    assert.equal((await verify()).access?.count, 5);
    view();
    await accessLog.flush();
    // A view of this hour that is written after the entry of its hour was sealed.
    view();
    server.advance(hoursMs(1.1));
    await sealLogs(server, signal);
    assert.equal((await verify()).access?.count, 6);
    await accessLog.flush();
    await sealLogs(server, signal);
    await accessLog.close();
    const { access } = await verify();
    assert.deepEqual([access?.count, access?.break], [7, undefined]);
    const counts = await server.database.all(views, {});
    assert.deepEqual(
      counts.map(({ count }) => count).toSorted((one, other) => one - other),
      [1, 2],
    );
  });

  test('numbers entries without gaps while several processes seal and write', async (context) => {
    const { server, audit, verify } = await startChains(context, engine);
    const work = Array.from({ length: 20 }, async (_, index) => {
      await audit(String(index));
      await sealLogs(server, signal);
    });
    await Promise.all(work);
    await sealLogs(server, signal);
    const { audit: chain } = await verify();
    assert.deepEqual([chain?.count, chain?.sequence, chain?.break], [25, 25, undefined]);
  });

  test('is checked by the command, which names the first break', async (context) => {
    const { server, organizationId, audit } = await startChains(context, engine);
    // Sound because the command uses nothing else.
    const dependencies = { database: server.database } as unknown as CommandDependencies;
    assert.ok('run' in auditVerify);
    const whole = await auditVerify.run(dependencies, {});
    assert.equal(whole.exitCode, 0);
    assert.match(
      whole.text,
      new RegExp(`^${organizationId} audit: 5 entries are intact; the last is 5, [0-9a-f]{64}\n`),
    );
    assert.doesNotMatch(whole.text, /not verified/);
    await audit('five');
    const unsealed = await auditVerify.run(dependencies, {});
    assert.equal(unsealed.exitCode, 0);
    assert.match(unsealed.text, /^not verified: 1 entry is not in a chain yet; .* about a minute$/m);
    await execute(server, "update audit_entries set actor_id = 'mallory' where sequence = 3");
    const broken = await auditVerify.run(dependencies, { organization: organizationId });
    assert.equal(broken.exitCode, 1);
    assert.match(
      broken.text,
      /^fault: .* audit: entry 3 \(.*\): an entry was changed, moved or replaced; 2 entries/,
    );
  });
});

const views = prepare((db) =>
  db.selectFrom('access_entries').select('count').where('action', '=', 'dashboard.viewed'),
);
