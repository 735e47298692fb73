import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { ExportFormat } from '#contract/dashboards/exports.ts';
import { pngOf } from '../../../../../tests/support/image-files.ts';
import { jobOf } from '../../../../../tests/support/exports/jobs.ts';
import { readPdf } from '../../../../../tests/support/exports/read-pdf.ts';
import { readSvg } from '../../../../../tests/support/exports/read-svg.ts';
import { createExport } from '../../files/create-export.ts';

const id = '4f'.repeat(32);

/** Returns a red PNG, as wide as high. */
function redSquare(): string {
  const canvas = createCanvas(10, 10);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ff0000';
  context.fillRect(0, 0, 10, 10);
  return canvas.toBuffer('image/png').toString('base64');
}
const red = redSquare();

const imageWidget = (config: Readonly<Record<string, unknown>>, reportId = 'builtin:image'): Widget => ({
  id: 'image',
  reportId,
  layout: { x: 0, y: 0, w: 6, h: 5 },
  config,
});

const make = (
  format: ExportFormat,
  widget: Widget,
  images: Readonly<Record<string, string>> = { [id]: red },
) => {
  const data = { title: 'Boats', layout: { y: 10 }, columns: [['photo', 'text']] as const, rows: [[red]] };
  const { job, lines } = jobOf(format, [data], { widgets: [widget], images, widgetId: 'image' });
  return createExport(job, lines);
};

/** Returns how much of a picture is red. */
async function redShare(png: Uint8Array): Promise<number> {
  const picture = await loadImage(Buffer.from(png));
  const context = createCanvas(picture.width, picture.height).getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  let count = 0;
  for (let index = 0; index < data.length; index += 4)
    if (data[index] === 255 && data[index + 1] === 0 && data[index + 2] === 0) count += 1;
  return count / (picture.width * picture.height);
}

test('an image is drawn whole, or so that it fills its widget', async () => {
  const whole = await redShare(await make('png', imageWidget({ image: id })));
  const filled = await redShare(await make('png', imageWidget({ image: id, fit: 'fill' })));
  assert.ok(whole > 0.3 && whole < 0.6, `${whole}`);
  assert.ok(filled > 0.9, `${filled}`);
});

test('an image of data, and one in a text, are drawn', async () => {
  assert.ok(
    (await redShare(await make('png', imageWidget({ image: '{{Boats > photo}}', fit: 'fill' })))) > 0.9,
  );
  const text = `Before\n\n![A square](image:${id})\n\nafter ![it](image:${id})`;
  const widget = imageWidget({ text }, 'builtin:text');
  assert.ok((await redShare(await make('png', widget))) > 0);
  assert.deepEqual(readSvg(await make('svg', widget)), ['Before', 'after it']);
});

test('an image with a link leads to it in a PDF', async () => {
  const linked = imageWidget({ image: id, url: 'https://boats.example/' });
  assert.deepEqual((await readPdf(await make('pdf', linked))).links, ['https://boats.example/']);
});

test('a picture refers to nothing outside of it', async () => {
  const svg = Buffer.from(await make('svg', imageWidget({ image: id }))).toString();
  assert.deepEqual(
    Array.from(svg.matchAll(/href="([^"]{0,30})/g), ([, address]) => address?.slice(0, 22)),
    ['data:image/png;base64,'],
  );
});

test('an image that is missing, broken or too large is its description', async () => {
  const widget = imageWidget({ image: id, description: 'A boat' });
  const broken = Buffer.from(red, 'base64').subarray(0, 40).toString('base64');
  for (const images of [
    {},
    { [id]: broken },
    { [id]: pngOf(8_000, 4_000).toString('base64') },
    { [id]: '<svg>' },
  ])
    assert.deepEqual(readSvg(await make('svg', widget, images)), ['A boat']);
});
