import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { layoutAt, startEditing } from '../../../../tests/support/dashboards/editor.ts';
import { describeOnUsualEngine, type TestResponse } from '../../../../tests/support/server/test-server.ts';
import { hoursMs } from '../../base/clock.ts';
import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { dashboardKind } from '../../dashboards/kind.ts';
import { currentOf } from '../kind.ts';

const at = '2026-11-21T09:00:00.000Z';

const versionSizes = prepare((db) =>
  db
    .selectFrom('dashboard_versions')
    .select(
      sql<number>`octet_length(coalesce(delta, '')) + octet_length(coalesce(content, '')) + 200`.as(
        'sizeBytes',
      ),
    ),
);

describeOnUsualEngine('the history of a dashboard', (engine) => {
  test('lists every version with its author and time, and returns its content', async (context) => {
    const { server, ada, bob, path, created, put } = await startEditing(context, engine);
    server.advance(hoursMs(1));
    const { body: second } = await put(bob, 1, { ...created, name: 'Second' });
    await put(ada, 1, { ...created, description: 'Third' });
    const restored = await server.call(`POST ${path}/versions/2/restore`, { as: bob });
    assert.deepEqual(
      [restored.headers.etag, restored.body],
      ['"4"', { ...second, updatedAt: restored.body.updatedAt }],
    );
    const list = await server.call(`GET ${path}/versions?limit=3`, { as: ada });
    const [later, names] = ['2026-11-21T10:00:00.000Z', { ada: 'Ada', bob: 'editor' }];
    assert.deepEqual(list.body.items, [
      { version: 4, userId: bob.id, userName: names.bob, at: later, change: 'restored', restoredFrom: 2 },
      { version: 3, userId: ada.id, userName: names.ada, at: later, change: 'merged' },
      { version: 2, userId: bob.id, userName: names.bob, at: later, change: 'saved' },
    ]);
    const rest = await server.call(`GET ${path}/versions?cursor=${list.body.nextCursor}`, { as: ada });
    assert.deepEqual(rest.body, {
      items: [{ version: 1, userId: ada.id, userName: names.ada, at, change: 'created' }],
    });
    const first = await server.call(`GET ${path}/versions/1`, { as: ada });
    const { name, description, widgets } = created;
    assert.deepEqual(first.body, { ...rest.body.items[0], name, description, widgets });
    assert.equal((await server.call(`GET ${path}/versions/5`, { as: ada })).status, 404);
  });

  test('stores a thousand edits of fifty widgets in little space, and reads them', async (context) => {
    const { server, ada, path, put } = await startEditing(context, engine);
    const widgets = Array.from({ length: 50 }, (_, index) => ({
      reportId: `report ${index}`,
      config: { title: `Revenue by region ${index}`, chart: 'bar', stacked: true },
    }));
    let { body: current } = await put(ada, '*', { name: 'Big', widgets });
    for (let edit = 0; edit < 1_000; edit += 1) {
      const edited = current.widgets.map((widget: TestResponse['body'], index: number) =>
        index === edit % 50 ? { ...widget, config: { ...widget.config, title: `Edit ${edit}` } } : widget,
      );
      ({ body: current } = await put(ada, edit + 2, { name: 'Big', widgets: edited }));
    }
    const version = await server.call(`GET ${path}/versions/3`, { as: ada });
    assert.deepEqual(version.body.widgets[0].config.title, 'Edit 0');
    assert.deepEqual(version.body.widgets[1].config.title, 'Revenue by region 1');
    const rows = await server.database.all(versionSizes, {});
    const sizeBytes = rows.reduce((sum, row) => sum + row.sizeBytes, 0);
    assert.equal(rows.length, 1_001);
    assert.ok(sizeBytes < 2_000_000, `${sizeBytes} bytes`);
  });

  test('is read consistently while others save, and is gone once the dashboard is purged', async (context) => {
    const { server, ada, bob, path, created, put } = await startEditing(context, engine);
    const { body: second } = await put(bob, 1, {
      ...created,
      widgets: [{ reportId: 'new' }, ...created.widgets],
    });
    const stored = await dashboardKind.findReadable(server.database, { id: created.id, userId: ada.id });
    assert.ok(stored);
    const current = currentOf(dashboardKind, stored);
    await put(bob, 2, { ...second, widgets: second.widgets.slice(1) });
    await put(bob, 3, { ...second, name: 'Fourth', widgets: [] });
    const first = await dashboardKind.history.findContent(server.database, current, 1);
    assert.deepEqual(first?.widgets, created.widgets);
    await server.call(`DELETE ${path}`, { as: ada });
    await server.call(`DELETE /api/trash${path.slice('/api'.length)}`, { as: ada });
    assert.equal(await dashboardKind.history.findContent(server.database, current, 1), undefined);
  });

  test('reads only a few versions to return a large one', async (context) => {
    const { server, ada, created, put } = await startEditing(context, engine);
    const edit = (letter: string) => ({
      name: 'Large',
      widgets: [{ reportId: 'r', config: { text: letter.repeat(300_000) } }],
    });
    for (let version = 1; version < 45; version += 1) {
      await put(ada, version, edit(String.fromCharCode(64 + version)));
    }
    const stored = await dashboardKind.findReadable(server.database, { id: created.id, userId: ada.id });
    assert.ok(stored);
    let readBytes = 0;
    const reader: Reader = {
      first: server.database.first,
      page: server.database.page,
      all: async (query, parameters) => {
        const rows = await server.database.all(query, parameters);
        readBytes += JSON.stringify(rows).length;
        return rows;
      },
    };
    for (const version of [2, 20, 44]) {
      const content = await dashboardKind.history.findContent(
        reader,
        currentOf(dashboardKind, stored),
        version,
      );
      assert.deepEqual(
        content?.widgets[0]?.config,
        edit(String.fromCharCode(63 + version)).widgets[0]?.config,
      );
    }
    assert.ok(readBytes < 2_000_000, `${readBytes} bytes`);
    const again = await put(ada, 1, edit('A'));
    assert.deepEqual([again.status, again.headers.etag], [200, '"45"']);
  });

  test('describes the changes between two versions in sentences', async (context) => {
    const { server, ada, path, created, put } = await startEditing(context, engine);
    const [revenue, orders] = created.widgets;
    await put(ada, 1, {
      name: 'Sales 2026',
      widgets: [
        { ...orders, layout: { x: 0, y: 0, w: 12, h: 4 }, config: { title: 'Orders', limit: 5 } },
        { reportId: 'new', layout: layoutAt(0, 4) },
      ],
    });
    const { body } = await server.call(`GET ${path}/changes?from=1`, { as: ada });
    assert.deepEqual(
      body.items.map(({ kind, pointer, summary }: TestResponse['body']) => `${kind} ${pointer}: ${summary}`),
      [
        'changed /name: Renamed from “Sales” to “Sales 2026”.',
        'removed /description: Description removed.',
        'changed /widgets/0/layout: Widget of report “orders” moved from column 7, row 1 to column 1, row 1 and resized from 6 × 4 to 12 × 4.',
        'changed /widgets/0/config: Widget of report “orders”: changed setting “limit”.',
        'added /widgets/1: Widget of report “new” added at column 1, row 5.',
        'removed /widgets/0: Widget of report “revenue” removed from column 1, row 1.',
      ],
    );
    assert.deepEqual(body.items.at(-1).before, revenue);
    const back = await server.call(`GET ${path}/changes?from=2&to=2`, { as: ada });
    assert.deepEqual(back.body, { items: [] });
  });
});
