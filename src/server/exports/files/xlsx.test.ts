import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostileTexts, jobOf } from '../../../../tests/support/exports/jobs.ts';
import { readSheets } from '../../../../tests/support/exports/read-xlsx.ts';
import { createExport } from './create-export.ts';

async function sheetsOf(...input: Parameters<typeof jobOf> extends [unknown, ...infer Rest] ? Rest : never) {
  const { job, lines } = jobOf('xlsx', ...input);
  return readSheets(await createExport(job, lines));
}

describe('a workbook', () => {
  test('has a sheet with the annotations of the dashboard, with dates', async () => {
    const config = {
      a: { from: '2026-01-20', text: '=Release' },
      b: { from: '2026-02-25', to: '2026-03-05', text: 'Sale' },
      c: { from: '2026-04-01T22:30:00Z', text: 'Outage' },
    };
    const widget = {
      id: 'notes',
      reportId: 'builtin:annotations',
      layout: { x: 0, y: 0, w: 0, h: 0 },
      config,
    };
    const sheets = await sheetsOf([], { widgets: [widget], timeZone: 'Europe/Berlin' });
    assert.deepEqual(sheets.get('Annotations'), [
      ['From', 'To', 'Annotation'],
      [new Date('2026-01-20T00:00:00Z'), null, '=Release'],
      [new Date('2026-02-25T00:00:00Z'), new Date('2026-03-05T00:00:00Z'), 'Sale'],
      [new Date('2026-04-02T00:30:00Z'), null, 'Outage'],
    ]);
    assert.equal((await sheetsOf([])).has('Annotations'), false);
  });

  test('has a sheet with the values of each column in their types', async () => {
    const columns = [
      ['s', 'text'],
      ['i', 'integer'],
      ['d', 'decimal'],
      ['f', 'double'],
      ['b', 'boolean'],
      ['day', 'date'],
      ['at', 'datetime'],
      ['when', 'instant'],
      ['json', 'json'],
    ] as const;
    const rows = [
      ['a', 1, '12.50', 1e-7, true, '2026-11-23', '2026-11-23T10:20:30', '2026-11-23T23:30:00Z', { a: [1] }],
      [
        null,
        '9007199254740993',
        '0.1234567890123456789',
        1.5e300,
        false,
        '1899-12-31',
        '0001-01-01T00:00:00',
        null,
        null,
      ],
    ];
    const sheets = await sheetsOf([{ columns, rows, title: 'All types' }], { timeZone: 'Europe/Berlin' });
    assert.deepEqual(sheets.get('All types'), [
      columns.map(([name]) => name),
      [
        'a',
        1,
        12.5,
        1e-7,
        true,
        new Date('2026-11-23T00:00:00Z'),
        new Date('2026-11-23T10:20:30Z'),
        new Date('2026-11-24T00:30:00Z'),
        '{"a":[1]}',
      ],
      [
        null,
        '9007199254740993',
        '0.1234567890123456789',
        1.5e300,
        false,
        '1899-12-31',
        '0001-01-01T00:00:00',
        null,
        null,
      ],
    ]);
  });

  test('says on its first sheet what it shows', async () => {
    const parameter = {
      name: 'region',
      label: 'Region',
      type: 'text',
      filter: 'region',
      hasAllowed: false,
    } as const;
    const widget = {
      title: 'Top',
      columns: [['n', 'integer']] as const,
      rows: [[1]],
      parameters: [parameter],
    };
    const sheets = await sheetsOf([widget, { ...widget, isCutOff: true }], { values: { region: '=1+1' } });
    assert.deepEqual([...sheets.keys()], ['About', 'Top', 'Top (2)']);
    assert.deepEqual(sheets.get('About'), [
      ['Sales', null, null],
      ['Exported Nov 23, 2026, 2:30 PM (UTC)', null, null],
      ['Data from Nov 23, 2026, 2:00 PM', null, null],
      ['Version 7', null, null],
      [null, null, null],
      ['Filter', 'Value', null],
      ['Region', '=1+1', null],
      [null, null, null],
      ['Sheet', 'Widget', 'Rows'],
      ['Top', 'Top', '1'],
      ['Top (2)', 'Top', 'Only the first 1 rows; the result has more'],
    ]);
  });

  test('keeps hostile texts as texts', async () => {
    const sheets = await sheetsOf(
      hostileTexts.map((title) => ({
        title,
        columns: [[title === '' ? 'empty' : title, 'text']] as const,
        rows: hostileTexts.map((text) => [text]),
      })),
    );
    assert.equal(sheets.size, hostileTexts.length + 1);
    const expected = hostileTexts.map((text) => text.replaceAll(unwritable, '').slice(0, 32_767) || null);
    for (const [name, rows] of [...sheets].slice(1)) {
      assert.ok(name.length <= 31 && !/[[\]:*?/\\]/.test(name), name);
      const cells = rows.slice(1).map(([cell]) => (typeof cell === 'string' ? normal(cell) : cell));
      assert.deepEqual(cells.length, rows.length - 1);
      for (const [index, cell] of cells.entries()) assert.equal(cell, normal(expected[index] ?? null), name);
    }
  });

  test('has all rows of large results', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => [index, `row ${index}`, null, '2026-01-01']);
    const columns = [
      ['n', 'integer'],
      ['s', 'text'],
      ['none', 'double'],
      ['d', 'date'],
    ] as const;
    const sheets = await sheetsOf([{ title: 'Large', columns, rows }]);
    assert.equal(sheets.get('Large')?.length, 50_001);
    assert.deepEqual(sheets.get('Large')?.at(-1), [
      49_999,
      'row 49999',
      null,
      new Date('2026-01-01T00:00:00Z'),
    ]);
  });
});

/** What XML can't contain, and control characters that programs don't show. */
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uD800\uFFFE\uFFFF]/g;

/** XML turns each kind of line break into one. */
const normal = (text: string | null): string | null =>
  text && text.replaceAll(/\r\n?|\uFFFD/g, (found) => (found === '\uFFFD' ? '' : '\n'));
