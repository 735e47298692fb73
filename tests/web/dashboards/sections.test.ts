import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import type { Report } from '#contract/reports/reports.ts';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import type { Person } from '../../support/server/test-server.ts';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../web-office.ts';

const at = (y: number, x = 0) => ({ x, y, w: 6, h: 4 });
const tab = (key: string, title: string) => ({ reportId: 'builtin:tab', config: { key, title } });
const section = (key: string, title: string, config: object = {}) => ({
  reportId: 'builtin:section',
  config: { key, title, ...config },
});

/** Creates a dashboard whose widgets show numbers, each named by its report. */
async function openDesk(office: WebOffice) {
  const room = await openNewsroom(office.server);
  const save = async (name: string, query = `SELECT 7 AS n`, parameters: Report['parameters'] = []) =>
    (await room.save({ name, query, parameters, visualization: { kind: 'number', value: 'n' } })).id;
  return {
    owner: room.owner,
    save,
    async create(widgets: object[]): Promise<string> {
      const body = { name: 'Board', organizationId: room.organizationId, widgets };
      const created = await office.server.call('POST /api/dashboards', { as: room.owner, body });
      assert.equal(created.status, 201, created.text);
      return created.body.id;
    },
  };
}

const widget = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Returns the names of the widgets whose results were requested, one text for each request. */
async function watchRequests(page: Page, office: WebOffice, id: string, as: Person) {
  const { body } = await office.server.call(`GET /api/dashboards/${id}`, { as });
  const titles = new Map<string, string>(
    body.widgets.map((one: { id: string; config: { title?: string } }) => [one.id, one.config.title ?? '']),
  );
  const requests: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.endsWith('/results')) return;
    const ids = url.searchParams.get('widget-ids');
    requests.push(
      ids === null
        ? 'all'
        : ids
            .split(',')
            .map((each) => titles.get(each))
            .join(' '),
    );
  });
  return requests;
}

