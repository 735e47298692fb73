import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, describe } from 'node:test';
import { damagePage } from '../../../tests/support/storage/damaged-page.ts';
import { makeOperator } from '../../../tests/support/organizations/operators.ts';
import { errorsIn, problemOf, startTestServer } from '../../../tests/support/server/test-server.ts';
import { minutesMs } from '../base/clock.ts';

const unavailable = { status: 503, code: 'unavailable' };

describe('a server on the embedded database', () => {
  test('serves everything except what is on a damaged page, and is not ready', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    server.expectErrors();
    const as = await server.createPerson();
    await makeOperator(server, as);
    const create = (name: string, config: object) =>
      server.call('POST /api/dashboards', { as, body: { name, widgets: [{ reportId: 'r', config }] } });
    const { id } = (await create('Damaged', { text: 'x'.repeat(100_000) })).body;
    const other = (await create('Other', {})).body;
    const outsider = new DatabaseSync(join(server.dataDirectory, 'atrium.sqlite'));
    damagePage(outsider, "name = 'dashboards' and pagetype = 'overflow'");
    outsider.close();

    for (let visit = 0; visit < 3; visit += 1) {
      const response = await server.call(`GET /api/dashboards/${id}`, { as });
      assert.deepEqual(problemOf(response), unavailable);
      assert.match(response.body.detail, /cannot be read.*restore a backup/);
    }
    assert.equal((await server.call(`GET /api/dashboards/${other.id}`, { as })).status, 200);
    assert.equal((await create('After', {})).status, 201);
    const ready = await server.call('GET /api/health/ready');
    assert.deepEqual(problemOf(ready), unavailable);
    assert.match(ready.body.detail, /cannot be read/);
    assert.equal((await server.call('GET /api/health/live')).status, 200);
    const { body } = await server.call('GET /api/server', { as });
    assert.deepEqual(body.attention[0], { code: 'database', message: ready.body.detail });
    const errors = errorsIn(server.log);
    assert.equal(errors.length, 1, errors.join(''));
  });

  test('serves reads while its disk is full, and reports that it is degraded', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    server.expectErrors();
    const as = await server.createPerson();
    const create = (name: string) =>
      server.call('POST /api/dashboards', {
        as,
        body: { name, widgets: [{ reportId: 'r', config: { text: 'x'.repeat(100_000) } }] },
      });
    const { id } = (await create('Before')).body;
    await server.database.write(async (transaction) => {
      // Makes writes fail that the engine could do without more space, as on a full disk.
      await transaction.execute('create table filler (bytes blob)');
      for (const table of ['sessions', 'dashboard_entries'])
        for (const event of ['insert', 'update'])
          await transaction.execute(
            `create trigger fill_${table}_${event} after ${event} on ${table} begin insert into filler values (zeroblob(1000000)); end`,
          );
      await transaction.execute('pragma max_page_count = 1');
    });
    server.advance(minutesMs(6));

    assert.equal((await server.call(`GET /api/dashboards/${id}`, { as })).status, 200);
    for (const query of ['', '?q=before', '?sort=name'])
      assert.equal((await server.call(`GET /api/dashboards${query}`, { as })).status, 200, query);
    const refused = await create('Refused');
    assert.deepEqual(problemOf(refused), unavailable);
    assert.match(refused.body.detail, /disk is full/);
    assert.equal(refused.headers['retry-after'], '5');
    const ready = await server.call('GET /api/health/ready');
    assert.equal(ready.status, 200);
    assert.equal(ready.body.status, 'degraded');
    assert.deepEqual(
      ready.body.checks.filter(({ status }: { status: string }) => status !== 'ok'),
      [{ name: 'writes', status: 'degraded', detail: refused.body.detail }],
    );
  });
});
