import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Compilable } from 'kysely';
import { fillEveryTable } from '../../../tests/support/storage/fixtures.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type Engine,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import type { Owner } from '../../../tests/support/endings.ts';
import { daysMs } from '../base/clock.ts';
import { createUser } from '../organizations/users.ts';
import { sourcesDirectory } from '../storage/data-directory.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { tableBelonging, tableNames, type TableName } from '../storage/tables/belonging.ts';
import { deleteByOperator, graceDays, listDeletedByOperator, restoreByOperator } from './deletion.ts';
import { eraseOrganizations, purgeOrganizations } from './purge.ts';

const marker = 'zqmarker';
type Row = Readonly<Record<string, unknown>>;

const rowsOf = (reader: Pick<Database, 'all'>, table: TableName): Promise<Row[]> =>
  reader.all(
    prepare((db): Compilable<Row> => db.selectFrom(table).selectAll() as Compilable<Row>),
    {},
  );

async function dump(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of tableNames)
    found[table] = (await rowsOf(database, table)).map((row) => JSON.stringify(row)).toSorted();
  return found;
}

/** Columns whose values are references, times or words that the server knows. */
const fixed =
  /(^|_)(id|at|by|hash|seed|kind|status|role|method|action|scope|scopes|type|key|log|provider|format|addresses|events)$/;

/** Adds the marker to every text of an organization that is no reference. Returns the columns. */
async function markEverything(server: TestServer, organizationId: string): Promise<string[]> {
  const marked: string[] = [];
  await server.database.write(async (transaction: Transaction) => {
    for (const table of tableNames) {
      const { to, key } = tableBelonging[table];
      if (to.length === 0) continue;
      const [row] = await rowsOf(transaction, table);
      for (const [column, value] of Object.entries(row ?? {})) {
        if (typeof value !== 'string' || fixed.test(column) || key.includes(column)) continue;
        // An array stays JSON, which may be read meanwhile.
        if (/^\d+$|^\[/.test(value)) continue;
        // The only other organization has no rows in most tables, and its own are marked by its name.
        const mine = 'organization_id' in (row ?? {}) ? ` where organization_id = '${organizationId}'` : '';
        if (table === 'organizations') continue;
        const withMarker = `case when ${column} like '{"%' then '{"${marker}":1,' || substr(${column}, 2) else ${column} || ' ${marker}' end`;
        await transaction.execute(`update ${table} set ${column} = ${withMarker}${mine}`);
        marked.push(`${table}.${column}`);
      }
    }
    await transaction.execute(
      `update organizations set name = '${marker} Ltd' where id = '${organizationId}'`,
    );
  });
  return marked;
}

async function startFilled(t: Owner, engine: Engine) {
  const server = await startTestServer(t, engine);
  const { database, clock } = server;
  const { organizationId, owner } = await fillEveryTable(server);
  await database.write(async (transaction) => {
    for (const table of ['restore_links', 'deleted_members', 'deleted_organizations'])
      await transaction.execute(`delete from ${table}`);
    await transaction.execute(`delete from organizations where id = 'gone'`);
    await transaction.execute('delete from idempotency_keys');
    const { id } = await createUser(transaction, clock, {
      email: `${marker}@example.com`,
      name: marker,
      passwordHash: null,
      organizationId,
    });
    // Those of an account that the directory manages belong to the organization.
    for (const table of [
      'authenticator_apps',
      'recovery_codes',
      'pending_sign_ins',
      'passkeys',
      'passkey_challenges',
      'password_resets',
    ])
      await transaction.execute(`update ${table} set user_id = '${id}'`);
    await transaction.execute(
      `update sessions set organization_id = '${organizationId}'
       where id in (select session_id from sso_sessions)`,
    );
  });
  const marked = await markEverything(server, organizationId);
  const directory = sourcesDirectory(server.dataDirectory);
  for (const path of [
    `${organizationId}/uploads`,
    `${organizationId}/temp`,
    `quarantine/2026-11-20/${organizationId}/x`,
  ]) {
    mkdirSync(join(directory, path), { recursive: true });
    writeFileSync(join(directory, path, 'file'), marker.repeat(1_000));
  }
  // After the marks, so that none of its rows is marked.
  const other = await server.createPerson('Other');
  const otherId = await server.createOrganization(other);
  const created = await server.call('POST /api/dashboards', {
    as: other,
    body: { name: 'Kept', organizationId: otherId, widgets: [] },
  });
  assert.equal(created.status, 201, created.text);
  // The index has the dashboard before a search responds.
  await server.call('GET /api/dashboards?q=kept', { as: other });
  const dependencies = {
    database,
    clock,
    mailer: { isConfigured: false, send: async () => ({ isSent: false as const, reason: 'none' }) },
    publicUrl: '',
    directory,
    removeRemote: undefined,
    onPurged: () => {},
  };
  const fresh = await server.createSsoSession(owner, organizationId);
  const deleteIt = async () => {
    const { status, text } = await server.call(`POST /api/organizations/${organizationId}/delete`, {
      as: fresh,
      body: { name: `${marker} Ltd` },
    });
    assert.equal(status, 200, text);
  };
  const dashboardId = (JSON.parse(created.text) as { id: string }).id;
  const others = [otherId, other.id, dashboardId];
  return { server, organizationId, owner, others, marked, directory, dependencies, deleteIt };
}

/** Returns the files under a directory whose bytes contain a text, in UTF-8, UTF-16 or Base64. */
function filesWith(directory: string, text: string): string[] {
  const wanted = [Buffer.from(text), Buffer.from(text, 'utf16le')].concat(
    [0, 1, 2].map((shift) =>
      // The middle of the text, without the characters that depend on what is around it.
      Buffer.from(
        Buffer.from('x'.repeat(shift) + text)
          .toString('base64')
          .slice(4, -4),
      ),
    ),
  );
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return wanted.some((each) => bytes.includes(each)) || path.includes(text);
    });
}

