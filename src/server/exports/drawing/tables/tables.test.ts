import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ExportFormat } from '#contract/dashboards/exports.ts';
import { hostileTexts, jobOf, type WidgetOfJob } from '../../../../../tests/support/exports/jobs.ts';
import { readPdf } from '../../../../../tests/support/exports/read-pdf.ts';
import { readSvg } from '../../../../../tests/support/exports/read-svg.ts';
import { readSheets } from '../../../../../tests/support/exports/read-xlsx.ts';
import { createExport } from '../../files/create-export.ts';

async function make(format: ExportFormat, widget: WidgetOfJob): Promise<Uint8Array> {
  const { job, lines } = jobOf(format, [{ layout: { w: 12, h: 10 }, ...widget }]);
  return createExport(job, lines);
}

const sales = {
  columns: [
    ['region', 'text'],
    ['city', 'text'],
    ['year', 'text'],
    ['amount', 'decimal'],
  ],
  rows: [
    ['north', 'Kiel', '2025', '1.50'],
    ['north', 'Kiel', '2026', '2.25'],
    ['north', 'Bremen', '2026', '9007199254740993'],
    ['south', 'Ulm', '2025', '-3'],
  ],
} as const;
const pivot: Visualization = {
  kind: 'pivot',
  rows: ['region', 'city'],
  columns: ['year'],
  values: [{ field: 'amount', aggregate: 'sum' }],
};

describe('a pivot table', () => {
  test('is drawn with its totals', async () => {
    const texts = readSvg(await make('svg', { ...sales, visualization: pivot }));
    const start = texts.indexOf('region');
    const shown = texts.slice(start).filter((text) => text !== '');
    assert.deepEqual(shown.slice(0, 5), ['region', 'city', '2025', '2026', 'Total']);
    for (const text of ['Total north', 'Total south', 'Bremen', 'Kiel', 'Ulm', '1.5', '-3'])
      assert.ok(shown.includes(text), `${text} in ${shown.join(' | ')}`);
    // A region is shown once, at its first line.
    assert.equal(shown.filter((text) => text === 'north').length, 1);
    assert.equal(shown.filter((text) => text === 'Total').length, 2);
  });

  test('is a sheet with its totals, whose values are numbers', async () => {
    const sheets = readSheets(await make('xlsx', { ...sales, title: 'Sales', visualization: pivot }));
    assert.deepEqual(sheets.get('Sales'), [
      ['region', 'city', '2025', '2026', 'Total'],
      ['north', 'Bremen', null, '9007199254740993', '9007199254740993'],
      ['north', 'Kiel', 1.5, 2.25, 3.75],
      ['Total north', null, 1.5, '9007199254740995.25', '9007199254740996.75'],
      ['south', 'Ulm', -3, null, -3],
      ['Total south', null, -3, null, -3],
      ['Total', null, -1.5, '9007199254740995.25', '9007199254740993.75'],
    ]);
  });

  test('of many lines and columns, or hostile texts, says what it leaves out', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => [`r${index}`, 'c', String(index % 300), '1']);
    const texts = readSvg(await make('svg', { ...sales, rows, visualization: pivot }));
    assert.ok(
      texts.some((text) => /^\d+ of 6,000 rows, \d+ columns left out$/.test(text)),
      texts.slice(0, 9).join(' | '),
    );
    assert.ok(texts.includes('Showing the first 200 of 300 columns.'));
    const hostile = hostileTexts.map((text) => [text, text, text, '1']);
    readSvg(await make('svg', { ...sales, rows: hostile, visualization: pivot }));
    const sheets = readSheets(await make('xlsx', { ...sales, rows: hostile, visualization: pivot }));
    assert.ok([...sheets.values()].flat(2).every((cell) => !String(cell).startsWith('formula ')));
    const empty = readSvg(await make('svg', { ...sales, rows: [], visualization: pivot }));
    assert.ok(empty.includes('No rows'));
  });
});

test('cells of a table have bars, lines, colors and links', async () => {
  const widget: WidgetOfJob = {
    columns: [
      ['name', 'text'],
      ['n', 'integer'],
      ['list', 'json'],
      ['url', 'text'],
    ],
    rows: [
      ['a', 5, [1, 2, 3], 'https://a.example/'],
      ['b', -5, [3, null, 1], 'javascript:alert(1)'],
    ],
    visualization: {
      kind: 'table',
      columns: [
        { field: 'name', display: 'link', linkField: 'url' },
        { field: 'n', display: 'bar', rules: [{ when: 'below', value: '0', color: '#ff0000' }] },
        { field: 'list', display: 'sparkline' },
      ],
    },
  };
  const svg = Buffer.from(await make('svg', widget)).toString('utf8');
  assert.deepEqual(readSvg(Buffer.from(svg)).slice(-7), ['name', 'n', 'list', 'a', '5', 'b', '-5']);
  // The bars, in the colors of the palette; the background of a rule; two lines.
  for (const part of [
    'height="4" rx="1" fill="#3b59b4"',
    'height="4" rx="1" fill="#c2352b"',
    'fill="#ffb3b3"',
  ])
    assert.ok(svg.includes(part), part);
  assert.equal(svg.match(/<path [^>]*d="M[^>]*stroke-linecap="round"/g)?.length, 2);
  assert.deepEqual((await readPdf(await make('pdf', widget))).links, ['https://a.example/']);
});

test('a number has its line below it', async () => {
  const widget: WidgetOfJob = {
    columns: [
      ['day', 'date'],
      ['n', 'integer'],
    ],
    rows: [
      ['2026-01-01', 1],
      ['2026-01-02', 5],
    ],
    visualization: { kind: 'number', value: 'n', trend: { by: 'day', hasSparkline: true } },
  };
  assert.match(Buffer.from(await make('svg', widget)).toString('utf8'), /<path d="M0 [^"]*" fill="none"/);
});
