import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  freshPlace,
  ownerSettings,
  runCommandLine,
  send,
  signInOwner,
  startServerProcess,
  temporaryDirectory,
  until,
  type Account,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

const putTable = (account: Account, path: string, csv: string): Promise<Response> =>
  fetch(`${account.url}${path}`, {
    method: 'PUT',
    headers: { cookie: account.cookie, 'content-type': 'text/csv' },
    body: csv,
  });

/** Creates dashboards and tables, and deletes tables permanently, until it is stopped; returns what was confirmed. */
function startLoad(account: Account, sourceId: string) {
  const dashboards: string[] = [];
  const tables: string[] = [];
  const stopped = new AbortController();
  const { signal } = stopped;
  async function createDashboards(): Promise<void> {
    while (!signal.aborted) {
      const { status, body } = await send(account, 'POST /api/dashboards', {
        body: { organizationId: account.organizationId, name: `Load ${dashboards.length}` },
      });
      if (status === 201) dashboards.push(body.id);
    }
  }
  async function changeTables(): Promise<void> {
    for (let index = 0; !signal.aborted; index += 1) {
      const name = `t${index}`;
      const path = `/api/data-sources/${sourceId}/tables`;
      const { status } = await putTable(account, `${path}/${name}`, `a\n${index}\n`);
      if (status !== 200 && status !== 201) continue;
      // Every third one is purged, and so never belongs to what must be restored. Every other one is replaced.
      const isPurged = index % 3 === 0;
      if (!isPurged) tables.push(name);
      if (index % 2 === 0) await putTable(account, `${path}/${name}`, `a\n${index}\n`);
      if (!isPurged) continue;
      await send(account, `DELETE ${path}/${name}`);
      const trash = await send(account, `GET /api/organizations/${account.organizationId}/trash/tables`);
      for (const { id } of trash.body?.items ?? []) await send(account, `DELETE /api/trash/tables/${id}`);
    }
  }
  const running = Promise.all([createDashboards(), changeTables()]);
  return {
    confirmed: () => ({ dashboards: [...dashboards], tables: [...tables] }),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function listDashboardIds(account: Account): Promise<string[]> {
  const ids: string[] = [];
  for (let query = 'limit=100'; ;) {
    const { body } = await send(account, `GET /api/dashboards?${query}`);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    if (body.nextCursor === undefined) return ids;
    query = `limit=100&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

async function createSource(account: Account): Promise<string> {
  const { body } = await send(account, `POST /api/organizations/${account.organizationId}/data-sources`, {
    body: { name: 'Files', kind: 'files' },
  });
  return body.id;
}

describeOnUsualEngine('a server whose data is lost', (engine) => {
  test('is restored with everything that was confirmed before its last backup began', async (context: TestContext) => {
    const place = await freshPlace(context, engine);
    const scheduled = join(temporaryDirectory(context), 'scheduled');
    const server = await startServerProcess(context, {
      environment: { ...place, ...ownerSettings, ATRIUM_BACKUP_DIR: scheduled },
    });
    const account = await signInOwner(server);
    const sourceId = await createSource(account);
    const load = startLoad(account, sourceId);
    const backups = temporaryDirectory(context);
    let confirmed = load.confirmed();
    let backup = '';
    for (const name of ['first', 'second']) {
      await until('more is stored', () =>
        load.confirmed().tables.length > confirmed.tables.length + 1 ? true : undefined,
      );
      confirmed = load.confirmed();
      backup = join(backups, name);
      const { code, errorOutput } = await runCommandLine(context, ['backup', backup], {
        environment: place,
      });
      assert.equal(code, 0, errorOutput);
    }
    const made = await until('the server has made a backup by itself', () =>
      namesIn(scheduled).find((name) => readdirSync(join(scheduled, name)).includes('manifest.json')),
    );
    assert.match(made, /^atrium-\d{4}-/);
    await load.stop();
    await server.end('SIGKILL');
    rmSync(place.ATRIUM_DATA_DIR, { recursive: true });

    const after = await freshPlace(context, engine);
    const restored = await runCommandLine(context, ['restore', backup], { environment: after });
    assert.equal(restored.code, 0, restored.errorOutput);
    const again = await startServerProcess(context, { environment: after });
    const found = await signInOwner(again);
    const ids = new Set(await listDashboardIds(found));
    assert.deepEqual(
      confirmed.dashboards.filter((id) => !ids.has(id)),
      [],
    );
    for (const table of confirmed.tables) {
      const { status, body } = await send(found, 'POST /api/reports/preview', {
        body: {
          organizationId: found.organizationId,
          dataSourceId: sourceId,
          query: `select a from ${table}`,
        },
      });
      assert.deepEqual([status, body.rows ?? body], [200, [[Number(table.slice(1))]]], table);
    }
    assert.ok(confirmed.dashboards.length > 0 && confirmed.tables.length > 2);
    const checked = await runCommandLine(context, ['verify', '--json'], { environment: after });
    assert.deepEqual([checked.code, JSON.parse(checked.output).faults], [0, []], checked.errorOutput);
    context.diagnostic(`${confirmed.dashboards.length} dashboards and ${confirmed.tables.length} tables`);
  });
});

describeOnUsualEngine('a place where no server was started', (engine) => {
  test('is neither backed up nor reported as whole, and stays empty', async (context) => {
    const place = await freshPlace(context, engine);
    const target = join(temporaryDirectory(context), 'backup');
    for (const words of [['backup', target], ['verify']]) {
      const { code, output, errorOutput } = await runCommandLine(context, words, {
        environment: place,
      });
      assert.deepEqual([code, output], [1, ''], words.join(' '));
      assert.match(
        errorOutput,
        engine === 'SQLite'
          ? /^ATRIUM_DATA_DIR: .* has no database\. Set it to the data directory of the server\.$/m
          : /^DATABASE_URL: the database is empty\. Set it to the database of the server\.$/m,
      );
    }
    assert.deepEqual([namesIn(place.ATRIUM_DATA_DIR), namesIn(target)], [[], []]);
  });
});

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

test('a backup onto a full disk fails with an explanation, and leaves nothing', async (context) => {
  const place = await freshPlace(context, 'SQLite');
  await (await startServerProcess(context, { environment: { ...place, ...ownerSettings } })).end('SIGTERM');
  const target = join(temporaryDirectory(context), 'backup');
  const { code, errorOutput } = await runCommandLine(context, ['backup', target], {
    environment: place,
    fileSizeLimit: 400,
  });
  assert.equal(code, 1, errorOutput);
  assert.match(errorOutput, /^The backup could not be written/);
  assert.throws(() => readdirSync(target), { code: 'ENOENT' });
});
