import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startReportOffice, type ReportOffice } from './reports/office.ts';
import { assertAccessible, expect } from './web-office.ts';

/** 600 orders whose columns depend on each other: the second half is large and from the south. */
const orders = [
  'id,ordered,region,amount,note',
  ...Array.from({ length: 600 }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1 + (index % 60))).toISOString().slice(0, 10);
    const isLarge = index >= 300;
    const amount = (isLarge ? 50 : 0) + (index % 40) + 0.5;
    return `${index},${day},${isLarge ? 'south' : 'north'},${amount},${index % 3 === 0 ? '' : `n${index % 2}`}`;
  }),
].join('\n');

async function openExplore(office: ReportOffice, options = {}): Promise<Page> {
  const { server, owner, dataSourceId } = office;
  const upload = await server.call(`PUT /api/data-sources/${dataSourceId}/tables/orders`, {
    as: owner,
    body: orders,
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(upload.status, 200, upload.text);
  return office.open(`/data-sources/${dataSourceId}/explore?table=orders&schema=main`, owner, options);
}

const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const countOf = (page: Page, name: string, value: string) =>
  chart(page, name).getByRole('button', { name: value });
const selected = (page: Page) =>
  page.getByRole('main').getByRole('status').filter({ hasText: 'rows selected' });

/** Drags in a chart between two shares of its width. */
async function drag(page: Page, name: string, from: number, to: number): Promise<void> {
  const plot = chart(page, name).locator('svg[preserveAspectRatio]');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  assert.ok(box);
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at((from + to) / 2), { steps: 4 });
  await page.mouse.move(...at(to), { steps: 4 });
}

/** Returns the range of amounts that is selected, from the URL. */
function amountIn(url: string): { readonly from: number; readonly to: number } {
  const selections: readonly { readonly column: string; readonly from: number; readonly to: number }[] =
    JSON.parse(new URL(url).searchParams.get('select') ?? '[]');
  const range = selections.find(({ column }) => column === 'amount');
  assert.ok(range, url);
  return range;
}

/** Returns the IDs of the orders in a range of amounts whose note is `n1` or missing. */
const chosenOrders = ({ from, to }: { readonly from: number; readonly to: number }): number[] =>
  orders
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .filter(
      ([, , , amount, note]) =>
        Number(amount) >= from && Number(amount) < to && (note === 'n1' || note === ''),
    )
    .map(([id]) => Number(id));

test('an unfamiliar table is explored: a drag filters the other charts, and is saved as a report of these rows', async (context) => {
  const office = await startReportOffice(context);
  const page = await openExplore(office);
  await expect(selected(page)).toHaveText('600 of 600 rows selected');
  await expect(countOf(page, 'region', 'north')).toHaveText('north300');
  await expect(countOf(page, 'note', 'No value')).toHaveText('No value200');
  await assertAccessible(page);

  await drag(page, 'amount', 0.55, 1);
  // While the button is still pressed.
  await expect(countOf(page, 'region', 'north')).toHaveText('north0');
  await expect(countOf(page, 'region', 'south')).toHaveText(/^south(2|3)\d\d$/);
  await page.mouse.up();
  await expect(page).toHaveURL(/select=/);
  await countOf(page, 'note', 'n1').click();
  await countOf(page, 'note', 'No value').click();
  await expect(page).toHaveURL(/select=.*n1.*null/);
  const count = chosenOrders(amountIn(page.url())).length;
  assert.ok(count > 50 && count < 300, String(count));
  await expect(selected(page)).toHaveText(new RegExp(`^${count} of 600 rows selected`));
  const text = await selected(page).textContent();
  await expect(
    page.getByRole('region', { name: 'Selected rows' }).or(page.getByLabel('Selected rows')).first(),
  ).toBeVisible();
  await assertAccessible(page);

  await page.reload();
  await expect(selected(page)).toHaveText(text ?? '');
  await page.getByRole('button', { name: 'Open in the builder' }).click();
  await expect(page).toHaveURL(/\/reports\/new\?source=/);
  await expect(page.getByRole('status').filter({ hasText: `${count} rows` })).toBeVisible();
  await page.goBack();
  await expect(selected(page)).toHaveText(text ?? '');
  await page.getByRole('button', { name: 'Save as report' }).click();
  await page.getByLabel('Name').fill('Large orders');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Large orders', level: 1 })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: `${count} rows` })).toBeVisible();
  const { server, owner } = office;
  const id = page.url().split('/').at(-1)?.split('?')[0];
  const { body: report } = await server.call(`GET /api/reports/${id}`, { as: owner });
  assert.match(report.query, /amount >= \{\{amount_from\}\}/);
  assert.equal(report.structure.table.name, 'orders');
  const { body: result } = await server.call(`POST /api/reports/${id}/run`, { as: owner, body: {} });
  const [from, to] = ['amount_from', 'amount_to'].map(
    (name) => report.parameters.find((one: { name: string }) => one.name === name).default,
  );
  assert.deepEqual(
    result.rows.map(([one]: [number]) => one).toSorted((a: number, b: number) => a - b),
    chosenOrders({ from, to }),
  );
});

test('a table is explored with the keyboard only', async (context) => {
  const office = await startReportOffice(context);
  const page = await openExplore(office);
  await expect(selected(page)).toHaveText('600 of 600 rows selected');
  const start = chart(page, 'amount').getByRole('slider', { name: 'amount: start' });
  await start.focus();
  await expect(start).toHaveAttribute('aria-valuetext', '0');
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press('PageUp');
  await expect(start).toHaveAttribute('aria-valuetext', '40');
  const largeOrders = /^300 of 600 rows selected/;
  await expect(selected(page)).toHaveText(largeOrders);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Escape');
  await expect(selected(page)).toHaveText('600 of 600 rows selected');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(selected(page)).toHaveText(largeOrders);
  await countOf(page, 'region', 'north').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(countOf(page, 'region', 'south')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(selected(page)).toHaveText('600 of 600 rows selected');
  await expect(countOf(page, 'region', 'south')).toHaveAttribute('aria-pressed', 'false');
});

test('a viewer explores the result of a report on a phone, but neither a table nor saving', async (context) => {
  const office = await startReportOffice(context);
  const { server, organizationId, dataSourceId, createReport } = office;
  const id = await createReport({
    query: 'SELECT * FROM sales WHERE amount >= {{least}} -- all of them',
    parameters: [{ name: 'least', type: 'number', default: 0 }],
  });
  const viewer = await server.createMember(organizationId, 'viewer');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const page = await office.open(`/reports/${id}?least=20`, viewer, phone);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Explore' }).click();
  await expect(selected(page)).toHaveText('3 of 3 rows selected');
  await countOf(page, 'region', 'south').tap();
  await expect(selected(page)).toHaveText('1 of 3 rows selected (33.3%)');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await assertAccessible(page);
  await expect(page.getByRole('button', { name: 'Save as report' })).toHaveAttribute('aria-disabled', 'true');
  await page.goto(`${office.url}/data-sources/${dataSourceId}/explore?table=sales`);
  await expect(page.getByText('You don’t have permission to explore tables')).toBeVisible();
});

test('an editor saves a chart of a report’s result, and adds it to a dashboard', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({ query: 'SELECT * FROM sales', name: 'Sales' });
  const page = await office.open(`/reports/${id}/explore`, office.owner);
  await expect(selected(page)).toHaveText('4 of 4 rows selected');
  await countOf(page, 'region', 'north').click();
  await page.getByRole('button', { name: 'More about day' }).click();
  await page.getByRole('menuitem', { name: 'Save this chart as report' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Explore Sales by day', level: 1 })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '2 rows' })).toBeVisible();
  await page.goto(`${office.url}/reports/${id}/explore`);
  await page.getByRole('button', { name: 'Add to a dashboard' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('New dashboard').check();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Explore Sales', level: 1 })).toBeVisible();

  // Its query is in the new report, which nobody else may see if nobody else may see the explored one.
  const { server, owner: as } = office;
  const body = { restricted: true, members: [] };
  assert.equal((await server.call(`PUT /api/reports/${id}/access`, { as, body })).status, 200);
  await page.goto(`${office.url}/reports/${id}/explore`);
  await page.getByRole('button', { name: 'Save as report' }).click();
  await page.getByLabel('Name').fill('North');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved “North” in your folder')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'North', level: 1 })).toBeVisible();
  const saved = page.url().split('/').at(-1)?.split('?')[0];
  const editor = await server.createMember(office.organizationId, 'editor');
  assert.equal((await server.call(`GET /api/reports/${saved}`, { as: editor })).status, 404);
});