test('tabs and sections are shown, linked, collapsed and loaded when they come into view', async (context) => {
  const office = await startWebOffice(context);
  const desk = await openDesk(office);
  const reportId = await desk.save('Seven');
  const shown = (title: string, parent?: string, y = 0) => ({
    reportId,
    layout: at(y),
    config: { title, ...(parent !== undefined && { parent }) },
  });
  const id = await desk.create([
    tab('costs', 'Costs'),
    tab('sales', 'Sales'),
    section('month', 'By month', { parent: 'costs' }),
    section('year', 'By year', { parent: 'costs', isCollapsed: true }),
    section('far', 'Far below', { parent: 'costs' }),
    section('north', 'North', { parent: 'sales' }),
    shown('Total'),
    shown('Rent', 'costs'),
    shown('January', 'month'),
    ...Array.from({ length: 5 }, (_, index) => shown(`Month ${index}`, 'month', 4 + index * 4)),
    shown('2026', 'year'),
    shown('Detail', 'far'),
    shown('Oslo', 'north'),
    shown('Lost', 'gone', 4),
  ]);
  const page = await office.open('/', desk.owner, { viewport: { width: 1000, height: 700 } });
  const requests = await watchRequests(page, office, id, desk.owner);
  await page.goto(`${office.url}/dashboards/${id}`);

  // What is in view, in one request. What has an unknown tab is not lost.
  await expect(widget(page, 'January')).toContainText('7');
  await expect(widget(page, 'Lost')).toContainText('7');
  const months = Array.from({ length: 5 }, (_, index) => `Month ${index}`).join(' ');
  assert.deepEqual(requests, [`Total Lost Rent January ${months}`]);
  await expect(page.getByRole('tab')).toHaveText(['Costs', 'Sales']);
  await expect(page.getByRole('tab', { name: 'Costs' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { level: 2, name: 'By month' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'January' })).toBeVisible();
  await expect(widget(page, '2026')).toHaveCount(0);
  await expect(page.getByText(/^Updated at/)).toBeVisible();
  await assertAccessible(page);

  // A section is loaded when it is expanded or comes into view.
  await toggle(page, 'By year').click();
  await expect(widget(page, '2026')).toContainText('7');
  await toggle(page, 'Far below').scrollIntoViewIfNeeded();
  await expect(widget(page, 'Detail')).toContainText('7');
  // In one request, if the second one comes into view with the first.
  const later = requests.slice(1).flatMap((titles) => titles.split(' '));
  assert.deepEqual(later.toSorted(), ['2026', 'Detail']);

  // The browser remembers what is collapsed.
  await toggle(page, 'By month').click();
  await expect(toggle(page, 'By month')).toHaveAttribute('aria-expanded', 'false');
  await page.reload();
  await expect(toggle(page, 'By year')).toHaveAttribute('aria-expanded', 'true');
  await expect(toggle(page, 'By month')).toHaveAttribute('aria-expanded', 'false');
  await expect(widget(page, 'January')).toHaveCount(0);

  // Tabs by keyboard, in the address and in its history.
  await page.getByRole('tab', { name: 'Costs' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Sales' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?open-tab=sales$/);
  await expect(page.getByRole('tabpanel', { name: 'Sales' })).toContainText('Oslo');
  await expect(widget(page, 'Total')).toBeVisible();
  await expect(widget(page, 'Rent')).toHaveCount(0);
  await page.goBack();
  await expect(widget(page, 'Rent')).toContainText('7');

  // A link to a section opens its tab and the section.
  await page.goto(`${office.url}/dashboards/${id}#north`);
  await expect(page.getByRole('tab', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await expect(toggle(page, 'North')).toBeFocused();
  await page.goto(`${office.url}/dashboards/${id}?open-tab=none`);
  await page.getByRole('link', { name: 'Link to section “By month”' }).click();
  await expect(page).toHaveURL(/#month$/);
  await expect(widget(page, 'January')).toContainText('7');
});

test('a section is repeated for the chosen values of a filter, or else for all', async (context) => {
  const office = await startWebOffice(context);
  const desk = await openDesk(office);
  const country = { name: 'country', type: 'text', default: 'nowhere' } as const;
  const reportId = await desk.save('Words', 'SELECT {{country}} AS n', [country]);
  const countries = Array.from({ length: 23 }, (_, index) => `C${index + 1}`);
  const filters = [{ name: 'country', label: 'Country', kind: 'list', values: { fixed: countries } }];
  const id = await desk.create([
    { reportId: 'builtin:filters', layout: { x: 0, y: 0, w: 0, h: 0 }, config: { filters } },
    section('each', 'Costs in {{country}}', { repeat: { filter: 'country' } }),
    section('wrong', 'Unknown', { repeat: { filter: 'planet' } }),
    { reportId, layout: at(0), config: { parent: 'each' } },
    { reportId, layout: at(0), config: { parent: 'wrong', title: 'Other' } },
  ]);
  const page = await office.open(`/dashboards/${id}?country=C2&country=<b>`, desk.owner);
  const words = (name: string) => page.getByRole('region', { name }).getByRole('article', { name: 'Words' });
  await expect(words('Costs in C2')).toContainText('C2');
  await expect(words('Costs in <b>')).toContainText('<b>');
  await expect(page.getByRole('region', { name: /^Costs in/ })).toHaveCount(2);
  await expect(
    page.getByText('There is no filter “planet” here, so this section is not repeated.'),
  ).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Link to section “Costs in <b>”' }).click();
  await page.reload();
  await expect(toggle(page, 'Costs in <b>')).toBeFocused();

  await page.goto(`${office.url}/dashboards/${id}`);
  await expect(
    page.getByText('Shown for 20 of 23 values. Choose values of “Country” to see others.'),
  ).toBeVisible();
  await expect(words('Costs in C1')).toContainText('C1');
});

test('all tabs and sections are loaded and expanded to print a dashboard', async (context) => {
  const office = await startWebOffice(context);
  const desk = await openDesk(office);
  const reportId = await desk.save('Seven');
  const shown = (title: string, parent: string) => ({ reportId, layout: at(0), config: { title, parent } });
  const id = await desk.create([
    tab('costs', 'Costs'),
    tab('sales', 'Sales'),
    section('north', 'North', { parent: 'sales', isCollapsed: true }),
    shown('Rent', 'costs'),
    shown('Oslo', 'north'),
  ]);
  const page = await office.open(`/dashboards/${id}`, desk.owner);
  await expect(widget(page, 'Rent')).toContainText('7');
  // What the page looks like when the browser prints it; the real print would wait for a person.
  await page.evaluate(`window.print = () => {
    dispatchEvent(new Event('beforeprint'));
    window.printed = document.querySelector('main').innerText;
    dispatchEvent(new Event('afterprint'));
  }`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await expect.poll(() => page.evaluate('window.printed !== undefined')).toBe(true);
  const printed = String(await page.evaluate('window.printed'));
  for (const text of ['Costs', 'Rent', 'Sales', 'North', 'Oslo']) assert.ok(printed.includes(text), printed);
  // Without the time, which may have a 7.
  const results = printed.replace(/Updated at.*/, '');
  assert.equal(results.split('7').length - 1, 2, printed);
  await expect(page.getByRole('tab', { name: 'Costs' })).toHaveAttribute('aria-selected', 'true');
  await expect(widget(page, 'Oslo')).toHaveCount(0);
});

test('a section repeats for yes and no, and says when its filter has no values or only ranges', async (context) => {
  const office = await startWebOffice(context);
  const desk = await openDesk(office);
  const parameters: Report['parameters'] = [
    { name: 'is_open', type: 'boolean', default: true },
    { name: 'city', type: 'text', default: 'nowhere' },
    { name: 'day', type: 'date', default: '2026-01-01' },
    { name: 'free', type: 'text', default: 'any' },
  ];
  const query = `SELECT {{is_open}}::VARCHAR || {{city}} || {{day}} || {{free}} AS n`;
  const reportId = await desk.save('Words', query, parameters);
  const none = await desk.save('None', `SELECT 'x' AS city WHERE false`);
  const filters = [{ name: 'city', label: 'City', kind: 'list', values: { reportId: none, column: 'city' } }];
  const repeated = (filter: string) => [
    section(filter, `By ${filter}`, { repeat: { filter } }),
    { reportId, layout: at(0), config: { parent: filter } },
  ];
  const id = await desk.create([
    { reportId: 'builtin:filters', layout: { x: 0, y: 0, w: 0, h: 0 }, config: { filters } },
    ...['is_open', 'city', 'day', 'free'].flatMap(repeated),
    { reportId, layout: at(0), config: { title: 'Top' } },
  ]);
  const page = await office.open(`/dashboards/${id}`, desk.owner);
  await expect(widget(page, 'Top')).toContainText('true');
  await expect(page.getByRole('region', { name: 'By is_open: Yes' })).toContainText('true');
  await expect(page.getByRole('region', { name: 'By is_open: No' })).toContainText('false');
  await expect(page.getByText('“City” has no values.')).toBeVisible();
  await page.getByRole('button', { name: 'By day' }).scrollIntoViewIfNeeded();
  await expect(
    page.getByText('“day” is a filter of dates or ranges, so this section is not repeated.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'By free' }).scrollIntoViewIfNeeded();
  await expect(page.getByText('Choose values of “free” to see this section for each of them.')).toBeVisible();
  await assertAccessible(page);
});
