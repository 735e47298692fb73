import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Locator } from '@playwright/test';
import { onePixel } from '../../support/image-files.ts';
import { assertAccessible, expect } from '../web-office.ts';
import { startDashboardDesk } from './desk.ts';

const imageId = createHash('sha256').update(onePixel).digest('hex');

/** Waits until an image was loaded and decoded. */
const expectShown = (image: Locator) =>
  expect.poll(() => image.evaluate((each) => each instanceof HTMLImageElement && each.naturalWidth)).toBe(1);

test('images are uploaded, shown from data, inserted into texts, and linked', async (context) => {
  const desk = await startDashboardDesk(context);
  const { id: dataSourceId } = (
    await desk.server.call(`POST /api/organizations/${desk.organizationId}/data-sources`, {
      as: desk.owner,
      body: { name: 'Photos', kind: 'files' },
    })
  ).body;
  const report = await desk.server.call('POST /api/reports', {
    as: desk.owner,
    body: {
      organizationId: desk.organizationId,
      dataSourceId,
      name: 'Boats',
      query: `SELECT '${onePixel.toString('base64')}' AS photo, 'https://example.com/a.png' AS address`,
    },
  });
  assert.equal(report.status, 201, report.text);
  const dashboard = await desk.createDashboard([]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(desk.url) && !/^(?:data|blob):/.test(request.url()))
      foreign.push(request.url());
  });
  const startAdding = async (kind: string) => {
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.getByRole('button', { name: kind, exact: true }).click();
  };
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByRole('button', { name: 'Boats' }).click();
  await expect(page.getByRole('article', { name: /^Boats/ })).toContainText('photo');

  // An uploaded image, which leads to a page.
  await startAdding('Image');
  const dialog = page.getByRole('dialog', { name: 'Add an image' });
  const choose = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Upload an image' }).click();
  await (await choose).setFiles({ name: 'a.svg', mimeType: 'image/png', buffer: Buffer.from('<svg></svg>') });
  await expect(dialog.getByRole('alert')).toContainText('not a PNG, JPEG, WebP or GIF image');
  const again = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Upload an image' }).click();
  await (await again).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: onePixel });
  await expect(dialog.getByRole('radio', { name: '1 × 1 pixels' })).toBeChecked();
  await dialog.getByLabel('Link').fill('/reports');
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await dialog.getByLabel('Description').fill('Our logo');
  await expectShown(dialog.getByRole('group', { name: 'Preview' }).getByRole('img', { name: 'Our logo' }));
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('article', { name: /^Image “Our logo”/ })).toBeFocused();

  // An image of the data, and an address, which isn't one.
  for (const [column, description] of [
    ['photo', 'A boat'],
    ['address', 'Elsewhere'],
  ] as const) {
    await startAdding('Image');
    await dialog.getByText('From data').click();
    await dialog.getByLabel('Column with the image').fill(column);
    await page.getByRole('option', { name: `Boats > ${column}` }).click();
    await dialog.getByLabel('Description').fill(description);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  }

  await startAdding('Text');
  const text = page.getByRole('dialog', { name: 'Add a text' });
  await text.getByRole('button', { name: 'Insert an image' }).click();
  await text.getByRole('radio', { name: '1 × 1 pixels' }).click();
  await expect(text.getByLabel('Text', { exact: true })).toHaveValue(`![Image](image:${imageId})`);
  await text.getByRole('button', { name: 'Add', exact: true }).click();
  await page.keyboard.press('Control+S');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();

  await page.goto(`${desk.url}/dashboards/${dashboard.id}`);
  await expect(page.getByRole('link', { name: 'Our logo' })).toHaveAttribute('href', '/reports');
  for (const name of ['Our logo', 'A boat', 'Image']) {
    await expectShown(page.getByRole('img', { name, exact: true }));
  }
  await expect(page.getByRole('article', { name: 'Image “Elsewhere”' })).toHaveText('Elsewhere');
  await expect(page.getByRole('img', { name: 'Elsewhere' })).toHaveCount(0);
  assert.deepEqual(foreign, []);
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await assertAccessible(page);

  // Whoever deletes an image leaves its description behind.
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(`${desk.url}/dashboards/${dashboard.id}/edit`);
  await page.getByRole('button', { name: 'Actions for Image “Our logo”' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByRole('button', { name: 'Delete this image' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Delete image', exact: true }).click();
  await expect(page.getByRole('radio', { name: '1 × 1 pixels' })).toHaveCount(0);
  const other = await desk.open(`/dashboards/${dashboard.id}`, await desk.createEditor('Grace'));
  await expect(other.getByRole('article', { name: 'Image “Our logo”' })).toHaveText('Our logo');
});
