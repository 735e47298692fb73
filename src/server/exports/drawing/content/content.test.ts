import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { ExportFormat } from '#contract/dashboards/exports.ts';
import { hostileTexts, jobOf } from '../../../../../tests/support/exports/jobs.ts';
import { readPdf } from '../../../../../tests/support/exports/read-pdf.ts';
import { readSvg } from '../../../../../tests/support/exports/read-svg.ts';
import { readSheets } from '../../../../../tests/support/exports/read-xlsx.ts';
import { watchThreadCpuTime } from '../../../../../tests/support/cpu-time.ts';
import { createExport } from '../../files/create-export.ts';

const total = { title: 'Revenue', columns: [['total', 'double']] as const, rows: [[1234.5]] };

const contentWidget = (
  kind: string,
  config: Readonly<Record<string, unknown>>,
  layout: Partial<Widget['layout']> = {},
): Widget => ({
  id: `${kind}-${JSON.stringify(config).length}`,
  reportId: `builtin:${kind}`,
  layout: { x: 0, y: 10, w: 6, h: 12, ...layout },
  config,
});

function make(format: ExportFormat, widgets: readonly Widget[], values = {}): Promise<Uint8Array> {
  const parameter = {
    name: 'region',
    label: 'Region',
    type: 'text',
    filter: 'region',
    hasAllowed: false,
  } as const;
  const { job, lines } = jobOf(format, [{ ...total, parameters: [parameter] }], { widgets, values });
  return createExport(job, lines);
}

const report = `# Sales in {{region}}

The total is **{{Revenue > total}}**, and [the *plan*](https://plan.example/a?b=1) or [a page](/dashboards/1) says more.

- first
- [script](javascript:alert(1))

3. third

- [x] done

> quoted

| a | b |
|---|---|
| cell | {{Missing > n}} |

    code
`;

describe('a text', () => {
  test('is drawn with the values of its references', async () => {
    const texts = readSvg(
      await make('svg', [contentWidget('text', { text: report, title: 'About' })], { region: 'north' }),
    );
    for (const shown of [
      'About',
      'Sales in north',
      '1,234.5',
      'plan',
      'first',
      '3.',
      'quoted',
      'cell',
      '–',
      'code',
    ])
      assert.ok(texts.includes(shown), `${shown} in ${texts.join(' | ')}`);
  });

  test('has links in a PDF, to addresses that are allowed', async () => {
    const { links, pages } = await readPdf(await make('pdf', [contentWidget('text', { text: report })]));
    assert.deepEqual(links, [
      'https://atrium.example/dashboards/1',
      'https://plan.example/a?b=1',
      'https://plan.example/a?b=1',
    ]);
    assert.ok(pages.join('').includes('script(javascript:alert(1))'));
  });

  test('that is too long for its place is cut off, and says so', async () => {
    const text = Array.from({ length: 50 }, (_, index) => `Line ${index}.`).join('\n\n');
    const short = readSvg(await make('svg', [contentWidget('text', { text }, { h: 4 })]));
    assert.deepEqual(
      ['Line 0.', 'Line 3.', 'Line 6.', 'The rest of this text is on the dashboard.'].map((one) =>
        short.includes(one),
      ),
      [true, true, false, true],
    );
    const whole = readSvg(await make('svg', [contentWidget('text', { text }, { h: 40 })]));
    assert.deepEqual(
      ['Line 49.', 'The rest of this text is on the dashboard.'].map((one) => whole.includes(one)),
      [true, false],
    );
  });

  test('breaks words that are too long, and shows words from right to left in their order', async () => {
    const texts = readSvg(
      await make('svg', [contentWidget('text', { text: `${'x'.repeat(300)}\n\nאחת **שתיים** שלוש end` })]),
    );
    const parts = texts.filter((one) => /^x+$/.test(one));
    assert.ok(parts.length > 2);
    assert.equal(parts.join('').length, 300);
    const words = texts.filter((one) => /\p{sc=Hebrew}|^end$/u.test(one));
    assert.deepEqual(words, ['שלוש', 'שתיים', 'אחת', 'end']);
  });
});