const rowsWith = (dumped: Record<string, string[]>, text: string): string[] =>
  Object.entries(dumped).flatMap(([table, rows]) =>
    rows.filter((row) => row.includes(text)).map((row) => `${table}: ${row}`),
  );

const never = new AbortController().signal;

async function finish(
  dependencies: Parameters<typeof purgeOrganizations>[0],
  stopped = never,
): Promise<void> {
  await purgeOrganizations(dependencies, stopped);
  await eraseOrganizations(dependencies, stopped);
}

describeOnBothEngines('the data of a deleted organization', (engine) => {
  test('is nowhere in the data directory and the database after 30 days, and nothing else is missing', async (t) => {
    const { server, organizationId, owner, others, marked, dependencies, deleteIt } = await startFilled(
      t,
      engine,
    );
    const { database, dataDirectory } = server;
    assert.ok(marked.length > 60, marked.join('\n'));
    if (engine === 'SQLite') assert.ok(filesWith(dataDirectory, marker).length > 2);
    await deleteIt();
    await purgeOrganizations(dependencies, never);
    assert.ok(rowsWith(await dump(database), marker).length > 30, 'nothing is deleted within 30 days');
    const before = await dump(database);
    server.advance(daysMs(graceDays));
    const purged: string[] = [];
    await finish({ ...dependencies, onPurged: (id) => purged.push(id) });
    assert.deepEqual(purged, [organizationId]);
    const after = await dump(database);
    for (const text of [marker, organizationId]) {
      assert.deepEqual(rowsWith(after, text), []);
      assert.deepEqual(filesWith(dataDirectory, text), [], text);
    }
    for (const table of tableNames) {
      // The index takes rows out of its queue at any time.
      if (table === 'dashboard_queue') continue;
      const [kept, earlier] = [after[table] ?? [], before[table] ?? []];
      assert.deepEqual(
        kept.filter((row) => !earlier.includes(row)),
        [],
        `${table} has no new rows`,
      );
      const lost = earlier.filter((row) => !kept.includes(row) && others.some((id) => row.includes(id)));
      assert.deepEqual(lost, [], table);
    }
    for (const id of others) assert.ok(rowsWith(after, id).length > 1, id);
    assert.deepEqual(
      (after['users'] ?? []).filter((row) => row.includes(owner.id)).length,
      1,
      'the account of a person stays',
    );
    await finish(dependencies);
  });

  test('is deleted in full after the server was stopped at any point', async (t) => {
    const { server, organizationId, dependencies, deleteIt } = await startFilled(t, engine);
    await deleteIt();
    server.advance(daysMs(graceDays));
    let stops = 0;
    for (let writes = 1; ; writes += 7) {
      const stop = new AbortController();
      let left = writes;
      const stopping: Database = {
        ...server.database,
        writeSlowly: (work) => {
          if ((left -= 1) === 0) stop.abort();
          return server.database.writeSlowly(work);
        },
      };
      const purged: string[] = [];
      const stoppable = { ...dependencies, database: stopping, onPurged: (id: string) => purged.push(id) };
      await finish(stoppable, stop.signal);
      if (purged.length > 0) break;
      stops += 1;
      assert.equal(
        (
          await server.call(`POST /api/deleted-organizations/${organizationId}/restore`, {
            as: await server.createPerson('Eve'),
          })
        ).status,
        404,
      );
    }
    assert.ok(stops > 2, `${stops} stops`);
    assert.deepEqual(rowsWith(await dump(server.database), organizationId), []);
  });

  test('is deleted once by two processes', async (t) => {
    const { server, organizationId, dependencies, deleteIt } = await startFilled(t, engine);
    await deleteIt();
    server.advance(daysMs(graceDays));
    await Promise.all([1, 2].map(() => finish(dependencies)));
    assert.deepEqual(rowsWith(await dump(server.database), organizationId), []);
  });

  test('stays until a file that can’t be removed can be', async (t) => {
    const { server, organizationId, dependencies, deleteIt } = await startFilled(t, engine);
    await deleteIt();
    server.advance(daysMs(graceDays));
    const busy = Object.assign(new Error('The file is in use'), { code: 'EBUSY' });
    const removeRemote = async () => {
      throw busy;
    };
    await assert.rejects(purgeOrganizations({ ...dependencies, removeRemote }, never), busy);
    assert.ok(rowsWith(await dump(server.database), organizationId).length > 30);
    await finish({ ...dependencies, removeRemote: async () => {} });
    assert.deepEqual(rowsWith(await dump(server.database), organizationId), []);
  });

  test('is erased from the database files once for all organizations, and again if that was interrupted', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    const ids = [await server.createOrganization(owner), await server.createOrganization(owner)].toSorted();
    const { database, clock } = server;
    for (const organizationId of ids) await deleteByOperator(server, { organizationId, graceMs: 0 });
    let erased = 0;
    let fails = true;
    const purged: string[] = [];
    const dependencies = {
      clock,
      publicUrl: '',
      directory: server.dataDirectory,
      removeRemote: undefined,
      mailer: { isConfigured: false, send: async () => ({ isSent: false as const, reason: 'none' }) },
      onPurged: (id: string) => purged.push(id),
      database: {
        ...database,
        erase: (tables: readonly string[]) => {
          if (tables.length > 0) erased += 1;
          return fails ? Promise.reject(new Error('The disk is full')) : database.erase(tables);
        },
      },
    };
    await purgeOrganizations(dependencies, never);
    await purgeOrganizations(dependencies, never);
    assert.equal(erased, 0, 'deleting rows alone doesn’t stop others from writing');
    await assert.rejects(eraseOrganizations(dependencies, never), /disk is full/);
    const pending = await listDeletedByOperator(database);
    assert.deepEqual(pending.map(({ id }) => id).toSorted(), ids);
    for (const id of ids) assert.equal(await restoreByOperator(server, { organizationId: id }), undefined);
    fails = false;
    await eraseOrganizations(dependencies, never);
    await eraseOrganizations(dependencies, never);
    assert.deepEqual(purged.toSorted(), ids);
    assert.equal(erased, 2);
    assert.deepEqual(await listDeletedByOperator(database), []);
  });
});
