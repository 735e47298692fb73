import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Box } from '../../../../src/server/exports/drawing/painter.ts';
import { boxOf, contentWidth } from '../../../../src/server/exports/document/pages.ts';
import { cutOut, differenceOf, readPicture, type Pixels } from '../../../support/exports/compare-pictures.ts';
import { picturedWidgets } from '../../../support/exports/pictured-widgets.ts';
import { wrongWidgets } from '../../../support/exports/wrong-widgets.ts';
import { expect, startWebOffice, type WebOffice } from '../../web-office.ts';

/** The pixels of pictures and of the screen for each pixel of the page. */
const density = 2;
/** The empty space around an exported dashboard. */
const margin = 16;
/**
 * How many pixels of a square of 24 × 24 may be different. A large figure that is half a pixel lower has 32, a rule that is as much
 * lower 24, and the smallest fault below 72.
 */
const tolerance = 36;

interface Shown {
  readonly title: string;
  readonly query: string;
  readonly visualization: Visualization;
}

/** Two in a row: narrow tables on the page would scroll. */
const layoutAt = (index: number) => ({ x: (index % 2) * 6, y: Math.floor(index / 2) * 6, w: 6, h: 6 });

test('exported pictures show what the page shows', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner: as, organizationId } = office;
  const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as,
    body: { name: 'Files', kind: 'files' },
  });
  const create = (shown: readonly Shown[]) => createDashboard(office, source.id, shown);
  const kinds = Object.entries(picturedWidgets);
  const right = kinds.map(([title, widget]) => ({ ...widget, title }));
  const wrong = Object.values(wrongWidgets).map(({ kind, ...widget }) => ({ ...widget, title: kind }));
  const [id, wrongId] = [await create(right), await create(wrong)];

  const page = await office.open(`/dashboards/${id}`, as, {
    viewport: { width: 1_376, height: 3_700 },
    deviceScaleFactor: density,
    timezoneId: 'UTC',
    locale: 'en-US',
    colorScheme: 'light',
  });
  const onPage = await picturesOnPage(page, right.length);
  const exported = await exportedPictures(office, id, right.length);
  const differences = right.map(
    ({ title }, index) => [title, differenceOf(at(onPage, index), at(exported, index))] as const,
  );
  context.diagnostic(rounded(differences));
  assert.deepEqual(
    differences.filter(([, difference]) => difference > tolerance),
    [],
  );

  // The measure finds what is wrong in pictures that are.
  const wrongOnes = await exportedPictures(office, wrongId, wrong.length);
  const faults = Object.entries(wrongWidgets).map(([fault, { kind }], index) => {
    const shown = right.findIndex(({ title }) => title === kind);
    return [fault, differenceOf(at(onPage, shown), at(wrongOnes, index))] as const;
  });
  context.diagnostic(rounded(faults));
  assert.deepEqual(
    faults.filter(([, difference]) => difference <= tolerance),
    [],
  );
});

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  assert.ok(item !== undefined);
  return item;
}

async function createDashboard(
  { server, owner: as, organizationId }: WebOffice,
  dataSourceId: string,
  shown: readonly Shown[],
): Promise<string> {
  const widgets = await Promise.all(
    shown.map(async ({ title, query, visualization }, index) => {
      const body = { organizationId, dataSourceId, name: title, query, visualization };
      const report = await server.call('POST /api/reports', { as, body });
      assert.equal(report.status, 201, report.text);
      return { reportId: report.body.id, layout: layoutAt(index) };
    }),
  );
  const created = await server.call('POST /api/dashboards', {
    as,
    body: { organizationId, name: 'Pictures', widgets },
  });
  return created.body.id;
}

/** Returns the widgets of the page in reading order, without the buttons that only a screen has. */
async function picturesOnPage(page: Page, count: number): Promise<Pixels[]> {
  const cards = page.locator('article');
  await expect(cards).toHaveCount(count);
  await expect(page.locator('article[aria-busy=true]')).toHaveCount(0);
  await expect(cards.locator('canvas').first()).toBeVisible();
  const boxes: Box[] = [];
  for (const card of await cards.all()) {
    const box = await card.boundingBox();
    assert.ok(box);
    boxes.push(box);
  }
  const [left, right] = [at(boxes, 0), at(boxes, 1)];
  assert.equal(right.x + right.width - left.x, contentWidth);
  // The page's content security policy refuses the style that `screenshot` would add.
  await page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('.no-print, [class*=resizer] { visibility: hidden }');
    document.adoptedStyleSheets.push(style);
  });
  const whole = await readPicture(await pictureAtRest(page));
  return boxes.map((box) => cutOut(whole, insideOf(box), density));
}

/** Returns a screenshot once the page has looked the same for a second: charts are drawn one after another. */
async function pictureAtRest(page: Page): Promise<Buffer> {
  const takePicture = () => page.screenshot({ animations: 'disabled', caret: 'hide' });
  for (;;) {
    const before = await takePicture();
    await page.waitForTimeout(1_000);
    const after = await takePicture();
    if (after.equals(before)) return after;
  }
}

/** Returns the widgets of an exported dashboard in reading order. */
async function exportedPictures(
  { server, owner: as }: WebOffice,
  id: string,
  count: number,
): Promise<Pixels[]> {
  const path = `GET /api/dashboards/${id}/export?file-format=png&time-zone=UTC`;
  const { status, bytes, text } = await server.call(path, { as });
  assert.equal(status, 200, text);
  const whole = await readPicture(bytes);
  const last = boxOf(layoutAt(count - 1));
  // What is above them is the header.
  const top = whole.height / density - margin - (last.y + last.height);
  return Array.from({ length: count }, (_, index) => {
    const box = boxOf(layoutAt(index));
    return cutOut(whole, insideOf({ ...box, x: box.x + margin, y: box.y + top }), density);
  });
}

/** The box without its border, outside of whose corners the page has another color. */
const insideOf = ({ x, y, width, height }: Box): Box => ({
  x: x + 2,
  y: y + 2,
  width: width - 4,
  height: height - 4,
});

const rounded = (differences: readonly (readonly [string, number])[]): string =>
  differences.map(([name, difference]) => `${name}: ${difference}`).join(', ');
