import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import type { Owner } from '../../support/endings.ts';
import { openNewsroom, type Newsroom } from '../../support/reports/newsroom.ts';
import type { TestServer } from '../../support/server/test-server.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const salesOf = `SELECT sum(amount) AS total FROM sales
WHERE ({{region}} IS NULL OR region = {{region}})
  AND ({{day_from}} IS NULL OR day >= {{day_from}})
  AND ({{day_to}} IS NULL OR day <= {{day_to}})
  AND ({{years}} IS NULL OR year(day)::text = ANY ({{years}}))`;

const region = {
  name: 'region',
  label: 'Region',
  kind: 'select',
  values: { fixed: ['north', 'south', 'west'] },
};
const day = { name: 'day', label: 'Day', kind: 'date_range' };
const years = { name: 'years', label: 'Years', kind: 'list', dependsOn: ['region'] };

/** A dashboard with two widgets that show the same report, of which only the first has the filter of dates. */
async function openBoard(context: Owner, filters: readonly object[], settings: object = {}) {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const { server } = office;
  const total = await room.save({
    name: 'Total',
    query: salesOf,
    parameters: [
      { name: 'region', type: 'text', default: null },
      { name: 'day_from', type: 'date', default: null },
      { name: 'day_to', type: 'date', default: null },
      {
        name: 'years',
        type: 'list',
        default: null,
        allowed: {
          query:
            'SELECT DISTINCT year(day)::text FROM sales WHERE region = {{region}} AND amount <> 20 ORDER BY 1',
        },
      },
    ],
    visualization: { kind: 'number', value: 'total' },
  });
  const widgets = [
    { reportId: total.id, layout: { x: 0, y: 0, w: 6, h: 4 }, config: { title: 'In the period' } },
    {
      reportId: total.id,
      layout: { x: 6, y: 0, w: 6, h: 4 },
      config: { title: 'Always', filters: { day: null } },
    },
  ];
  const path = await createBoard({ server, room }, widgets, filters, settings);
  return { ...office, room, path };
}

/** Creates a dashboard that defines filters, and returns its path. */
async function createBoard(
  { server, room }: { readonly server: TestServer; readonly room: Newsroom },
  widgets: readonly object[],
  filters: readonly object[],
  settings: object = {},
): Promise<string> {
  const config = { filters, ...settings };
  const body = {
    name: 'Board',
    organizationId: room.organizationId,
    widgets: [...widgets, { reportId: 'builtin:filters', layout: { x: 0, y: 0, w: 0, h: 0 }, config }],
  };
  const created = await server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  return `/dashboards/${created.body.id}`;
}

const widget = (page: Page, name: string | RegExp) => page.getByRole('article', { name, exact: true });
const rangeButton = (page: Page) => page.getByRole('button', { name: /^Day:/ });

test('a range of dates has presets that stay relative in the address, and applies to its widgets only', async (context) => {
  const { open, room, path } = await openBoard(context, [region, { ...day, default: 'all-time' }]);
  const page = await open(path, room.owner);
  await expect(widget(page, 'In the period')).toContainText('100.5');
  await rangeButton(page).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Last year', exact: true }).click();
  await expect(page).toHaveURL(/\?day=last-year$/);
  await expect(widget(page, 'In the period')).toContainText('40.5');
  await expect(widget(page, 'Always')).toContainText('100.5');
  await expect(rangeButton(page)).toBeFocused();

  await rangeButton(page).focus();
  await expect(page.locator('[data-filtered]')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Last', exact: true }).fill('9');
  await page.getByLabel('Unit', { exact: true }).selectOption('months');
  await page.getByRole('checkbox', { name: 'and this month to date' }).check();
  await page.getByRole('form', { name: 'Last units' }).getByRole('button', { name: 'Set' }).click();
  await expect(page).toHaveURL(/\?day=last-9-months-to-now$/);
  await expect(widget(page, 'In the period')).toContainText('60');

  await rangeButton(page).click();
  await page.getByLabel('From', { exact: true }).fill('2026-04-01');
  await page.getByLabel('From', { exact: true }).press('Enter');
  await expect(page).toHaveURL(/\?day=2026-04-01\.\.$/);
  await expect(widget(page, 'In the period')).toContainText('40');
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(page).not.toHaveURL(/day/);
  await expect(rangeButton(page)).toHaveText('All time');
});

test('today begins at midnight in the time zone of the organization', async (context) => {
  const { open, room, path, server } = await openBoard(context, [day]);
  await server.call(`PATCH /api/organizations/${room.organizationId}`, {
    as: room.owner,
    body: { timeZone: 'Pacific/Kiritimati' },
  });
  await room.upload('sales', 'region,day,amount,is_open\nnorth,2026-11-21,1,true\nnorth,2026-11-22,2,true\n');
  const page = await open(`${path}?day=today`, room.owner);
  // It is 9:00 in UTC, and 23:00 there.
  await expect(widget(page, 'In the period')).toContainText('1');
  server.advance(3_600_000);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(widget(page, 'In the period')).toContainText('2');
});

test('nothing runs until a required filter has a value', async (context) => {
  const { open, room, path } = await openBoard(context, [{ ...region, isRequired: true }]);
  const page = await open(path, room.owner);
  await expect(widget(page, 'Always')).toContainText('Choose a value for “Region” to see this.');
  await assertAccessible(page);
  const box = page.getByRole('combobox', { name: /^Region/ });
  await box.fill('sou');
  await expect(page.getByRole('option')).toHaveText(['south']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?region=south$/);
  await expect(widget(page, 'Always')).toContainText('70');
  await page.getByRole('button', { name: 'Actions for Always' }).click();
  await page.getByRole('menuitem', { name: 'Region: south' }).click();
  await expect(box).toBeFocused();
});

test('values that don’t fit another filter are removed, and the bar says so', async (context) => {
  const { open, room, path } = await openBoard(context, [region, years]);
  const page = await open(`${path}?region=south&years=2025&years=2026`, room.owner);
  await expect(widget(page, 'Always')).toContainText('70');
  await page.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'north' }).click();
  await expect(page).toHaveURL(/\?region=north&years=2025$/);
  await expect(widget(page, 'Always')).toContainText('10.5');
  await expect(page.getByText('“2026” removed from Years')).toBeVisible();
  await page.getByRole('combobox', { name: 'Years' }).click();
  await expect(page.getByRole('option', { name: '2025' })).toBeVisible();
  await expect(page.getByRole('option', { name: '2026' })).toHaveCount(0);

  // A link can have any values.
  const linked = await open(`${path}?region=north&years=2026`, room.owner);
  await expect(linked).toHaveURL(/\?region=north$/);
  await expect(linked.getByText('“2026” removed from Years')).toBeVisible();
});

test('changes apply together, with a button or Ctrl Enter', async (context) => {
  const { open, room, path } = await openBoard(context, [region, day], { appliesTogether: true });
  const page = await open(path, room.owner);
  await expect(widget(page, 'In the period')).toContainText('100.5');
  await page.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'north' }).click();
  await rangeButton(page).click();
  await page.getByRole('button', { name: 'Last year', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Apply 2 changes' })).toBeVisible();
  await expect(page).not.toHaveURL(/region/);
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await expect(page).toHaveURL(/\?region=north&day=last-year$/);
  await expect(widget(page, 'In the period')).toContainText('10.5');
  await page.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'south' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\?region=south&day=last-year$/);
});

test('a range of numbers has two ends, each of which can be open', async (context) => {
  const { open, server, room } = await openBoard(context, []);
  const report = await room.save({
    name: 'In a range',
    query: `SELECT sum(amount) AS total FROM sales
