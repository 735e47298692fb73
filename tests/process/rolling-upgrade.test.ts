import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../src/server/storage/migrations/migrations.ts';
import {
  freshPlace,
  ownerSettings,
  runCommandLine,
  send,
  signInOwner,
  startServerProcess,
} from '../support/server/server-process.ts';
import { openPostgres } from '../../src/server/storage/postgres/postgres.ts';
import { prepare } from '../../src/server/storage/prepared-query.ts';

const newerProgram = fileURLToPath(new URL('../support/server/newer-program.ts', import.meta.url));
const schemaVersion = prepare((sql) => sql.selectFrom('schema_version').select('version'));

describe('a replica of the older version', () => {
  test('serves every request while a newer one migrates the database, and starts again afterwards', async (context) => {
    const place = await freshPlace(context, 'PostgreSQL');
    const environment = { ...place, ...ownerSettings };
    const older = await startServerProcess(context, { environment });
    const account = await signInOwner(older);
    const agent = new Agent({ keepAlive: true });
    context.after(() => agent.destroy());
    const ended = new AbortController();
    const created: string[] = [];
    const serving = Promise.all(
      [0, 1, 2].map(async () => {
        while (!ended.signal.aborted) {
          const { status, body } = await send(account, 'POST /api/dashboards', {
            body: { name: 'Sales' },
            agent,
          });
          assert.equal(status, 201, JSON.stringify(body));
          created.push(body.id);
          assert.equal((await send(account, `GET /api/dashboards/${body.id}`, { agent })).status, 200);
          assert.equal((await send(account, 'GET /api/dashboards', { agent })).status, 200);
        }
      }),
    );
    const newer = await startServerProcess(context, {
      environment: { ...environment, NODE_OPTIONS: `--import ${newerProgram}` },
    });
    const countBefore = created.length;
    const atNewer = { ...account, url: newer.url };
    const { body } = await send(atNewer, 'POST /api/dashboards', { body: { name: 'by the newer' } });
    const rename = (at: typeof account, name: string) =>
      send(at, `PATCH /api/dashboards/${body.id}`, { body: { name }, headers: { 'if-match': '*' } });
    assert.equal((await rename(account, 'by the older')).status, 200);
    assert.equal((await rename(atNewer, 'by the newer again')).status, 200);
    assert.equal((await send(account, `GET /api/dashboards/${body.id}`)).body.name, 'by the newer again');
    ended.abort();
    await serving;
    assert.ok(created.length > countBefore, 'the older one has served after the migration');

    assert.equal((await older.end('SIGTERM')).code, 0);
    const again = await startServerProcess(context, { environment });
    const atAgain = { ...account, url: again.url };
    assert.equal((await rename(atAgain, 'by the older after its restart')).status, 200);
    const command = await runCommandLine(context, ['user', 'list'], { environment });
    assert.equal(command.code, 0, command.errorOutput);
    const database = await openPostgres(place['DATABASE_URL'] ?? '');
    context.after(() => database.close());
    assert.deepEqual(await database.all(schemaVersion, {}), [{ version: migrations.length + 1 }]);
  });
});