test('headings, links and dividers are drawn as on the page', async () => {
  const links = [
    { label: 'Site', url: 'https://site.example/', description: 'Where it is' },
    { label: 'Page', url: '/reports/1' },
    { label: 'Script', url: 'javascript:alert(1)' },
  ];
  const widgets = [
    contentWidget('heading', { text: 'Total {{Revenue > total}}', size: 'small' }, { h: 1 }),
    contentWidget('links', { links }, { y: 11 }),
    contentWidget('divider', {}, { y: 30, h: 1 }),
    contentWidget('text', { text: '' }, { y: 31, h: 3 }),
  ];
  const texts = readSvg(await make('svg', widgets));
  for (const shown of ['Total 1,234.5', 'Site', 'Where it is', 'Page', 'This widget has nothing to show.'])
    assert.ok(texts.includes(shown), `${shown} in ${texts.join(' | ')}`);
  assert.ok(!texts.includes('Script'));
  const pdf = await readPdf(await make('pdf', widgets));
  assert.deepEqual(pdf.links, ['https://atrium.example/reports/1', 'https://site.example/']);
});

test('a long value that a text repeats takes little memory and time', async () => {
  const long = { title: 'W', columns: [['note', 'text']] as const, rows: [['x'.repeat(4_000_000)]] };
  const text = '{{W > note}} '.repeat(1_500);
  const { job, lines } = jobOf('xlsx', [long], { widgets: [contentWidget('text', { text })] });
  const cpuMs = watchThreadCpuTime();
  assert.ok((await createExport(job, lines)).byteLength > 0);
  assert.ok(cpuMs() < 4_000, `${cpuMs()} ms`);
});

test('a workbook has the texts on its first sheet, and never as formulas', async () => {
  const widgets = [
    contentWidget('text', { text: '=1+1', title: '=2' }),
    contentWidget('heading', { text: '{{region}}' }, { y: 30 }),
    contentWidget(
      'text',
      { text: '- [site](https://site.example)\n- **two**\n\n|a|b|\n|-|-|\n|1|2|' },
      { y: 40 },
    ),
  ];
  const sheets = readSheets(await make('xlsx', widgets, { region: '=HYPERLINK("https://evil.example")' }));
  assert.deepEqual([...sheets.keys()], ['About', 'Revenue']);
  const about = sheets.get('About') ?? [];
  const start = about.findIndex(([cell]) => cell === 'Texts');
  assert.deepEqual(
    about.slice(start).map(([title, text]) => [title, text]),
    [
      ['Texts', null],
      ['=2', '=1+1'],
      ['Heading', '=HYPERLINK("https://evil.example")'],
      ['Text', '• site (https://site.example/)\n• two\na | b\n1 | 2'],
    ],
  );
});

const size = 20_000;
const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);

describe('hostile texts are drawn quickly', () => {
  const texts = [
    ...[
      '> ',
      '- ',
      '1. ',
      '**a**',
      '`a`',
      '[a](/b) ',
      'a',
      'a ',
      '\u0301',
      '日',
      'א ',
      '|a',
      '- a\n  ',
      '{{a}}',
    ].map(filled),
    ...['# a\n', '- [ ] a\n', '> - a\n', '    a\n', 'a\\\n', '---\n\n'].map(filled),
    `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|b\n'.repeat(500)}`,
    `|a|\n|-|\n${filled('|b|\n')}`.slice(0, size),
    ...hostileTexts,
  ];
  for (const text of texts) {
    test(JSON.stringify(text.slice(0, 16)), async () => {
      const widgets = [
        contentWidget('text', { text: text.slice(0, size), title: text.slice(0, 200) }, { w: 2 }),
        contentWidget('heading', { text: text.slice(0, 300) }, { y: 40, h: 1 }),
      ];
      const cpuMs = watchThreadCpuTime();
      readSvg(await make('svg', widgets));
      const pdf = await make('pdf', widgets);
      assert.ok(cpuMs() < 8_000, `${cpuMs()} ms`);
      assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-');
    });
  }
});
