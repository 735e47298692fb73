import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expect, startWebOffice } from './web-office.ts';

/** Closes an attribute and an element, would run as markup, and would be evaluated as a template. */
const hostile = `"'></script><img src=x onerror=document.title='taken'><svg onload=document.title='taken'>\${7*7}`;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csv = `${quoted(hostile)},n\n${quoted(hostile)},1\njavascript:alert(1),2\n`;

test('texts from people and data are never interpreted as markup', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner: as, organizationId, url } = office;
  const send = async (line: string, body: unknown, headers?: Record<string, string>) => {
    const response = await server.call(line, { as, body, ...(headers && { headers }) });
    assert.ok(response.status < 300, `${line}: ${response.text}`);
    return response.body;
  };
  await send('POST /api/auth/update-user', { name: hostile });
  await send(`PATCH /api/organizations/${organizationId}`, { name: hostile });
  const source = { name: hostile, kind: 'files' };
  const { id: dataSourceId } = await send(`POST /api/organizations/${organizationId}/data-sources`, source);
  await send(`PUT /api/data-sources/${dataSourceId}/tables/t`, csv, { 'content-type': 'text/csv' });
  // Every object inherits properties with the last three names.
  const parameters = [hostile, '__proto__', 'constructor', 'toString'].map((label, index) => ({
    name: index === 0 ? 'p' : label,
    label,
    type: index === 2 ? 'list' : 'text',
    default: null,
    allowed: { query: 'SELECT * FROM t' },
  }));
  const column = hostile.replaceAll('"', '""');
  const reports = [
    { kind: 'bar', title: hostile, x: hostile, series: [{ field: 'n', label: hostile }] },
    { kind: 'pie', category: hostile, value: 'n' },
    { kind: 'table', query: `SELECT 1 AS "__proto__", 2 AS "constructor", "${column}" FROM t`, parameters },
    { kind: 'table', query: `SELECT "${column}" FROM nowhere` },
  ].map(({ query = 'SELECT * FROM t', parameters: own = [], ...visualization }) => ({
    organizationId,
    dataSourceId,
    query,
    parameters: own,
    visualization,
    name: `${visualization.kind} ${hostile}`,
    description: hostile,
  }));
  const widgets = [];
  for (const [index, report] of reports.entries()) {
    const { id: reportId } = await send('POST /api/reports', report);
    const layout = { x: (index % 2) * 6, y: index > 1 ? 5 : 0, w: 6, h: 5 };
    widgets.push({ reportId, layout, config: index === 0 ? { title: hostile } : {} });
  }
  const board = { organizationId, name: hostile, description: hostile, widgets };
  const { id } = await send('POST /api/dashboards', board);

  const proposal = await send(`POST /api/organizations/${organizationId}/proposals`, {
    summary: hostile,
    targetId: id,
    baseVersion: 1,
    dashboard: { name: `${hostile} 2`, widgets },
  });

  const page = await office.open(`/dashboards/${id}`, as);
  const assertNotInjected = async () => {
    await expect(page.locator('img[src=x], [onload], [onerror]')).toHaveCount(0);
    assert.notEqual(await page.title(), 'taken');
  };
  await expect(page.getByText(/^Updated at/)).toBeVisible();
  await expect(page.getByText('The table nowhere does not exist')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: '__proto__' })).toBeVisible();
  const chart = page.locator('canvas').first();
  for (const x of [80, 160, 240]) await chart.hover({ position: { x, y: 90 }, force: true });
  await assertNotInjected();
  const places = [
    `/dashboards/${id}/edit`,
    `/reports/${widgets[0]?.reportId}`,
    `/data-sources/${dataSourceId}?table=t`,
    `/organizations/${organizationId}/audit`,
    `/organizations/${organizationId}/proposals`,
    `/organizations/${organizationId}/proposals/${proposal.id}`,
    `/sign-in?email=${encodeURIComponent(hostile)}&problem=${encodeURIComponent(hostile)}`,
  ];
  for (const place of places) {
    await page.goto(`${url}${place}`);
    await expect(page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading' })).toBeVisible();
    await assertNotInjected();
  }
});
