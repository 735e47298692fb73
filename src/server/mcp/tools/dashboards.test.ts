import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveBoard, startMcpOffice } from '../../../../tests/support/mcp/office.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';

const time = '2026-11-21T09:00:00.000Z';

describeOnUsualEngine('the tools of MCP', (engine) => {
  test('read a dashboard with its texts, filters and numbers', async (context) => {
    const office = await startMcpOffice(context, engine);
    const byRegion = await office.save({
      name: 'By region',
      query: 'SELECT amount FROM sales WHERE region = {{region}} ORDER BY amount',
      parameters: [{ name: 'region', type: 'text', default: 'north' }],
    });
    const broken = await office.save({ name: 'Broken', query: 'SELECT nothing' });
    const at = (y: number) => ({ x: 0, y, w: 4, h: 2 });
    const filters = [{ name: 'region', kind: 'select', label: 'Region', default: 'south' }];
    const id = await saveBoard(office, [
      { reportId: 'builtin:filters', layout: at(0), config: { filters } },
      { reportId: 'builtin:text', layout: at(0), config: { text: 'Read **this**' } },
      { reportId: byRegion.id, layout: at(2), config: { title: 'Amounts' } },
      { reportId: byRegion.id, layout: at(4) },
      { reportId: broken.id, layout: at(6) },
      { reportId: 'unknown', layout: at(8) },
    ]);
    const { data } = await office.tool('read_dashboard', { dashboardId: id, maxRowsPerWidget: 1 });
    assert.deepEqual(data.dashboard, {
      id,
      name: 'Board',
      version: 1,
      url: `http://localhost:3000/dashboards/${id}`,
    });
    assert.deepEqual(data.filters, filters);
    const shown = data.widgets.map(({ id: widgetId, ...widget }: { id: string }) => {
      assert.ok(widgetId);
      return widget;
    });
    const report = {
      id: byRegion.id,
      name: 'By region',
      version: 1,
      url: `http://localhost:3000/reports/${byRegion.id}`,
    };
    assert.deepEqual(shown.slice(0, 2), [
      { text: 'Read **this**' },
      {
        title: 'Amounts',
        report,
        chart: 'table',
        columns: [{ name: 'amount', type: 'double', sourceType: 'DOUBLE' }],
        rows: [[30]],
        rowCount: 2,
        truncated: shown[1].truncated,
        computedAt: time,
        isFromCache: false,
      },
    ]);
    assert.deepEqual(shown[2], { sameAs: data.widgets[1].id });
    assert.equal(shown[3].problem.code, 'query_failed');
    assert.equal(shown[4].problem.code, 'not_found');
    const only = await office.tool('read_dashboard', {
      dashboardId: id,
      widgetIds: [data.widgets[2].id],
      filters: { region: 'north' },
    });
    assert.deepEqual(
      only.data.widgets.map(({ rows }: { rows: unknown }) => rows),
      [[[10.5], [20]]],
    );
  });
});
