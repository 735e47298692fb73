import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { onePixel } from '../../../../tests/support/image-files.ts';
import { hostileTexts, jobOf } from '../../../../tests/support/exports/jobs.ts';
import { readPdf } from '../../../../tests/support/exports/read-pdf.ts';
import { readSvg } from '../../../../tests/support/exports/read-svg.ts';
import { createExport } from './create-export.ts';

const bars: Visualization = { kind: 'bar', x: 's', series: [{ field: 'n' }] };
const columns = [
  ['s', 'text'],
  ['n', 'double'],
] as const;

async function make(...input: Parameters<typeof jobOf>): Promise<Uint8Array> {
  const { job, lines } = jobOf(...input);
  return createExport(job, lines);
}

describe('a PDF', () => {
  test('has texts in Latin, Greek and Cyrillic letters, in embedded fonts', async () => {
    const words = ['Ångström', 'Ελλάδα', 'Москва'];
    const rows = words.map((word, index) => [word, index]);
    const widgets = [
      { title: 'Words', columns, rows },
      { title: 'Bars', columns, rows, visualization: bars },
    ];
    const { pages, embeddedFonts, missingFonts } = await readPdf(await make('pdf', widgets));
    for (const word of words) assert.equal(pages.join('').split(word).length - 1, 2, word);
    assert.deepEqual(
      embeddedFonts.filter((name) => !name.startsWith('Inter-')),
      [],
    );
    assert.deepEqual(missingFonts, []);
  });

  test('has other letters in fonts of the system', async (context) => {
    const installed = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
    const words = ['שלום', 'abc שלום def'];
    const rows = words.map((word, index) => [word, index]);
    const file = await make('pdf', [
      { columns, rows },
      { columns, rows, visualization: bars },
    ]);
    const { pages, embeddedFonts } = await readPdf(file);
    if (!existsSync(installed)) return context.diagnostic('This machine has no such font.');
    assert.ok(
      embeddedFonts.some((name) => name.startsWith('DejaVuSans')),
      embeddedFonts.join(' '),
    );
    assert.equal(pages.join('').split(/שלום|םולש/).length - 1, 4);
  });

  test('has signs that can be copied, whatever is beside them', async () => {
    const text = 'at 12:30 3x4 A-B';
    const rows = [[text, 1]];
    const { pages } = await readPdf(
      await make('pdf', [
        { columns, rows },
        { columns, rows, visualization: bars },
      ]),
    );
    assert.equal(pages.join('').split(text.replaceAll(' ', '')).length - 1, 2);
  });

  test('has a header on each page, with the time, the version and the page', async () => {
    const widgets = Array.from({ length: 6 }, (_, index) => ({
      title: `Widget ${index}`,
      columns,
      rows: [['a', index]],
    }));
    const { pages, title } = await readPdf(await make('pdf', widgets));
    assert.equal(title, 'Sales');
    assert.ok(pages.length >= 2);
    for (const [index, page] of pages.entries())
      for (const part of ['ExportedNov23,2026,2:30PM(UTC)', 'Version7', `Page${index + 1}of${pages.length}`])
        assert.ok(page.includes(part), `${part} in ${page}`);
    for (const widget of widgets) assert.ok(pages.join('').includes(widget.title.replace(' ', '')));
  });
});

describe('the header of a dashboard with a logo', () => {
  const logo = `data:image/png;base64,${onePixel.toString('base64')}`;
  const widgets = Array.from({ length: 6 }, () => ({ columns, rows: [['a', 1]] }));

  test('has it on each page of a PDF', async () => {
    const { pages, imageCounts } = await readPdf(await make('pdf', widgets, { logo }));
    assert.ok(pages.length >= 2);
    assert.ok(pages.every((page) => page.startsWith('Sales')));
    assert.deepEqual(
      imageCounts,
      pages.map(() => 1),
    );
    assert.deepEqual((await readPdf(await make('pdf', widgets.slice(1), {}))).imageCounts[0], 0);
  });

  test('has it once beside the title in an SVG, and in no picture of one widget', async () => {
    const titleAt = (svg: string) => /<text x="([\d.]+)"[^>]*>Sales</.exec(svg)?.[1];
    const whole = Buffer.from(await make('svg', widgets, { logo })).toString('utf8');
    assert.equal(whole.split(`href="${logo}"`).length, 2);
    assert.equal(titleAt(whole), '52');
    assert.equal(titleAt(Buffer.from(await make('svg', widgets)).toString('utf8')), '0');
    const single = Buffer.from(await make('svg', widgets, { logo, widgetId: 'widget-0' }));
    assert.ok(!single.includes(logo));
  });

  test('has none if its file is no picture', async () => {
    const broken = `data:image/png;base64,${Buffer.concat([onePixel.subarray(0, 33), Buffer.from('<script>')]).toString('base64')}`;
    const whole = Buffer.from(await make('svg', widgets, { logo: broken })).toString('utf8');
    assert.ok(!whole.includes('<image'));
  });
});

test('an SVG says what it shows, with its filters, its time and its version', async () => {
  const parameter = {
    name: 'region',
    label: 'Region',
    type: 'text',
    filter: 'region',
    hasAllowed: false,
  } as const;
  const widget = { title: 'A & B', columns, rows: [['a', 1]], parameters: [parameter] };
  const job = { values: { region: '</desc><script>' } };
  const about =
    'Region: &lt;/desc&gt;&lt;script&gt; · Exported Nov 23, 2026, 2:30 PM (UTC) · Data from Nov 23, 2026, 2:00 PM · Version 7';
  const whole = Buffer.from(await make('svg', [widget], job)).toString('utf8');
  assert.ok(whole.includes(`<title>Sales</title>\n<desc>${about}</desc>`), whole.slice(0, 500));
  const single = Buffer.from(await make('svg', [widget], { ...job, widgetId: 'widget-0' }));
  assert.ok(
    single.includes(`<title>A &amp; B</title>\n<desc>Sales · ${about}</desc>`),
    single.toString('utf8', 0, 500),
  );
  readSvg(single);
});

test('pictures of hostile texts and values are made, and SVG runs and loads nothing', async () => {
  const rows = [
    ...hostileTexts.map((text, index) => [text, index]),
    [null, null],
    ['huge', 1.7e308],
    ['low', -1e-300],
  ];
  const widgets = [
    ...hostileTexts.map((title) => ({ title, columns, rows })),
    { columns, rows, visualization: bars },
    { columns, rows: [], visualization: bars },
    { columns, rows: [[null, null]], visualization: bars },
  ];
  const texts = readSvg(await make('svg', widgets));
  assert.ok(texts.includes('<script>alert(1)</script>'));
  assert.ok((await readPdf(await make('pdf', widgets))).pages.length > 5);
  assert.ok((await make('png', widgets.slice(-4))).byteLength > 10_000);
});
