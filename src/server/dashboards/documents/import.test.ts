import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  documentsOf,
  everythingStored,
  furnish,
  openOffice,
  restrictDashboard,
  startOffice,
} from '../../../../tests/support/dashboards/office.ts';
import { onePixel } from '../../../../tests/support/image-files.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type TestResponse,
} from '../../../../tests/support/server/test-server.ts';

const format = 'atrium.dashboard/1';
const newDocument = (name: string) => ({ format, id: crypto.randomUUID(), name, widgets: [] as object[] });

type Item = TestResponse['body'];
const withoutIds = ({ body }: TestResponse) =>
  body.items.map(({ dashboardId: _dashboardId, version: _version, ...item }: Item) => item);

describeOnUsualEngine('an import of dashboards', (engine) => {
  test('lets other requests run in between, even with many dashboards', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner } = office;
    const widgets = Array.from({ length: 20 }, () => ({ reportId: 'r', config: { text: 'x'.repeat(80) } }));
    // Enough for the embedded database to yield several times.
    const count = engine === 'SQLite' ? 1_000 : 300;
    const documents = Array.from({ length: count }, (_, index) => ({ ...newDocument(`${index}`), widgets }));
    const state = { isOver: false };
    const imported = office.import(documents).finally(() => {
      state.isOver = true;
    });
    let served = 0;
    while (!state.isOver) {
      assert.equal((await server.call('GET /api/trash/dashboards', { as: owner })).status, 200);
      served += 1;
      await setImmediate();
    }
    assert.equal((await imported).body.items.length, count);
    // An import that never yields allows only three: before and after it.
    assert.ok(served > 5, `${served} other requests were served`);
  });

  test('stores nothing if others have changed something since the dry run', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner, organizationId } = office;
    const documents = [newDocument('Changed'), newDocument('Deleted'), newDocument('Unchanged')];
    await office.import(documents);
    const edits = [
      ...documents.map((document) => ({ ...document, description: 'new' })),
      newDocument('Created'),
    ];
    const path = `POST /api/organizations/${organizationId}/dashboards/import`;
    const dryRun = await server.call(`${path}?dryRun=true`, { as: owner, body: { documents: edits } });
    const expected = dryRun.body.items.map(({ id, action, version }: Item) => ({ id, action, version }));
    assert.deepEqual(
      expected.map(({ action, version }: Item) => [action, version]),
      [
        ['update', 1],
        ['update', 1],
        ['update', 1],
        ['create', undefined],
      ],
    );
    const [changed, deleted] = dryRun.body.items;
    const headers = { 'if-match': '"1"' };
    const body = { name: 'Renamed by others' };
    await server.call(`PATCH /api/dashboards/${changed.dashboardId}`, { as: owner, headers, body });
    await server.call(`DELETE /api/dashboards/${deleted.dashboardId}`, { as: owner, headers });
    await office.import(edits.slice(3));
    const before = await office.export();
    const refused = await server.call(path, { as: owner, body: { documents: edits, expected } });
    assert.deepEqual(problemOf(refused), {
      status: 412,
      code: 'unknown_version',
      faults: [0, 1, 3].map((index) => `/documents/${index} version`),
    });
    assert.equal(await office.export(), before);
    const again = await server.call(path, {
      as: owner,
      body: { documents: edits.slice(2, 3), expected: expected.slice(2, 3) },
    });
    assert.equal(again.status, 200, again.text);
  });

  test('takes what an export returns, as NDJSON', async (context) => {
    const office = await startOffice(context, engine);
    await furnish(office);
    const exported = await office.export();
    const other = await openOffice(office.server);
    const imported = await other.importLines(exported);
    assert.deepEqual(
      imported.body.items?.map(({ action }: Item) => action),
      ['create', 'create'],
      imported.text,
    );
    assert.equal(await other.export(), exported);
    const refused = await other.importLines(`${exported}{"format":"${format}"}\n`);
    assert.deepEqual(problemOf(refused).faults?.[0], '/documents/2/id required');
    const cut = await other.importLines(exported.slice(0, -2));
    assert.deepEqual(problemOf(cut), { status: 400, code: 'malformed_json' });
    assert.match(cut.body.detail, /^Line 2: /);
  });

  test('warns about images that the organization lacks, also in a dry run', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner, organizationId } = office;
    const upload = async ({
      organizationId: id,
      owner: as,
    }: Pick<typeof office, 'organizationId' | 'owner'>) =>
      server.call(`POST /api/organizations/${id}/images`, {
        as,
        body: onePixel,
        headers: { 'content-type': 'image/png' },
      });
    const other = await openOffice(server);
    const { id } = (await upload(other)).body;
    const absent = 'ab'.repeat(32);
    const widgets = [
      { reportId: 'builtin:text', config: { text: `![Map](image:${absent}) and ![Pixel](image:${id})` } },
      { reportId: 'builtin:image', config: { image: id, description: 'A pixel' } },
      { reportId: 'builtin:image', config: { image: '{{Boats > photo}}' } },
    ];
    const document = { ...newDocument('Pictures'), widgets };
    const warnings = async (query = '') => {
      const { body } = await office.import([document, newDocument('Plain')], { query });
      return body.items.map(({ missingImages }: Item) => missingImages);
    };
    // What another organization has doesn't count.
    const missing = [{ id: absent }, { id, description: 'A pixel' }];
    assert.deepEqual(await warnings('?dryRun=true'), [missing, undefined]);
    assert.deepEqual(await warnings(), [missing, undefined]);
    assert.equal((await upload({ organizationId, owner })).status, 201);
    assert.deepEqual(await warnings('?dryRun=true'), [[{ id: absent }], undefined]);
  });

  test('creates, updates, restores and skips dashboards, as a dry run predicts', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner } = office;
    await furnish(office);
    const deleted = await office.create({ name: 'Deleted' });
    const documents = documentsOf(await office.export());
    await server.call(`DELETE /api/dashboards/${deleted.id}`, { as: owner });
    const [sales, unchanged] = documents;
    const changed = [
      { ...sales, name: 'Sales 2027', widgets: sales.widgets.slice(1) },
      unchanged,
      newDocument('New'),
      { ...documents[2], description: 'Back' },
    ];
    const before = await everythingStored(office);
    const dryRun = await office.import(changed, { query: '?dryRun=true' });
    assert.deepEqual(await everythingStored(office), before);
    const run = await office.import(changed, { query: '?dryRun=false' });
    assert.deepEqual(withoutIds(dryRun), withoutIds(run));
    assert.deepEqual(withoutIds(run), [
      {
        kind: 'dashboard',
        id: sales.id,
        name: 'Sales 2027',
        action: 'update',
        changes: [
          'Renamed from “Sales” to “Sales 2027”.',
          'Widget of report “revenue” removed from column 1, row 1.',
        ],
      },
      { kind: 'dashboard', id: unchanged.id, name: unchanged.name, action: 'unchanged' },
      { kind: 'dashboard', id: changed[2]?.id, name: 'New', action: 'create' },
      {
        kind: 'dashboard',
        id: deleted.id,
        name: 'Deleted',
        action: 'restore',
        changes: ['Description added.'],
      },
    ]);
    const ids = run.body.items.map(({ dashboardId }: Item) => dashboardId);
    assert.deepEqual(
      dryRun.body.items.map(({ dashboardId }: Item) => dashboardId),
      [ids[0], ids[1], undefined, ids[3]],
    );
    assert.equal(ids[3], deleted.id);
    assert.notEqual(ids[2], changed[2]?.id);

    const versions = await server.call(`GET /api/dashboards/${sales.id}/versions`, { as: owner });
    assert.deepEqual(
      versions.body.items.map(({ version, change, userId }: Item) => [version, change, userId]),
      [
        [2, 'imported', owner.id],
        [1, 'created', owner.id],
      ],
    );
    const untouched = await server.call(`GET /api/dashboards/${unchanged.id}`, { as: owner });
    assert.equal(untouched.headers.etag, '"1"');
    const restored = await server.call(`GET /api/dashboards/${deleted.id}`, { as: owner });
    assert.equal(restored.body.description, 'Back');
    const audit = await server.call(
      `GET /api/organizations/${office.organizationId}/audit?action=dashboards.imported`,
      { as: owner },
    );
    assert.deepEqual(
      audit.body.items.map(({ actorId, details }: Item) => ({ actorId, details })),
      [
        {
          actorId: owner.id,
          details: {
            created: 1,
            updated: 1,
            restored: 1,
            unchanged: 1,
            dashboardIds: [ids[0], ids[2], ids[3]],
          },
        },
      ],
    );
  });

  test('recognizes a dashboard that it created before, even in the trash', async (context) => {
    const office = await startOffice(context, engine);
    const document = newDocument('New');
    const [first, second] = [await office.import([document]), await office.import([document])];
    const [{ dashboardId }] = first.body.items;
    assert.deepEqual(second.body.items, [{ ...first.body.items[0], action: 'unchanged' }]);
    await office.server.call(`DELETE /api/dashboards/${dashboardId}`, { as: office.owner });
    const third = await office.import([document]);
    assert.deepEqual(third.body.items, [{ ...first.body.items[0], action: 'restore' }]);
    // Its ID here must not appear in a document, or it would have two.
    assert.deepEqual(
      documentsOf(await office.export()).map(({ id }) => id),
      [document.id],
    );
  });

  test('gives IDs to widgets without one, and recognizes them on the next import', async (context) => {
    const office = await startOffice(context, engine);
    const id = crypto.randomUUID();
    const widgets = [
      { reportId: 'by hand' },
      { id, reportId: 'kept' },
      { id, reportId: 'copied' },
      { id: 'revenue', reportId: 'named' },
    ];
    const document = { ...newDocument('By hand'), widgets };
    const run = await office.import([document]);
    assert.equal(run.body.items[0].newWidgetIds, 3);
    const [{ widgets: stored }] = documentsOf(await office.export());
    assert.equal(stored[1].id, id);
    assert.equal(new Set(stored.map((widget: Item) => widget.id)).size, 4);
    const again = await office.import([document]);
    assert.deepEqual(withoutIds(again), [
      { kind: 'dashboard', id: document.id, name: 'By hand', action: 'unchanged' },
    ]);
  });

  test('stores nothing if it fails, and reports every fault of every document', async (context) => {
    const office = await startOffice(context, engine);
    await furnish(office);
    const before = await everythingStored(office);
    const [sales] = documentsOf(await office.export());
    const shapes = await office.import([
      newDocument('Fine'),
      { ...sales, id: 'Sales', name: '' },
      { ...sales, widgets: [{ reportId: 1, layout: { x: 0.5, y: 0, w: 1 } }] },
      { ...sales, format: 'atrium.dashboard/2', widgets: [{}] },
      { id: sales.id },
      'Sales',
    ]);
    assert.deepEqual(problemOf(shapes), {
      status: 400,
      code: 'invalid_body',
      faults: [
        '/documents/1/id pattern',
        '/documents/1/name minLength',
        '/documents/2/widgets/0/layout/h required',
        '/documents/2/widgets/0/layout/x type',
        '/documents/2/widgets/0/reportId type',
        '/documents/3/format enum',
        '/documents/4/format required',
        '/documents/5 type',
      ],
    });
    const twins = await office.import([newDocument('Fine'), sales, { ...sales, name: 'Twin' }, sales]);
    assert.deepEqual(problemOf(twins), {
      status: 400,
      code: 'invalid_body',
      faults: ['/documents/2/id unique', '/documents/3/id unique'],
    });
    const query = await office.import([sales], { query: '?dryRun=1' });
    assert.deepEqual(problemOf(query), {
      status: 400,
      code: 'invalid_parameters',
      faults: ['/dryRun enum'],
    });
    const misspelt = await office.import([sales], { query: '?dryrun=true' });
    assert.deepEqual(problemOf(misspelt), {
      status: 400,
      code: 'invalid_parameters',
      faults: ['/dryrun unknown'],
    });
    assert.deepEqual(await everythingStored(office), before);
  });

  test('stores nothing if the database fails halfway', async (context) => {
    const office = await startOffice(context, engine);
    await furnish(office);
    const before = await everythingStored(office);
    const [sales] = documentsOf(await office.export());
    await office.server.database.write((transaction) =>
      transaction.execute('create unique index test_names on dashboards (name)'),
    );
    office.server.expectErrors();
    const response = await office.import([
      { ...sales, name: 'Renamed' },
      newDocument('New'),
      newDocument('Renamed'),
    ]);
    assert.equal(response.status, 500);
    assert.deepEqual(await everythingStored(office), before);
  });

  test('never changes a dashboard of another organization with the same ID', async (context) => {
    const office = await startOffice(context, engine);
    const other = await openOffice(office.server);
    await furnish(other);
    const theirs = await other.export();
    const foreign = documentsOf(theirs).map((document) => ({ ...document, name: 'Mine now' }));
    const known = await office.import(foreign);
    const unknown = await office.import(foreign.map((one) => ({ ...one, id: crypto.randomUUID() })));
    const withoutAnyId = (response: TestResponse) =>
      response.body.items.map(({ id: _id, dashboardId: _dashboardId, ...item }: Item) => item);
    assert.deepEqual([known.status, withoutAnyId(known)], [unknown.status, withoutAnyId(unknown)]);
    assert.equal(await other.export(), theirs);
    for (const { dashboardId } of known.body.items) assert.ok(foreign.every(({ id }) => id !== dashboardId));
    // Nor does the other organization's own import find what was created here from its ID.
    const [first] = documentsOf(theirs);
    const back = await other.import([first]);
    assert.equal(back.body.items[0].action, 'unchanged');
  });

  test('stores nothing if a dashboard may not be changed, without revealing its content', async (context) => {
    const office = await startOffice(context, engine);
    const editor = await office.member('editor');
    const secret = await office.create({ name: 'Secret', description: 'Takeover' });
    const deleted = await office.create({ name: 'Deleted secret' });
    const named = await office.create({ name: 'Named' });
    for (const { id } of [secret, deleted, named]) await restrictDashboard(office, id);
    await office.server.call(`DELETE /api/dashboards/${deleted.id}`, { as: office.owner });
    await office.server.database.write((transaction) =>
      transaction.execute(
        `insert into shares (record_id, grantee_kind, grantee_id, record_kind, organization_id, access)
          values ('${named.id}', 'user', '${editor.id}', 'dashboard', '${office.organizationId}', 'view')`,
      ),
    );
    const before = await everythingStored(office);
    const documents = [
      newDocument('New'),
      ...[secret, deleted, named].map(({ id }) => ({ ...newDocument('Mine'), id })),
    ];
    for (const query of ['', '?dryRun=true']) {
      const response = await office.import(documents, { as: editor, query });
      assert.deepEqual(problemOf(response), {
        status: 403,
        code: 'forbidden',
        faults: ['/documents/1 forbidden', '/documents/2 forbidden', '/documents/3 forbidden'],
      });
      assert.doesNotMatch(response.text, /Secret|Takeover|secret/);
      assert.equal(new Set(response.body.errors.map(({ message }: Item) => message)).size, 1);
    }
    assert.deepEqual(await everythingStored(office), before);
    assert.equal((await office.import(documents)).status, 200);
  });

  test('creates one dashboard of a document even if several run at once', async (context) => {
    const office = await startOffice(context, engine);
    const documents = Array.from({ length: 5 }, (_, index) => newDocument(`New ${index}`));
    const responses = await Promise.all(
      [0, 1, 2, 3].map((turn) => office.import(turn % 2 === 0 ? documents : documents.toReversed())),
    );
    const actions: string[] = responses.flatMap(({ body }) => body.items.map(({ action }: Item) => action));
    assert.deepEqual(actions.toSorted(), [...Array(5).fill('create'), ...Array(15).fill('unchanged')]);
    assert.equal(documentsOf(await office.export()).length, 5);
  });

  test('accepts a body of more than 1 MiB and up to 4 MiB', async (context) => {
    const office = await startOffice(context, engine);
    const large = { ...newDocument('Large'), description: 'x'.repeat(2 * 1024 * 1024) };
    assert.equal((await office.import([large])).status, 200);
    const tooLarge = { ...newDocument('Too large'), description: 'x'.repeat(4 * 1024 * 1024) };
    assert.deepEqual(problemOf(await office.import([tooLarge])), { status: 413, code: 'body_too_large' });
    const many = await office.import(Array.from({ length: 1001 }, () => newDocument('One of many')));
    assert.deepEqual(problemOf(many), {
      status: 400,
      code: 'invalid_body',
      faults: ['/documents maxItems'],
    });
  });
});
