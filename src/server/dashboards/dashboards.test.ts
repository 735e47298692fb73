import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';

const anId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const at = '2026-11-21T09:00:00.000Z';

describeOnBothEngines('dashboards', (engine) => {
  test('a dashboard with only a name is created empty and personal', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const { status, headers, body } = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'Sales' },
    });
    assert.match(body.id, anId);
    assert.deepEqual(
      { status, etag: headers.etag, type: headers['content-type'], body },
      {
        status: 201,
        etag: '"1"',
        type: 'application/json; charset=utf-8',
        body: { id: body.id, userId: ada.id, name: 'Sales', widgets: [], createdAt: at, updatedAt: at },
      },
    );
    const read = await server.call(`GET /api/dashboards/${body.id}`, { as: ada });
    assert.deepEqual(
      { status: read.status, etag: read.headers.etag, body: read.body },
      { status: 200, etag: '"1"', body },
    );
  });

  test('widgets are stored with report, layout and config unchanged, and get an ID', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const config = {
      title: '<b>é\u{1F600}</b>',
      nested: { list: [1, null, { deep: true }], '': 0.1 },
      toJSON: 'x',
    };
    const { body } = await server.call('POST /api/dashboards', {
      as: ada,
      body: {
        name: 'Sales',
        description: '',
        organizationId,
        widgets: [
          { reportId: 'no such report', layout: { x: -3, y: 1e15, w: 0, h: 99 }, config },
          { reportId: '' },
        ],
      },
    });
    assert.equal(body.organizationId, organizationId);
    assert.equal(body.description, '');
    assert.deepEqual(body.widgets, [
      { id: body.widgets[0].id, reportId: 'no such report', layout: { x: -3, y: 1e15, w: 0, h: 99 }, config },
      { id: body.widgets[1].id, reportId: '', layout: { x: 0, y: 0, w: 6, h: 4 }, config: {} },
    ]);
    assert.notEqual(body.widgets[0].id, body.widgets[1].id);
    const read = await server.call(`GET /api/dashboards/${body.id}`, { as: ada });
    assert.deepEqual(read.body, body);
  });

  test('every fault of a body is reported at once', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const body = {
      name: '',
      description: 7,
      organizationId: null,
      widgets: [{ layout: { x: 1.5, y: '0', w: 1 }, config: [] }, 'widget', { reportId: 'r', layout: null }],
    };
    const response = await server.call('POST /api/dashboards', { as: ada, body });
    assert.deepEqual(problemOf(response), {
      status: 400,
      code: 'invalid_body',
      faults: [
        '/description type',
        '/name minLength',
        '/organizationId type',
        '/widgets/0/config type',
        '/widgets/0/layout/h required',
        '/widgets/0/layout/x type',
        '/widgets/0/layout/y type',
        '/widgets/0/reportId required',
        '/widgets/1 type',
        '/widgets/2/layout type',
      ],
    });
    const list = await server.call('GET /api/dashboards', { as: ada });
    assert.deepEqual(list.body, { items: [] });
  });

  test('widgets without a layout are placed on the grid of their tab or section', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson('Ada');
    const widgetIn = (parent?: string) => ({
      reportId: 'r',
      ...(parent !== undefined && { config: { parent } }),
    });
    const { body } = await server.call('POST /api/dashboards', {
      as,
      body: {
        name: 'D',
        widgets: [
          widgetIn(),
          { reportId: 'builtin:tab', config: { key: 'costs' } },
          { reportId: 'builtin:tab', config: { key: 'sales' }, layout: { x: 0, y: 4, w: 12, h: 1 } },
          { reportId: 'builtin:section', config: { key: 'month', parent: 'costs' } },
          { reportId: 'builtin:section', config: { key: 'year', parent: 'costs' } },
          widgetIn('costs'),
          widgetIn('month'),
          widgetIn('month'),
          widgetIn('gone'),
        ],
      },
    });
    assert.deepEqual(
      body.widgets.map(({ layout: { x, y, w, h } }: Dashboard['widgets'][number]) => `${x},${y} ${w}×${h}`),
      ['0,0 6×4', '0,5 12×1', '0,4 12×1', '0,0 12×1', '0,1 12×1', '0,0 6×4', '0,0 6×4', '6,0 6×4', '6,0 6×4'],
    );
  });

  test('fields that only the server sets are ignored, in widgets and layouts too', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const forged = { id: 'mine', userId: eve.id, createdAt: 'x', updatedAt: 'y', version: 9, role: 'owner' };
    const { status, headers, body } = await server.call('POST /api/dashboards', {
      as: ada,
      body: {
        ...forged,
        name: 'Sales',
        widgets: [{ id: 'w', reportId: 'r', extra: 1, layout: { x: 0, y: 0, w: 1, h: 1, z: 5 } }],
      },
    });
    assert.deepEqual(
      { status, etag: headers.etag, body },
      {
        status: 201,
        etag: '"1"',
        body: {
          id: body.id,
          userId: ada.id,
          name: 'Sales',
          widgets: [
            { id: body.widgets[0].id, reportId: 'r', layout: { x: 0, y: 0, w: 1, h: 1 }, config: {} },
          ],
          createdAt: at,
          updatedAt: at,
        },
      },
    );
    assert.match(body.id, anId);
    assert.match(body.widgets[0].id, anId);
    const stored = await server.call(`GET /api/dashboards/${body.id}`, { as: ada });
    assert.deepEqual(stored.body, body);
  });

  test('another person’s, another organization’s and missing dashboards get the same response', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const organizationId = await server.createOrganization(ada);
    await server.createOrganization(eve);
    const own = await server.call('POST /api/dashboards', { as: ada, body: { name: 'Own' } });
    const shared = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'Shared', organizationId },
    });
    const responses = await Promise.all([
      ...[own.body.id, shared.body.id, crypto.randomUUID(), 'x'.repeat(400), '%00'].map((id: string) =>
        server.call(`GET /api/dashboards/${id}`, { as: eve }),
      ),
      ...[organizationId, crypto.randomUUID(), ''].map((id) =>
        server.call('POST /api/dashboards', { as: eve, body: { name: 'Mine', organizationId: id } }),
      ),
      ...[organizationId, crypto.randomUUID()].map((id) =>
        server.call(`GET /api/dashboards?organizationId=${id}`, { as: eve }),
      ),
    ]);
    const texts = responses.map(({ text, body }) => text.replace(body.requestId, ''));
    assert.deepEqual(new Set(texts).size, 1, texts.join('\n'));
    assert.equal(responses[0]?.status, 404);
  });

  test('the list has personal dashboards and those of the reader’s organizations, newest first, in pages', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [one, other] = [await server.createOrganization(ada), await server.createOrganization(ada)];
    const foreign = await server.createOrganization(eve);
    const created: { id: string; organizationId?: string }[] = [];
    for (const organizationId of [undefined, one, other, one, undefined]) {
      const { body } = await server.call('POST /api/dashboards', {
        as: ada,
        body: { name: 'D', organizationId },
      });
      created.push(body);
      await server.call('POST /api/dashboards', { as: eve, body: { name: 'E', organizationId: foreign } });
    }
    // Newest first is by ID, which distinguishes times to the millisecond.
    created.sort((a, b) => (a.id < b.id ? 1 : -1));
    const ids = created.map(({ id }) => id);
    const seen: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await server.call(`GET /api/dashboards?limit=2${query}`, { as: ada });
      seen.push(body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    assert.deepEqual(seen, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    const ofOne = await server.call(`GET /api/dashboards?organizationId=${one}`, { as: ada });
    assert.deepEqual(
      ofOne.body.items.map(({ id }: { id: string }) => id),
      created.filter(({ organizationId }) => organizationId === one).map(({ id }) => id),
    );
    assert.deepEqual(Object.keys(ofOne.body.items[0]).toSorted(), [
      'createdAt',
      'id',
      'isStarred',
      'name',
      'organizationId',
      'updatedAt',
      'userId',
    ]);
  });

  test('a page of large dashboards ends early, and the next continues after it', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson('Ada');
    const description = 'x'.repeat(1_000_000);
    for (let count = 0; count < 6; count += 1) {
      await server.call('POST /api/dashboards', { as, body: { name: `D${count}`, description } });
    }
    const pages: { id: string }[][] = [];
    let cursor = '';
    do {
      const { body } = await server.call(`GET /api/dashboards${cursor && `?cursor=${cursor}`}`, { as });
      pages.push(body.items);
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 2],
    );
    assert.equal(new Set(pages.flat().map(({ id }) => id)).size, 6);
  });

  test('an invalid limit or cursor is reported', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const responses = await Promise.all(
      ['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=%00', 'organizationId=a%00'].map((query) =>
        server.call(`GET /api/dashboards?${query}`, { as: ada }),
      ),
    );
    assert.deepEqual(
      responses.map(problemOf).map(({ code, faults }) => `${code} ${faults?.join()}`),
      [
        'invalid_parameters /limit pattern',
        'invalid_parameters /limit pattern',
        'invalid_parameters /limit pattern',
        'invalid_parameters /cursor cursor',
        'invalid_parameters /cursor text',
        'invalid_parameters /organizationId text',
      ],
    );
  });

  test('a session limited to one organization creates, reads and lists only there', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const [one, other] = [await server.createOrganization(ada), await server.createOrganization(ada)];
    const create = (as: typeof ada, organizationId?: string) =>
      server.call('POST /api/dashboards', { as, body: { name: 'D', organizationId } });
    const [own, ofOther] = [await create(ada), await create(ada, other)];
    const scoped = await server.createSsoSession(ada, one);
    const ofOne = await create(scoped, one);
    assert.equal(ofOne.status, 201);
    assert.deepEqual(problemOf(await create(scoped)), { status: 403, code: 'forbidden' });
    assert.deepEqual(problemOf(await create(scoped, other)), { status: 404, code: 'not_found' });
    for (const id of [own.body.id, ofOther.body.id]) {
      assert.equal((await server.call(`GET /api/dashboards/${id}`, { as: scoped })).status, 404);
    }
    const list = await server.call('GET /api/dashboards', { as: scoped });
    assert.deepEqual(
      list.body.items.map(({ id }: { id: string }) => id),
      [ofOne.body.id],
    );
  });
});
