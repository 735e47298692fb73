import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { readSheets } from '../../support/exports/read-xlsx.ts';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('a dashboard and a widget are exported with the filters that are set', async (context) => {
  const office = await startWebOffice(context);
  const room = await openNewsroom(office.server);
  const report = await room.save({
    name: 'By region',
    query: 'SELECT region, amount FROM sales WHERE {{region}} IS NULL OR region = {{region}} ORDER BY amount',
    parameters: [{ name: 'region', label: 'Region', type: 'text', default: null }],
  });
  const created = await office.server.call('POST /api/dashboards', {
    as: room.owner,
    body: { name: 'Board', organizationId: room.organizationId, widgets: [{ reportId: report.id }] },
  });
  const page = await office.open(`/dashboards/${created.body.id}?region=south`, room.owner);
  await expect(page.getByText(/^Updated at/)).toBeVisible();
  assert.ok(await page.evaluate(() => document.fonts.check("14px 'Inter Variable'")));

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export “Board”' });
  await dialog.getByRole('radio', { name: 'Excel (XLSX)' }).check();
  await assertAccessible(page);
  const [workbook] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  assert.equal(workbook.suggestedFilename(), 'Board.xlsx');
  const sheets = readSheets(await buffer(await workbook.createReadStream()));
  assert.deepEqual(sheets.get('By region'), [
    ['region', 'amount'],
    ['south', 30],
    ['south', 40],
  ]);
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Actions for By region' }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const ofWidget = page.getByRole('dialog', { name: 'Export “By region”' });
  await ofWidget.getByRole('radio', { name: 'Picture (PNG)' }).check();
  await page.route('**/export?*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      json: {
        type: 'urn:atrium:problem:exports_busy',
        title: 'Too many exports are waiting',
        status: 503,
        detail: 'Other exports are being made. Try again in a moment.',
        code: 'exports_busy',
        requestId: '1',
      },
    }),
  );
  await ofWidget.getByRole('button', { name: 'Export' }).click();
  await expect(ofWidget.getByText('Other exports are being made.')).toBeVisible();
  await assertAccessible(page);
  await page.unroute('**/export?*');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    ofWidget.getByRole('button', { name: 'Export' }).click(),
  ]);
  assert.equal(picture.suggestedFilename(), 'By region.png');
});
