import { addReport, addSource, type Office } from '../dashboards/office.ts';
import type { TestResponse } from '../server/test-server.ts';

export type Item = TestResponse['body'];

/** The content of a report that uses every field. */
export const chartReport = {
  description: 'By month',
  query: 'select {{from}}',
  parameters: [
    { name: 'from', label: 'From', type: 'date', default: null, allowed: { values: ['2026-11-21'] } },
  ],
  visualization: { kind: 'bar', x: 'month', series: [{ field: 'sum', format: { kind: 'number' } }] },
  cacheSeconds: 0,
};

/** Returns the document of a report on the data source `Shop` that does not exist yet. */
export const newReport = (
  name: string,
): { format: string; id: string; name: string; dataSource: object; query: string } => ({
  format: 'atrium.report/1',
  id: crypto.randomUUID(),
  name,
  dataSource: { name: 'Shop', kind: 'files' },
  query: 'select 1',
});

/** Returns the document of a dashboard that does not exist yet, which shows some reports. */
export const newDashboard = (
  ...reportIds: string[]
): { format: string; id: string; name: string; widgets: { id: string; reportId: string }[] } => ({
  format: 'atrium.dashboard/1',
  id: crypto.randomUUID(),
  name: 'Sales',
  widgets: reportIds.map((reportId) => ({ id: crypto.randomUUID(), reportId })),
});

/** Returns the items of an import's response, without the ids that the server created. */
export const withoutIds = ({ body }: TestResponse): Item =>
  body.items.map(
    ({ dashboardId: _dashboardId, reportId: _reportId, version: _version, ...item }: Item) => item,
  );

/** Creates two reports that are shown on two dashboards, and one that is shown on none. */
export async function furnishWithReports(
  office: Office,
): Promise<{ revenue: Item; orders: Item; dashboard: Item }> {
  const source = await addSource(office);
  await addReport(office, source, { name: 'Not shown' });
  const orders = await addReport(office, source, { name: 'Orders' });
  const revenue = await addReport(office, source, chartReport);
  const widgets = [revenue, orders, revenue, { id: 'by hand' }].map(({ id }) => ({ reportId: id }));
  const dashboard = await office.create({ name: 'Sales', widgets });
  await office.create({ name: 'Orders', widgets: [{ reportId: orders.id }] });
  return { revenue, orders, dashboard };
}
