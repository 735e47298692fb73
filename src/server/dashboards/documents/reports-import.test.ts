import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addReport,
  addSource,
  documentsOf,
  everythingStored,
  openOffice,
  startOffice,
} from '../../../../tests/support/dashboards/office.ts';
import {
  furnishWithReports,
  newDashboard,
  newReport,
  withoutIds,
  type Item,
} from '../../../../tests/support/reports/documents.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type TestResponse,
} from '../../../../tests/support/server/test-server.ts';

describeOnUsualEngine('an import of dashboards and their reports', (engine) => {
  test('creates, updates, restores and skips reports, as a dry run predicts', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner } = office;
    const { revenue, orders, dashboard } = await furnishWithReports(office);
    const deleted = await addReport(office, revenue.dataSourceId, { name: 'Deleted' });
    const shown = await office.create({ name: 'Shows it', widgets: [{ reportId: deleted.id }] });
    const [first, second, third, ...dashboards] = documentsOf(await office.export());
    await server.call(`DELETE /api/reports/${deleted.id}?force=true`, {
      as: owner,
      headers: { 'if-match': '*' },
    });
    const created = newReport('New');
    const changed = { ...second, description: undefined, name: 'Turnover', cacheSeconds: 5 };
    const sales = { ...dashboards[0], widgets: [...dashboards[0].widgets, { reportId: created.id }] };
    const documents = [created, first, changed, { ...third, query: 'select 2' }, sales];
    const before = await everythingStored(office);
    const dryRun = await office.import(documents, { query: '?dryRun=true' });
    assert.deepEqual(await everythingStored(office), before);
    const run = await office.import(documents);
    assert.deepEqual(withoutIds(dryRun), withoutIds(run));
    assert.deepEqual(withoutIds(run), [
      { kind: 'report', id: created.id, name: 'New', action: 'create' },
      { kind: 'report', id: orders.id, name: 'Orders', action: 'unchanged' },
      {
        kind: 'report',
        id: revenue.id,
        name: 'Turnover',
        action: 'update',
        changes: ['Name changed.', 'Description removed.', 'Cache duration changed.'],
      },
      { kind: 'report', id: deleted.id, name: 'Deleted', action: 'restore', changes: ['Query changed.'] },
      {
        kind: 'dashboard',
        id: dashboard.id,
        name: 'Sales',
        action: 'update',
        changes: [`Widget of report “${created.id}” added at column 1, row 9.`],
        newWidgetIds: 1,
      },
    ]);
    const ids = run.body.items.map(({ reportId }: Item) => reportId);
    assert.deepEqual(
      dryRun.body.items.map(({ reportId }: Item) => reportId),
      [undefined, ...ids.slice(1)],
    );
    const versions = await server.call(`GET /api/reports/${revenue.id}/versions`, { as: owner });
    assert.deepEqual(
      versions.body.items.map(({ version, change, userId }: Item) => [version, change, userId]),
      [
        [2, 'imported', owner.id],
        [1, 'created', owner.id],
      ],
    );
    const restored = await server.call(`GET /api/reports/${deleted.id}`, { as: owner });
    assert.deepEqual([restored.status, restored.body.query], [200, 'select 2']);
    const audit = await server.call(
      `GET /api/organizations/${office.organizationId}/audit?action=dashboards.imported`,
      { as: owner },
    );
    assert.deepEqual(
      audit.body.items.map(({ details }: Item) => details),
      [
        {
          created: 0,
          updated: 1,
          restored: 0,
          unchanged: 0,
          dashboardIds: [dashboard.id],
          reports: { created: 1, updated: 1, restored: 1, unchanged: 1 },
          reportIds: [ids[0], revenue.id, deleted.id],
        },
      ],
    );
    // Dashboards are found by the current names of their reports.
    for (const [word, id] of [
      ['turnover', dashboard.id],
      ['deleted', shown.id],
    ]) {
      const path = `/api/dashboards?organizationId=${office.organizationId}&q=${word}`;
      const { body } = await server.call(`GET ${path}`, { as: owner });
      assert.deepEqual(
        body.items.map((item: Item) => item.id),
        [id],
      );
    }
  });

  test('recognizes a report that it created before, even in the trash', async (context) => {
    const office = await startOffice(context, engine);
    await addSource(office);
    const report = newReport('New');
    const documents = [report, newDashboard(report.id)];
    const first = await office.import(documents);
    const text = await office.export();
    const [{ reportId }] = first.body.items;
    await office.server.call(`DELETE /api/reports/${reportId}?force=true`, {
      as: office.owner,
      headers: { 'if-match': '*' },
    });
    assert.equal(await office.export(), text.slice(text.indexOf('\n') + 1));
    const second = await office.import(documents);
    assert.deepEqual(
      second.body.items.map((item: Item) => [item.reportId, item.action]),
      [
        [reportId, 'restore'],
        [undefined, 'unchanged'],
      ],
    );
    assert.equal(await office.export(), text);
  });

  test('connects dashboards to reports that are imported later', async (context) => {
    const office = await startOffice(context, engine);
    await addSource(office);
    const report = newReport('Late');
    const dashboard = newDashboard(report.id);
    assert.equal((await office.import([dashboard])).status, 200);
    assert.equal((await office.import([report])).status, 200);
    const dryRun = await office.import([dashboard], { query: '?dryRun=true' });
    const run = await office.import([dashboard]);
    assert.deepEqual(withoutIds(run), withoutIds(dryRun));
    assert.deepEqual(withoutIds(run), [
      {
        kind: 'dashboard',
        id: dashboard.id,
        name: 'Sales',
        action: 'update',
        changes: [`Widget of report “${report.id}” finds its report.`],
      },
    ]);
    assert.deepEqual(
      documentsOf(await office.export()).map(({ id }) => id),
      [report.id, dashboard.id],
    );
  });

  test('stores nothing if it fails, and reports every fault of every document', async (context) => {
    const office = await startOffice(context, engine);
    const other = await openOffice(office.server);
    await addSource(office);
    for (const name of ['Twice', 'Twice']) await addSource(office, name);
    await addSource(other, 'Of another');
    const fine = newReport('Fine');
    const before = await everythingStored(office);
    const documents = [
      fine,
      newDashboard(fine.id),
      { ...newReport('Unknown'), dataSource: { name: 'Of another', kind: 'files' } },
      { ...newReport('Other kind'), dataSource: { name: 'Shop', kind: 'postgresql' } },
      { ...newReport('Two'), dataSource: { name: 'Twice', kind: 'files' }, query: 'select {{a}}' },
      fine,
    ];
    for (const query of ['', '?dryRun=true']) {
      const response = await office.import(documents, { query });
      assert.deepEqual(problemOf(response), {
        status: 400,
        code: 'invalid_body',
        faults: [
          '/documents/2/dataSource unknown',
          '/documents/3/dataSource unknown',
          '/documents/4/dataSource ambiguous',
          '/documents/4/query parameter',
          '/documents/5/id unique',
        ],
      });
      assert.match(response.text, /first create a data source of the kind files with the name “Of another”/);
    }
    const shapes = await office.import([
      {
        ...fine,
        visualization: { kind: 'bar', x: 'a', series: [] },
        dataSource: { name: '', kind: 'excel' },
      },
      { ...newDashboard(), visualization: { kind: 'pie' }, widgets: [{}] },
      { ...fine, visualization: { kind: 'cake' }, query: '' },
    ]);
    assert.deepEqual(problemOf(shapes), {
      status: 400,
      code: 'invalid_body',
      faults: [
        '/documents/0/dataSource/kind enum',
        '/documents/0/dataSource/name minLength',
        '/documents/0/visualization/series minItems',
        '/documents/1/visualization unknown',
        '/documents/1/widgets/0/reportId required',
        '/documents/2/query minLength',
        '/documents/2/visualization/kind enum',
      ],
    });
    await office.server.database.write((transaction) =>
      transaction.execute('create unique index test_names on dashboards (name)'),
    );
    office.server.expectErrors();
    const broken = await office.import([fine, newDashboard(fine.id), newDashboard(fine.id)]);
    assert.equal(broken.status, 500);
    assert.deepEqual(await everythingStored(office), before);
  });

  test('rejects two documents of one report or dashboard', async (context) => {
    const office = await startOffice(context, engine);
    await addSource(office);
    const documents = [newReport('New'), newDashboard()];
    const { body } = await office.import(documents);
    const twins = documents.map((document, index) => ({
      ...document,
      id: body.items[index].reportId ?? body.items[index].dashboardId,
    }));
    assert.deepEqual(problemOf(await office.import([...documents, ...twins])), {
      status: 400,
      code: 'invalid_body',
      faults: ['/documents/2/id unique', '/documents/3/id unique'],
    });
  });

  test('never changes a report of another organization with the same ID', async (context) => {
    const office = await startOffice(context, engine);
    const other = await openOffice(office.server);
    await furnishWithReports(other);
    const theirs = await other.export();
    await addSource(office);
    const foreign = documentsOf(theirs).map((document) => ({ ...document, name: 'Mine now' }));
    // The same documents with IDs that nobody has.
    const newIds = new Map(foreign.map(({ id }) => [id, crypto.randomUUID()]));
    const unknown = JSON.parse(
      [...newIds].reduce((text, [id, to]) => text.replaceAll(id, to), JSON.stringify(foreign)),
    );
    const withoutDocumentIds = (response: TestResponse) =>
      withoutIds(response).map(({ id: _id, ...item }: Item) => item);
    const [one, two] = [await office.import(foreign), await office.import(unknown)];
    assert.deepEqual([one.status, withoutDocumentIds(one)], [two.status, withoutDocumentIds(two)]);
    assert.equal(await other.export(), theirs);
  });

  test('creates one report of a document even if several run at once', async (context) => {
    const office = await startOffice(context, engine);
    await addSource(office);
    const reports = ['One', 'Two', 'Three'].map(newReport);
    const documents = [...reports, newDashboard(...reports.map(({ id }) => id))];
    const responses = await Promise.all(
      [0, 1, 2, 3].map((turn) => office.import(turn % 2 === 0 ? documents : documents.toReversed())),
    );
    const actions: string[] = responses.flatMap(({ body }) => body.items.map(({ action }: Item) => action));
    assert.deepEqual(actions.toSorted(), [...Array(4).fill('create'), ...Array(12).fill('unchanged')]);
    assert.equal(documentsOf(await office.export()).length, 4);
  });
});
