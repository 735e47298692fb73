import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
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
      for (const part of ['ExportedNov23,2026', 'Version7', `Page${index + 1}of${pages.length}`])
        assert.ok(page.includes(part), `${part} in ${page}`);
    for (const widget of widgets) assert.ok(pages.join('').includes(widget.title.replace(' ', '')));
  });
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
