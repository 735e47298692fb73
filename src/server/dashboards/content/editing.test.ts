import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutAt, startEditing } from '../../../../tests/support/dashboards/editor.ts';
import { dashboardEditOf } from '../../../../tests/support/edits.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type TestResponse,
} from '../../../../tests/support/server/test-server.ts';

const at = '2026-11-21T09:00:00.000Z';

describeOnUsualEngine('editing a dashboard', (engine) => {
  test('a save replaces name, description and widgets, and creates a version', async (context) => {
    const { server, ada, path, created, put } = await startEditing(context, engine);
    server.advance(1_000);
    const [revenue] = created.widgets;
    const response = await put(ada, 1, {
      ...created,
      name: 'Sales 2026',
      description: undefined,
      widgets: [{ id: revenue.id, reportId: 'profit' }, { reportId: 'new' }],
    });
    const expected = {
      id: created.id,
      userId: ada.id,
      organizationId: created.organizationId,
      name: 'Sales 2026',
      widgets: [
        { ...revenue, reportId: 'profit' },
        { id: response.body.widgets[1].id, reportId: 'new', layout: layoutAt(6, 0), config: {} },
      ],
      createdAt: at,
      updatedAt: '2026-11-21T09:00:01.000Z',
    };
    assert.deepEqual(
      { status: response.status, etag: response.headers.etag, body: response.body },
      { status: 200, etag: '"2"', body: expected },
    );
    assert.equal(response.headers['atrium-merged'], undefined);
    const read = await server.call(`GET ${path}`, { as: ada });
    assert.deepEqual([read.headers.etag, read.body], ['"2"', expected]);
  });

  test('a save without changes creates no version', async (context) => {
    const { ada, created, put } = await startEditing(context, engine);
    const response = await put(ada, 1, created);
    assert.deepEqual([response.status, response.headers.etag, response.body], [200, '"1"', created]);
  });

  test('edits of different parts are merged', async (context) => {
    const { server, ada, bob, path, created, put } = await startEditing(context, engine);
    const [revenue, orders] = created.widgets;
    await put(ada, 1, { ...created, widgets: [{ ...revenue, reportId: 'profit' }, orders] });
    const config = { title: 'Revenue of 2026' };
    const response = await put(bob, 1, {
      ...created,
      name: 'Renamed',
      widgets: [{ ...revenue, config }, { reportId: 'third' }],
    });
    assert.deepEqual(
      { status: response.status, etag: response.headers.etag, merged: response.headers['atrium-merged'] },
      { status: 200, etag: '"3"', merged: 'true' },
    );
    const { body } = await server.call(`GET ${path}`, { as: ada });
    assert.deepEqual(body, response.body);
    assert.deepEqual(
      { name: body.name, widgets: body.widgets },
      {
        name: 'Renamed',
        widgets: [
          { ...revenue, reportId: 'profit', config },
          { id: body.widgets[1].id, reportId: 'third', layout: layoutAt(6, 0), config: {} },
        ],
      },
    );
  });

  test('widgets that two people put in the same place are moved apart', async (context) => {
    const { ada, bob, created, put } = await startEditing(context, engine);
    const add = (reportId: string) => ({
      ...created,
      widgets: [...created.widgets, { reportId, layout: layoutAt(0, 4) }],
    });
    await put(ada, 1, add('of Ada'));
    const { body } = await put(bob, 1, add('of Bob'));
    assert.deepEqual(
      body.widgets.slice(2).map((widget: TestResponse['body']) => [widget.reportId, widget.layout]),
      [
        ['of Ada', layoutAt(0, 4)],
        ['of Bob', layoutAt(0, 8)],
      ],
    );
  });

  test('a conflict stores nothing, and returns everything needed to resolve it', async (context) => {
    const { server, ada, bob, path, created, put } = await startEditing(context, engine);
    const [revenue, orders] = created.widgets;
    const { body: current } = await put(ada, 1, {
      ...created,
      name: 'Of Ada',
      widgets: [{ ...revenue, config: { title: 'Of Ada' } }],
    });
    const mine = {
      ...created,
      name: 'Of Bob',
      widgets: [
        { ...revenue, config: { title: 'Of Bob' } },
        { ...orders, reportId: 'other' },
        { reportId: 'new' },
      ],
    };
    const refused = await put(bob, 1, mine);
    assert.deepEqual(problemOf(refused), { status: 412, code: 'edit_conflict' });
    const { etag, merged, conflicts } = refused.body;
    assert.deepEqual(
      { etag, current: refused.body.current, conflicts },
      {
        etag: '"2"',
        current,
        conflicts: [
          { pointer: '/name', base: 'Sales', mine: 'Of Bob', theirs: 'Of Ada' },
          {
            pointer: '/widgets/0/config',
            widgetId: revenue.id,
            base: { title: 'Revenue' },
            mine: { title: 'Of Bob' },
            theirs: { title: 'Of Ada' },
          },
          {
            pointer: '/widgets/1',
            widgetId: orders.id,
            base: orders,
            mine: { ...orders, reportId: 'other' },
          },
        ],
      },
    );
    assert.deepEqual(merged.widgets, [
      { ...revenue, config: { title: 'Of Ada' } },
      { ...orders, reportId: 'other' },
      { reportId: 'new', layout: { x: 0, y: 4, w: 6, h: 4 }, config: {} },
    ]);
    const { headers, body } = await server.call(`GET ${path}`, { as: bob });
    assert.deepEqual([headers.etag, body], ['"2"', current]);
    const resolved = await server.call(`PUT ${path}`, {
      as: bob,
      body: merged,
      headers: { 'if-match': etag },
    });
    assert.deepEqual([resolved.status, resolved.headers.etag, resolved.body.name], [200, '"3"', 'Of Ada']);
  });

  test('an edit that is repeated after its response was lost is applied once', async (context) => {
    const { ada, bob, created, put } = await startEditing(context, engine);
    const edit = { ...created, widgets: [...created.widgets, { reportId: 'third' }] };
    const first = await put(ada, 1, edit);
    const again = await put(ada, 1, edit);
    assert.deepEqual([again.status, again.headers.etag, again.body], [200, '"2"', first.body]);
    const { body: renamed } = await put(bob, 2, { ...first.body, name: 'Renamed' });
    const later = await put(ada, 1, edit);
    assert.deepEqual([later.status, later.headers.etag, later.body], [200, '"3"', renamed]);
    assert.equal(later.headers['atrium-merged'], 'true');
  });

  test('an edit must name the version that it changes', async (context) => {
    const { server, ada, path, created, put } = await startEditing(context, engine);
    const edits = { PUT: dashboardEditOf({ ...created, name: 'E' }), PATCH: { name: 'E' } };
    for (const [method, body] of Object.entries(edits)) {
      const send = (headers: Record<string, string>) =>
        server.call(`${method} ${path}`, { as: ada, body, headers });
      assert.deepEqual(problemOf(await send({})), { status: 428, code: 'precondition_required' });
      for (const tag of ['"2"', '"0"', 'W/"1"', '1', '""', '"1.0"', 'nonsense']) {
        const response = await send({ 'if-match': tag });
        assert.deepEqual(problemOf(response), { status: 412, code: 'unknown_version' }, tag);
      }
    }
    const overwritten = await put(ada, '*', { name: 'Overwritten', widgets: [] });
    assert.deepEqual([overwritten.status, overwritten.headers.etag], [200, '"2"']);
  });

  test('merges cannot make a dashboard larger than an edit can', async (context) => {
    const { server, ada, path, created, put } = await startEditing(context, engine);
    const edit = (turn: number) => ({
      name: 'Sales',
      description: 'All of it',
      widgets: [...created.widgets, { reportId: 'new', config: { text: String(turn).repeat(900_000) } }],
    });
    const responses = [];
    for (const turn of [1, 2, 3]) responses.push(await put(ada, 1, edit(turn)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 413],
    );
    const { body } = await server.call(`GET ${path}`, { as: ada });
    assert.equal(body.widgets.length, 4);
    // Parts that are left out of a widget stay as they were.
    const kept = body.widgets.map(({ id, reportId }: TestResponse['body']) => ({ id, reportId }));
    const grown = await put(ada, 3, { ...edit(3), widgets: [...kept, ...edit(3).widgets.slice(-1)] });
    assert.deepEqual(problemOf(grown), { status: 413, code: 'body_too_large' });
    const many = Array.from({ length: 50_000 }, () => ({ reportId: 'r' }));
    const create = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'Many', widgets: many },
    });
    assert.deepEqual(problemOf(create), { status: 413, code: 'body_too_large' });
  });

  test('a patch changes only the name and description', async (context) => {
    const { server, ada, path, created } = await startEditing(context, engine);
    const patch = (body: unknown, type = 'application/json') =>
      server.call(`PATCH ${path}`, {
        as: ada,
        body,
        headers: { 'if-match': '*', 'content-type': type },
      });
    assert.deepEqual(problemOf(await patch({ description: null, widgets: [] })).faults, ['/widgets unknown']);
    const { body } = await patch({ description: null });
    assert.deepEqual({ ...body, description: created.description }, created);
    assert.ok(!('description' in body));
    assert.equal((await patch({ name: 'E' })).body.name, 'E');
    assert.deepEqual(problemOf(await patch({ name: null, description: 7 })), {
      status: 400,
      code: 'invalid_body',
      faults: ['/description type', '/name type'],
    });
    assert.equal((await patch({ name: 'F' }, 'application/merge-patch+json')).status, 415);
  });

  test('a repeated ID is a fault, and the ID of another dashboard’s widget makes a new widget', async (context) => {
    const { server, ada, created, put } = await startEditing(context, engine);
    const [revenue, orders] = created.widgets;
    const twice = await put(ada, 1, { name: 'S', widgets: [revenue, orders, revenue, revenue] });
    assert.deepEqual(problemOf(twice), {
      status: 400,
      code: 'invalid_body',
      faults: ['/widgets/2/id unique', '/widgets/3/id unique'],
    });
    const other = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'Other', widgets: [{ reportId: 'r', config: { secret: true } }] },
    });
    const [foreign] = other.body.widgets;
    const { body } = await put(ada, 1, { name: 'S', widgets: [{ id: foreign.id, reportId: 'r' }] });
    assert.notEqual(body.widgets[0].id, foreign.id);
    assert.deepEqual(body.widgets[0].config, {});
  });

  test('a reader who already has the version gets 304 without a body', async (context) => {
    const { server, ada, path, put, created } = await startEditing(context, engine);
    const get = (tag: string) => server.call(`GET ${path}`, { as: ada, headers: { 'if-none-match': tag } });
    for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
      const { status, headers, text } = await get(tag);
      assert.deepEqual({ status, etag: headers.etag, text }, { status: 304, etag: '"1"', text: '' }, tag);
    }
    await put(ada, 1, { ...created, name: 'E' });
    assert.equal((await get('"1"')).status, 200);
  });

  test('a copy has the same widgets with new IDs', async (context) => {
    const { server, ada, bob, path, created } = await startEditing(context, engine);
    const copy = await server.call(`POST ${path}/duplicate`, { as: bob, body: {} });
    assert.equal(copy.status, 201);
    assert.deepEqual(
      {
        ...copy.body,
        widgets: copy.body.widgets.map(({ id: _id, ...widget }: TestResponse['body']) => widget),
      },
      {
        ...created,
        id: copy.body.id,
        userId: bob.id,
        name: 'Sales (copy)',
        widgets: created.widgets.map(({ id: _id, ...widget }: TestResponse['body']) => widget),
      },
    );
    assert.notEqual(copy.body.widgets[0].id, created.widgets[0].id);
    const own = await server.call(`POST ${path}/duplicate`, {
      as: bob,
      body: { organizationId: null, name: 'Mine' },
    });
    assert.deepEqual([own.body.organizationId, own.body.name], [undefined, 'Mine']);
    assert.equal((await server.call(`GET /api/dashboards/${own.body.id}`, { as: ada })).status, 404);
  });

  test('a dashboard in the trash is not found', async (context) => {
    const { server, ada, bob, path, created } = await startEditing(context, engine);
    const stale = await server.call(`DELETE ${path}`, { as: bob, headers: { 'if-match': '"7"' } });
    assert.deepEqual(problemOf(stale), { status: 412, code: 'unknown_version' });
    assert.equal((await server.call(`DELETE ${path}`, { as: bob })).status, 204);
    for (const line of [`GET ${path}`, `DELETE ${path}`, `GET ${path}/versions`]) {
      assert.equal((await server.call(line, { as: ada })).status, 404, line);
    }
    const list = await server.call(`GET /api/dashboards?organizationId=${created.organizationId}`, {
      as: ada,
    });
    assert.deepEqual(list.body, { items: [] });
  });
});
