import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../web-office.ts';

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });

const country = { name: 'country', type: 'text', default: 'NO' } as const;

/** Creates a dashboard with texts about the reports “Revenue” and “Words”, and returns its ID. */
async function createBoard(
  office: WebOffice,
  widgets: (ids: { revenue: string; words: string }) => object[],
) {
  const room = await openNewsroom(office.server);
  const revenue = await room.save({
    name: 'Revenue',
    query: `SELECT 1234567 AS total, '**bold** [x](/y) <b>' AS best`,
    visualization: {
      kind: 'number',
      value: 'total',
      format: { kind: 'currency', currency: 'EUR', decimals: 0 },
    },
  });
  const words = await room.save({
    name: 'Words',
    query: 'SELECT {{country}} AS word',
    parameters: [country],
    visualization: { kind: 'table' },
  });
  const body = {
    name: 'Board',
    organizationId: room.organizationId,
    widgets: widgets({ revenue: revenue.id, words: words.id }),
  };
  const created = await office.server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  return { owner: room.owner, id: created.body.id as string };
}

const text = (value: string, layout = at(0, 1, 6, 5), config: object = {}) => ({
  reportId: 'builtin:text',
  layout,
  config: { text: value, ...config },
});

const filters = {
  reportId: 'builtin:filters',
  layout: at(0, 0, 0, 0),
  config: { filters: [{ name: 'country', label: 'Country', kind: 'text' }] },
};

const welcome = `# Welcome to {{country}}

Revenue is **{{Revenue > total}}**, best {{Revenue > best}}, and {{Nothing > n}}.

- [x] done
- see the [guide](/dashboards) or [the web](https://example.com/)
- [bad](javascript:alert(1)) ![pixel](https://example.com/p.png)

| a | b |
|---|---|
| 1 | <script>alert(1)</script> |

The end is only seen after scrolling.
`;

test('texts, headings, lists of links and dividers are shown with the values that they refer to', async (context) => {
  const office = await startWebOffice(context);
  const board = await createBoard(office, ({ revenue, words }) => [
    filters,
    {
      reportId: 'builtin:heading',
      layout: at(0, 0, 12, 1),
      config: { text: 'Costs in {{country}}', size: 'medium' },
    },
    text(welcome),
    {
      reportId: 'builtin:links',
      layout: at(6, 1, 3, 4),
      config: {
        title: 'More',
        links: [
          { label: 'Guide', url: '/dashboards', description: 'How it works' },
          { label: 'Script', url: 'javascript:alert(1)' },
        ],
      },
    },
    { reportId: 'builtin:divider', layout: at(0, 6, 12, 1), config: {} },
    text(''),
    { reportId: revenue, layout: at(0, 7, 4, 4), config: {} },
    { reportId: words, layout: at(4, 7, 4, 4), config: {} },
  ]);
  const page = await office.open(`/dashboards/${board.id}?country=SE`, board.owner);
  const welcomed = page.getByRole('article', { name: /^Text “Welcome to/ });
  await expect(page.getByRole('heading', { level: 2, name: 'Costs in SE' })).toBeVisible();
  await expect(welcomed.getByRole('heading', { level: 2, name: 'Welcome to SE' })).toBeVisible();
  // In the format of its widget. A value isn't Markdown.
  await expect(welcomed).toContainText('Revenue is €1,234,567, best **bold** [x](/y) <b>, and –.');
  await expect(welcomed.locator('strong')).toHaveText('€1,234,567');
  await expect(welcomed.getByRole('link')).toHaveText(['guide', 'the web (opens in a new tab)']);
  await expect(welcomed).toContainText('bad (javascript:alert(1)) pixel');
  await expect(welcomed.getByRole('cell', { name: '<script>alert(1)</script>' })).toBeVisible();
  assert.equal(await welcomed.locator('img, script').count(), 0);
  await expect(welcomed.getByRole('link', { name: 'the web' })).toHaveAttribute('rel', /noopener noreferrer/);
  const more = page.getByRole('article', { name: 'More' });
  await expect(more.getByRole('link')).toHaveText(['Guide']);
  await expect(more).toContainText('How it works');
  await expect(page.getByRole('article', { name: 'Text', exact: true })).toContainText('nothing to show');
  await expect(page.locator('hr')).toBeVisible();
  await expect(page.getByText(/^Updated at/)).toBeVisible();
  await assertAccessible(page);

  // A changed filter changes the texts, and only the reports that it applies to are requested again.
  const field = page.getByRole('searchbox', { name: 'Country' });
  await field.fill('DK');
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Welcome to DK' })).toBeVisible();

  // On a phone, all of a text is shown.
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => isClipped(page)).toBe(false);
  await assertAccessible(page);
  await page.setViewportSize({ width: 1200, height: 800 });
  await expect.poll(() => isClipped(page)).toBe(true);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => isClipped(page)).toBe(false);
});

/** Whether a part of the long text is only visible after scrolling in its card. */
const isClipped = async (page: Page): Promise<boolean> =>
  page
    .getByRole('article', { name: /^Text “Welcome to/ })
    .evaluate((card) =>
      [...card.querySelectorAll('div')].some(
        (each) => each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY === 'auto',
      ),
    );

test('a text loads the results that it refers to, wherever they are', async (context) => {
  const office = await startWebOffice(context);
  const board = await createBoard(office, ({ revenue, words }) => [
    { reportId: 'builtin:tab', config: { key: 'one', title: 'One' } },
    { reportId: 'builtin:tab', config: { key: 'two', title: 'Two' } },
    {
      reportId: 'builtin:section',
      config: { key: 'each', title: 'In {{country}}', parent: 'one', repeat: { filter: 'country' } },
    },
    text('Total {{Revenue > total}}, in {{ country }}', at(0, 0, 6, 2), { parent: 'each' }),
    text('Here {{Words > word}}', at(6, 0, 6, 2), { parent: 'each' }),
    { reportId: words, layout: at(0, 2, 6, 4), config: { parent: 'each' } },
    { reportId: revenue, layout: at(0, 0, 6, 4), config: { parent: 'two' } },
  ]);
  const page = await office.open(`/dashboards/${board.id}?country=SE`, board.owner);
  const section = page.getByRole('region', { name: 'In SE' });
  await expect(section).toContainText('Total €1,234,567, in SE');
  await expect(section).toContainText('Here SE');
  await assertAccessible(page);
});
