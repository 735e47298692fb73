import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type TestResponse,
} from '../../../tests/support/server/test-server.ts';
import { saveModel } from './store.ts';

const sales = { schema: 'main', name: 'sales' };

function modelsOf({ server, owner, id }: Newsroom) {
  const path = `/api/data-sources/${id}/models`;
  return {
    list: async (as = owner, query = '') => server.call(`GET ${path}${query}`, { as }),
    put: async (body: object, version: string | undefined = '*', as = owner) =>
      server.call(`PUT ${path}`, { as, body, headers: { 'if-match': version } }),
    delete: async (version = '*', table = 'sales') =>
      server.call(`DELETE ${path}?schema=main&table=${table}`, {
        as: owner,
        headers: { 'if-match': version },
      }),
  };
}

const pointersOf = ({ body }: TestResponse) => body.errors.map(({ pointer }: { pointer: string }) => pointer);

const described = {
  ...sales,
  displayName: 'Sales',
  description: 'One row per sale.',
  columns: [
    { name: 'amount', displayName: 'Amount', format: { kind: 'currency', currency: 'EUR' } },
    { name: 'is_open', isHidden: true },
    { name: '__proto__', displayName: 'A column with an odd name' },
  ],
  primaryKey: ['region', 'day'],
  relationships: [
    { name: 'Region', columns: ['region'], references: { schema: 'main', name: 'regions', columns: ['id'] } },
  ],
  dimensions: [{ name: 'Year', formula: 'year([day])' }],
  measures: [
    { name: 'Revenue', description: 'Before tax', formula: 'sum([amount])', format: { kind: 'number' } },
  ],
};