WHERE ({{amount_from}} IS NULL OR amount >= {{amount_from}}) AND ({{amount_to}} IS NULL OR amount <= {{amount_to}})`,
    parameters: ['amount_from', 'amount_to'].map((name) => ({ name, type: 'number', default: null })),
    visualization: { kind: 'number', value: 'total' },
  });
  const filter = { name: 'amount', label: 'Amount', kind: 'number_range', isRequired: true };
  const board = await createBoard({ server, room }, [{ reportId: report.id }], [filter]);
  const page = await open(board, room.owner);
  await expect(widget(page, 'In a range')).toContainText('Choose a value for “Amount” to see this.');
  const [from, to] = [page.getByLabel('Amount, from'), page.getByLabel('Amount, to')];
  await from.fill('20');
  await from.press('Enter');
  await expect(page).toHaveURL(/\?amount=20\.\.$/);
  await expect(widget(page, 'In a range')).toContainText('90');
  await to.fill('30');
  await to.press('Enter');
  await expect(page).toHaveURL(/\?amount=20\.\.30$/);
  await expect(widget(page, 'In a range')).toContainText('50');
  await assertAccessible(page);
  await from.fill('');
  await from.press('Enter');
  await expect(page).toHaveURL(/\?amount=\.\.30$/);
  await expect(widget(page, 'In a range')).toContainText('60.5');
  await page.getByRole('button', { name: 'Clear Amount' }).click();
  await expect(widget(page, 'In a range')).toContainText('Choose a value for “Amount” to see this.');
});

test('a list of the values of a column says that the row limit cut it off, and its values stay selected', async (context) => {
  const { open, server, room } = await openBoard(context, []);
  const column = await room.save({
    name: 'Numbers',
    query: `SELECT 'item ' || i AS item, {{region}} AS region FROM range(60000) AS items(i)`,
    parameters: [{ name: 'region', type: 'text', default: null }],
  });
  const item = {
    name: 'item',
    kind: 'list',
    dependsOn: ['region'],
    values: { reportId: column.id, column: 'item' },
  };
  const board = await createBoard({ server, room }, [{ reportId: column.id }], [region, item]);
  const page = await open(`${board}?item=item+59999`, room.owner);
  const box = page.getByRole('combobox', { name: 'item' });
  await box.click();
  await expect(page.getByText('From the first 50,000 rows; there are more')).toBeVisible();
  // Once the values are listed, typing selects the first one that matches.
  await box.fill('item 4999');
  await expect(page.getByRole('option').first()).toHaveText('item 4999');
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?item=item\+59999&item=item\+4999$/);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'north' }).click();
  await expect(page).toHaveURL(/item=item\+59999&item=item\+4999&region=north$/);
  await expect(page.getByText('removed from')).toHaveCount(0);
});

test('two people who change the filters compare them in words, and can choose both', async (context) => {
  const { open, server, room, path } = await openBoard(context, [region]);
  const bob = await server.createPerson('Bob');
  await server.addMember(room.organizationId, bob, 'editor');
  const pages = await Promise.all([open(`${path}/edit`, room.owner), open(`${path}/edit`, bob)]);
  const [adas, bobs] = pages;
  await requireRegion(adas);
  await adas.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(adas.getByText('Saved.')).toBeVisible();
  await bobs.getByRole('button', { name: 'Edit filters' }).click();
  const panel = bobs.getByRole('dialog', { name: 'Filters' });
  await panel.getByRole('button', { name: 'years', exact: true }).click();
  await panel.getByRole('button', { name: 'Apply' }).click();
  await bobs.keyboard.press('Escape');
  await bobs.getByRole('button', { name: 'Save', exact: true }).click();
  const choice = bobs.getByRole('group', { name: 'Filters of the dashboard' });
  await expect(choice.getByRole('cell', { name: 'List, one value; label: Region; required' })).toBeVisible();
  await expect(choice.getByRole('rowheader', { name: 'Filter “years”' })).toBeVisible();
  await assertAccessible(bobs);
  await choice.getByRole('radio', { name: /^Both/ }).check();
  await bobs.getByRole('button', { name: 'Save choices' }).click();
  await expect(bobs.getByText('Saved.', { exact: true })).toBeVisible();
  const { body } = await server.call(`GET ${path.replace('/', '/api/')}`, { as: bob });
  assert.deepEqual(body.widgets.at(-1).config, {
    filters: [
      { ...region, isRequired: true },
      { name: 'years', kind: 'list' },
    ],
  });
});

async function requireRegion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit filters' }).click();
  const panel = page.getByRole('dialog', { name: 'Filters' });
  await panel.getByRole('button', { name: 'Edit Region' }).click();
  await panel.getByRole('checkbox', { name: 'Required' }).check();
  await panel.getByRole('button', { name: 'Apply' }).click();
  await page.keyboard.press('Escape');
}

test('on a phone, the filters are in a sheet', async (context) => {
  const { open, room, path } = await openBoard(context, [region, { ...day, default: 'last-year' }]);
  const page = await open(path, room.owner, { viewport: { width: 390, height: 780 } });
  await page.getByRole('button', { name: 'Filters 1 active' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'north' }).click();
  await assertAccessible(page);
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(widget(page, 'In the period')).toContainText('10.5');
  await expect(page.getByRole('button', { name: 'Filters 2 active' })).toBeVisible();
});

test('an editor defines filters, which can be undone, saved and found in the history', async (context) => {
  const { open, room, path, server } = await openBoard(context, [region]);
  await server.call(`PATCH /api/organizations/${room.organizationId}`, {
    as: room.owner,
    body: { timeZone: 'Europe/Oslo' },
  });
  const page = await open(`${path}/edit`, room.owner);
  await expect(widget(page, /^Always/)).toContainText('100.5');
  await page.getByRole('button', { name: 'Edit filters' }).click();
  const panel = page.getByRole('dialog', { name: 'Filters' });
  await panel.getByRole('button', { name: 'day', exact: true }).click();
  await panel.getByLabel('Label').fill('Day');
  await panel.getByRole('button', { name: /^Day: Any/ }).click();
  await expect(page.getByText('Days in the time zone Europe/Oslo.')).toBeVisible();
  await page.getByRole('button', { name: 'Last year', exact: true }).click();
  await panel.getByLabel('In the period').selectOption('day_from: the start');
  await expect(panel.getByLabel('Always')).toHaveValue('null');
  await assertAccessible(page);
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: 'Move Day up' }).click();
  await expect(panel.getByRole('listitem')).toHaveText([/^Day/, /^Region/]);
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();

  await page.goto(page.url().replace(/edit$/, 'history'));
  await expect(page.getByText('Filters: added “Day”.')).toBeVisible();
  await page.goto(page.url().replace(/\/history$/, ''));
  await expect(rangeButton(page)).toHaveText('Last year');
  await expect(widget(page, 'In the period')).toContainText('100.5');
});
