import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { Report } from '#contract/reports/reports.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const structure: QueryStructure = {
  table: {
    schema: 'main',
    name: 'sales',
    columns: [
      { name: 'region', type: 'text' },
      { name: 'day', type: 'date' },
      { name: 'amount', type: 'double' },
    ],
  },
  groups: [{ column: { name: 'day' }, granularity: 'year', name: 'year' }],
  measures: [{ name: 'total', aggregate: 'sum', column: { name: 'amount' } }],
};
const generated = generateQuery(structure, 'duckdb');
assert.ok('query' in generated);
const built: Partial<Report> = {
  name: 'By year',
  structure,
  query: generated.query.sql,
  visualization: { kind: 'bar', x: 'year', series: [{ field: 'total' }] },
};

async function openRoom(context: TestContext) {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  return { office, room };
}

test('the menu of a mark lists its rows, opens them as a new report, and breaks them out, by keyboard', async (context) => {
  const { office, room } = await openRoom(context);
  const report = await room.save(built);
  const page = await office.open(`/reports/${report.id}`, room.owner);
  const list = page.getByRole('listbox', { name: 'Values of By year' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Group by quarter' })).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('menuitem', { name: 'See these rows' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rows of By year' });
  await expect(dialog.getByRole('status')).toContainText('2 rows');
  await expect(dialog.getByRole('cell').first()).toHaveText('north');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Open as a new report' }).click();
  await expect(page).toHaveURL(/\/reports\/new\?source=/);
  await expect(page.getByText(/continuing your draft/)).toBeVisible();

  // The new report isn't saved yet.
  await page.goto(`${office.url}/reports/${report.id}`);
  await list.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Break out by…' }).click();
  await page.getByRole('combobox', { name: 'Column' }).click();
  await page.getByRole('option', { name: 'region' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Open in the query builder' }).click();
  const replace = page.getByRole('dialog', { name: 'Replace your unsaved new report?' });
  await expect(replace).toBeVisible();
  await assertAccessible(page);
  await replace.getByRole('button', { name: 'Keep draft' }).click();
  await page.getByRole('button', { name: 'Open in the query builder' }).click();
  await replace.getByRole('button', { name: 'Replace' }).click();
  await expect(page).toHaveURL(/\/reports\/new\?source=/);

  // The new report contains a part of the query: it isn't for more people than a restricted report.
  const body = { restricted: true, members: [] };
  await office.server.call(`PUT /api/reports/${report.id}/access`, { as: room.owner, body });
  await page.goto(`${office.url}/reports/${report.id}`);
  await list.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Group by quarter' }).click();
  await replace.getByRole('button', { name: 'Replace' }).click();
  const own = await office.server.call(`PUT /api/organizations/${room.organizationId}/personal-folder`, {
    as: room.owner,
  });
  await expect(page).toHaveURL(new RegExp(`/reports/new\\?.*folder=${own.body.id}`));
});

test('the bar of a histogram and the point of a scatter chart list the rows of a report that doesn’t summarize', async (context) => {
  const { office, room } = await openRoom(context);
  const viewer = await room.server.createMember(room.organizationId, 'viewer');
  const rows: QueryStructure = { table: structure.table };
  const plain = generateQuery(rows, 'duckdb');
  assert.ok('query' in plain);
  const unsummarized = { structure: rows, query: plain.query.sql };
  const bars = await room.save({
    ...unsummarized,
    name: 'Amounts',
    visualization: { kind: 'histogram', value: 'amount' },
  });
  const points = await room.save({
    ...unsummarized,
    name: 'Points',
    visualization: { kind: 'scatter', x: 'day', y: 'amount' },
  });
  const page = await office.open(`/reports/${bars.id}`, viewer);
  for (const { id, name } of [bars, points]) {
    await page.goto(`${office.url}/reports/${id}`);
    await page.getByRole('listbox', { name: `Values of ${name}` }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'See these rows' }).click();
    const dialog = page.getByRole('dialog', { name: `Rows of ${name}` });
    await expect(dialog.getByRole('status')).toHaveText('1 row');
    await expect(dialog.getByRole('cell')).toHaveText(['north', /2025/, '10.5']);
    await assertAccessible(page);
  }
});

test('members see rows if the author allows it, and follow the author’s links', async (context) => {
  const { office, room } = await openRoom(context);
  const viewer = await room.server.createMember(room.organizationId, 'viewer');
  const target = await room.save({
    name: 'One region',
    query: 'SELECT sum(amount) AS total FROM sales WHERE region = {{area}}',
    parameters: [{ name: 'area', type: 'text' }],
    visualization: { kind: 'number', value: 'total' },
  });
  const report = await room.save({
    name: 'By region',
    query: 'SELECT region, sum(amount) AS total FROM sales GROUP BY 1 ORDER BY 1',
    visualization: { kind: 'table' },
    drill: {
      targets: [
        { kind: 'report', label: 'Open the region', reportId: target.id, parameters: { area: 'region' } },
        {
          kind: 'query',
          label: 'Single sales',
          query: 'SELECT day, amount FROM sales WHERE region = ANY ({{region}}) ORDER BY 1',
          columns: { region: 'list' },
        },
      ],
    },
  });
  const closed = await room.save(built);
  const page = await office.open(`/reports/${report.id}`, viewer);
  const cell = page.getByRole('button', { name: 'south', exact: true });
  await cell.click();
  await expect(page.getByRole('menuitem', { name: 'See these rows' })).toContainText(
    'only known for reports that are built without SQL',
  );
  await page.getByRole('menuitem', { name: 'Single sales' }).click();
  await expect(page.getByRole('dialog', { name: 'Single sales' }).getByRole('status')).toContainText(
    '2 rows',
  );
  await page.keyboard.press('Escape');
  await cell.click();
  await page.getByRole('menuitem', { name: 'Open the region' }).click();
  await expect(page).toHaveURL(/\?area=south$/);
  await expect(page.getByRole('button', { name: 'One region: 70' })).toBeVisible();
  await page.goBack();
  await expect(cell).toBeVisible();

  await page.goto(`${office.url}/reports/${closed.id}`);
  const list = page.getByRole('listbox', { name: 'Values of By year' });
  await list.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'See these rows' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await assertAccessible(page);
});

test('an author chooses what a click offers, on a phone, too', async (context) => {
  const { office, room } = await openRoom(context);
  const report = await room.save({
    name: 'By region',
    query: 'SELECT region, sum(amount) AS total FROM sales GROUP BY 1 ORDER BY 1',
    visualization: { kind: 'bar', x: 'region', series: [{ field: 'total' }] },
  });
  const page = await office.open(`/reports/${report.id}/edit`, room.owner, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(page.getByRole('img', { name: /Bar chart/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Clicks' }).click();
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Single sales');
  const query = page.getByRole('group', { name: 'Link 1' }).getByRole('textbox', { name: 'Query' });
  await query.fill('SELECT day, amount FROM sales WHERE region = ANY ({{region}})');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/reports\/[^/]+$/);
  const list = page.getByRole('listbox', { name: 'Values of By region' });
  await list.focus();
  await page.keyboard.press('Enter');
  // By keyboard, since the menu follows its mark while the page above it fills.
  await page.getByRole('menuitem', { name: 'Single sales' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Single sales' }).getByRole('status')).toContainText(
    '2 rows',
  );
  await assertAccessible(page);
});