describeOnUsualEngine('the models of a data source', (engine) => {
  test('are stored without what has no effect, and listed by schema and name', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { list, put } = modelsOf(newsroom);
    assert.deepEqual((await list()).body, { items: [] });
    const columns = [...described.columns, { name: 'day', isHidden: false, description: '' }];
    const saved = await put({ ...described, columns });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(saved.body, { ...described, version: 2, updatedAt: saved.body.updatedAt });
    assert.equal(saved.headers.etag, '"2"');
    assert.equal((await put({ ...sales, schema: 'b', displayName: 'B' })).status, 200);
    assert.equal((await put({ ...sales, schema: 'B', displayName: 'B' })).status, 200);
    const items: { schema: string }[] = (await list()).body.items;
    assert.deepEqual(
      items.map(({ schema }) => schema),
      ['B', 'b', 'main'],
    );
    assert.deepEqual(items[2], saved.body);
  });

  test('are only replaced in the version that an edit started from', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const models = modelsOf(newsroom);
    assert.equal((await models.put({ ...sales, displayName: 'A' }, '"2"')).status, 412);
    assert.equal((await models.put({ ...sales, displayName: 'A' }, '"1"')).body.version, 2);
    const stale = await models.put({ ...sales, displayName: 'B' }, '"1"');
    assert.deepEqual(problemOf(stale), { status: 412, code: 'edit_conflict' });
    const { version, displayName } = stale.body.current;
    assert.deepEqual([version, displayName], [2, 'A']);
    assert.equal(
      (await models.put({ ...sales, displayName: 'A' }, '"2"')).body.version,
      2,
      'nothing changed',
    );
    assert.equal((await models.delete('"1"')).status, 412);
    assert.equal((await models.delete('"2"')).status, 204);
    assert.deepEqual((await models.list()).body, { items: [] });
    assert.equal(
      (await models.put({ ...sales, displayName: 'C' }, '"1"')).status,
      412,
      'versions never repeat',
    );
    assert.equal((await models.put({ ...sales, displayName: 'C' }, '"3"')).body.version, 4);
    assert.equal((await models.delete('*', 'nothing')).status, 204);
    const { server, owner, id } = newsroom;
    const path = `/api/data-sources/${id}/models`;
    assert.equal((await server.call(`PUT ${path}`, { as: owner, body: sales })).status, 428);
  });

  test('are refused with every fault at once', async (context) => {
    const { put } = modelsOf(await startNewsroom(context, engine));
    const relationship = { name: 'r', columns: ['a'], references: { ...sales, columns: ['a', 'b'] } };
    const refused = await put({
      ...sales,
      columns: [{ name: 'a' }, { name: 'a', displayName: 'A' }],
      primaryKey: ['a', 'a'],
      relationships: [relationship, { ...relationship, columns: ['a', 'b'] }],
      dimensions: [{ name: 'One', formula: '1' }],
      measures: [
        { name: 'one', formula: 'count()' },
        { name: 'Broken', formula: 'sum([amount]' },
      ],
    });
    assert.deepEqual(pointersOf(refused), [
      '/columns/1/name',
      '/primaryKey/1',
      '/relationships/1/name',
      '/measures/0/name',
      '/relationships/0/references/columns',
      '/measures/1/formula',
    ]);
    const shapes = await put({ schema: '', columns: [{ name: 'a', format: { kind: 'color' } }] });
    assert.deepEqual(pointersOf(shapes), ['/schema', '/name', '/columns/0/format/kind']);
  });

  test('have at most 8 MiB in total', async (context) => {
    const { put, list } = modelsOf(await startNewsroom(context, engine));
    const columns = Array.from({ length: 95 }, (_, index) => ({
      name: `c${index}`,
      description: 'x'.repeat(10_000),
    }));
    const statuses: number[] = [];
    for (let index = 0; index < 9; index += 1) {
      statuses.push((await put({ schema: 'main', name: `t${index}`, columns })).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 400]);
    const names: string[] = [];
    for (let query = ''; ;) {
      const { text, body: page } = await list(undefined, query);
      assert.ok(text.length < 2.5 * 1024 ** 2, `a page has ${text.length} bytes`);
      names.push(...page.items.map(({ name }: { name: string }) => name));
      if (page.nextCursor === undefined) break;
      query = `?cursor=${page.nextCursor}`;
    }
    assert.deepEqual(names, ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']);
    const { status } = await list(undefined, `?cursor=${Buffer.from('["a","b","c"]').toString('base64url')}`);
    assert.equal(status, 400);
  });

  test('are at most 10,000, with deleted ones, since every run of a report reads their names', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { put, list } = modelsOf(newsroom);
    await newsroom.server.database.write(async (transaction) => {
      const model = { schema: 'main', version: 3, content: {}, updatedAt: '2026-11-21T09:00:00.000Z' };
      for (let index = 0; index < 9_999; index += 1)
        await saveModel(transaction, newsroom, { ...model, name: `t${index}` });
    });
    assert.equal((await put({ ...sales, displayName: 'Sales' })).status, 200);
    const refused = await put({ ...sales, name: 'other', displayName: 'Other' });
    assert.deepEqual(problemOf(refused), { status: 400, code: 'invalid_body', faults: [' maxItems'] });
    assert.equal((await put({ ...sales, displayName: 'All sales' })).status, 200);
    assert.equal((await list()).body.items.length, 1);
  });

  test('are in the audit log, move to the trash with their data source, and are deleted with it', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner: as, organizationId, id } = newsroom;
    const { list, put } = modelsOf(newsroom);
    await put({ ...sales, displayName: 'A' });
    const audit = (await server.call(`GET /api/organizations/${organizationId}/audit`, { as })).body.items[0];
    assert.deepEqual(
      [audit.action, audit.details],
      ['model.saved', { dataSourceId: id, schema: 'main', table: 'sales' }],
    );
    assert.equal((await server.call(`DELETE /api/data-sources/${id}`, { as })).status, 204);
    assert.equal((await list()).status, 404);
    assert.equal((await server.call(`POST /api/trash/data-sources/${id}/restore`, { as })).status, 200);
    assert.equal((await list()).body.items.length, 1);
    await server.call(`DELETE /api/data-sources/${id}`, { as });
    assert.equal((await server.call(`DELETE /api/trash/data-sources/${id}`, { as })).status, 204);
  });
});
