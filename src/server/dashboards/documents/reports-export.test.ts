import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addSource,
  documentsOf,
  openOffice,
  restrictDashboard,
  startOffice,
} from '../../../../tests/support/dashboards/office.ts';
import { chartReport, furnishWithReports, type Item } from '../../../../tests/support/reports/documents.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';

describeOnUsualEngine('an export of dashboards and their reports', (engine) => {
  test('lists every report on request, but none from the trash', async (context) => {
    const office = await startOffice(context, engine);
    const { revenue } = await furnishWithReports(office);
    const { server, owner, organizationId } = office;
    const create = async (name: string): Promise<string> => {
      const { body, text } = await server.call('POST /api/reports', {
        as: owner,
        body: { ...chartReport, organizationId, dataSourceId: revenue.dataSourceId, name },
      });
      assert.ok(body.id, text);
      return body.id;
    };
    await create('Shown nowhere');
    const deleted = await create('Deleted');
    const headers = { 'if-match': '"1"' };
    await server.call(`DELETE /api/reports/${deleted}`, { as: owner, headers });
    const { text } = await server.call(
      `GET /api/organizations/${organizationId}/dashboards/export?reports=all`,
      {
        as: owner,
      },
    );
    const all = documentsOf(text);
    const shown = documentsOf(await office.export());
    const others = all.filter(({ id }) => !shown.some((document) => document.id === id));
    assert.deepEqual(new Set(others.map(({ name }) => name)), new Set(['Not shown', 'Shown nowhere']));
    assert.equal(all.length, shown.length + 2);
  });

  test('lists each report once, before the dashboards that show it', async (context) => {
    const office = await startOffice(context, engine);
    const { revenue, orders } = await furnishWithReports(office);
    const text = await office.export();
    const documents = documentsOf(text);
    assert.deepEqual(
      documents.map(({ format, name }) => [format, name]),
      [
        ['atrium.report/1', 'Orders'],
        ['atrium.report/1', 'Revenue'],
        ['atrium.dashboard/1', 'Sales'],
        ['atrium.dashboard/1', 'Orders'],
      ],
    );
    assert.equal(
      JSON.stringify(documents[1]),
      JSON.stringify({
        format: 'atrium.report/1',
        id: revenue.id,
        name: 'Revenue',
        description: 'By month',
        dataSource: { name: 'Shop', kind: 'files' },
        query: chartReport.query,
        parameters: chartReport.parameters,
        visualization: chartReport.visualization,
        cacheSeconds: 0,
      }),
    );
    assert.equal(await office.export(), text);
    const again = await office.import(documents);
    assert.deepEqual(
      again.body.items.map(({ kind, reportId, action }: Item) => [kind, reportId, action]),
      [
        ['report', orders.id, 'unchanged'],
        ['report', revenue.id, 'unchanged'],
        ['dashboard', undefined, 'unchanged'],
        ['dashboard', undefined, 'unchanged'],
      ],
    );
    const removed = await office.server.call(`DELETE /api/reports/${revenue.id}?force=true`, {
      as: office.owner,
      headers: { 'if-match': '"1"' },
    });
    assert.equal(removed.status, 204, removed.text);
    assert.deepEqual(
      documentsOf(await office.export()),
      documents.filter(({ id }) => id !== revenue.id),
    );
  });

  test('includes only reports on dashboards that the reader may see', async (context) => {
    const office = await startOffice(context, engine);
    const { dashboard, orders } = await furnishWithReports(office);
    await restrictDashboard(office, dashboard.id);
    const viewer = await office.member('viewer');
    const seen = documentsOf(await office.export(viewer));
    assert.deepEqual(
      seen.map(({ format, id }) => [format, format === 'atrium.report/1' ? id : undefined]),
      [
        ['atrium.report/1', orders.id],
        ['atrium.dashboard/1', undefined],
      ],
    );
  });

  test('is the same byte for byte after an import into another organization', async (context) => {
    const office = await startOffice(context, engine);
    const { revenue } = await furnishWithReports(office);
    const text = await office.export();
    const other = await openOffice(office.server);
    await addSource(other, 'Shop of another name');
    const source = await addSource(other);
    // In any order.
    const run = await other.import(documentsOf(text).toReversed());
    assert.equal(run.status, 200, run.text);
    assert.equal(await other.export(), text);
    assert.equal(await office.export(), text);
    const ids = Object.fromEntries(
      run.body.items.map((item: Item) => [item.id, item.reportId ?? item.dashboardId]),
    );
    assert.notEqual(ids[revenue.id], revenue.id);
    const made = await other.server.call(`GET /api/reports/${ids[revenue.id]}`, { as: other.owner });
    assert.deepEqual(
      [made.body.dataSourceId, made.body.organizationId, made.body.userId, made.body.query],
      [source, other.organizationId, other.owner.id, chartReport.query],
    );
    const sales = documentsOf(text)[2];
    const shown = await other.server.call(`GET /api/dashboards/${ids[sales.id]}`, { as: other.owner });
    assert.deepEqual(
      shown.body.widgets.map(({ reportId }: Item) => reportId),
      sales.widgets.map(({ reportId }: Item) => ids[reportId] ?? reportId),
    );
    const again = await other.import(documentsOf(text));
    assert.deepEqual(new Set(again.body.items.map(({ action }: Item) => action)), new Set(['unchanged']));
    // Imported again from there into a third organization, the documents stay the same.
    const third = await openOffice(office.server);
    await addSource(third);
    assert.equal((await third.import(documentsOf(await other.export()))).status, 200);
    assert.equal(await third.export(), text);
    // A document may refer to a report by its ID here.
    const byHand = await other.import([{ ...sales, widgets: [{ reportId: ids[revenue.id] }] }]);
    assert.equal(byHand.body.items[0].action, 'update');
    assert.equal(documentsOf(await other.export()).at(-2).widgets[0].reportId, revenue.id);
  });
});
