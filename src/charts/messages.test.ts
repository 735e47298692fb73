import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { compareNumber } from './values/comparison.ts';
import { summarize } from './summary.ts';
import { faultMessages, noRowsMessage } from './messages.ts';
import { fillText } from './text/fill-text.ts';
import { reachedThreshold } from './values/thresholds.ts';

const result = {
  columns: [
    { name: 'now', type: 'integer', sourceType: '' },
    { name: 'then', type: 'integer', sourceType: '' },
    { name: 'where', type: 'text', sourceType: '' },
  ],
  rows: [[120, 100, '{{now}} <b>']],
} as const;

test('a text is filled with the values of the first row, which are not filled again', () => {
  assert.equal(fillText('{{now}} at {{ where }}, {{nothing}}', result), '120 at {{now}} <b>, {{nothing}}');
  assert.equal(fillText('{{now}}', { ...result, rows: [] }), '–');
});

test('a number is compared as configured', () => {
  const compare = (comparison: object, rows: readonly (readonly unknown[])[] = result.rows) =>
    compareNumber(
      { kind: 'number', value: 'now', comparison: { field: 'then', ...comparison } },
      { ...result, rows },
    );
  assert.deepEqual(compare({ label: 'last year' }), {
    text: '20% more than last year',
    direction: 'more',
    isGood: true,
  });
  assert.deepEqual(compare({ showAs: 'difference', isLessBetter: true }), {
    text: '20 more than then',
    direction: 'more',
    isGood: false,
  });
  assert.deepEqual(compare({ showAs: 'value' })?.text, 'then: 100');
  assert.deepEqual(compare({}, [[1, 0]])?.text, 'then: 0');
  assert.deepEqual(compare({}, [[5, 5]])?.text, 'Same as then');
  assert.equal(compare({}, []), undefined);
});

test('a fault names the column that does not fit', () => {
  const visualization: Visualization = { kind: 'bar', x: 'day', series: [{ field: 'sum' }] };
  assert.deepEqual(
    faultMessages(visualization, [
      { pointer: '/series/0/field', code: 'column', message: 'is not one of the columns: “a”' },
      { pointer: '/none', code: 'other', message: 'is wrong' },
    ]),
    ['“sum” is not one of the columns: “a”.', 'none is wrong.'],
  );
});

test('a fault in a text keeps the name from its message', () => {
  const message = 'names {{b}}, which is not one of the columns: “a”';
  assert.deepEqual(
    faultMessages({ kind: 'text', text: 'Now {{b}}' }, [{ pointer: '/text', code: 'column', message }]),
    ['text names {{b}}, which is not one of the columns: “a”.'],
  );
});

test('a chart is summarized in a sentence', () => {
  assert.equal(
    summarize('Sales', { kind: 'pie', category: 'where', value: 'now' }, result),
    'Pie chart “Sales”: now by where. now from 120 to 120. 1 row.',
  );
});

test('the highest threshold that a value reaches applies', () => {
  const thresholds = [
    { from: 10, color: '2' },
    { from: 0, color: '1' },
  ];
  assert.deepEqual(
    [-1, 0, 10, undefined].map((value) => reachedThreshold(thresholds, value)?.color),
    [undefined, '1', '2', undefined],
  );
});

test('the message for no rows names the parameters without a value', () => {
  const parameters = [
    { name: 'airport', label: 'From airport' },
    { name: 'year', default: 2005 },
    { name: 'month', default: 1 },
  ];
  assert.equal(noRowsMessage(parameters, { airport: 'ORD' }), 'No rows');
  assert.equal(
    noRowsMessage(parameters, { month: null }),
    'No rows. No value is chosen for “From airport”, “month”.',
  );
});
