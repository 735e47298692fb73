import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { withLabels } from './labels.ts';

const columns = ['day', 'amount', 'other'].map((name) => ({
  name,
  type: 'double' as const,
  sourceType: 'DOUBLE',
}));
const date: ValueFormat = { kind: 'date' };
const euro: ValueFormat = { kind: 'currency', currency: 'EUR' };
const labels = [
  { column: 'day', displayName: 'Day of sale', format: date },
  { column: 'amount', displayName: 'Amount paid', format: euro },
];

const cases: readonly (readonly [Visualization, Visualization])[] = [
  [
    { kind: 'table' },
    {
      kind: 'table',
      columns: [
        { field: 'day', label: 'Day of sale', format: date },
        { field: 'amount', label: 'Amount paid', format: euro },
        { field: 'other' },
      ],
    },
  ],
  [
    { kind: 'table', columns: [{ field: 'amount', label: 'Own', format: { kind: 'text' } }] },
    { kind: 'table', columns: [{ field: 'amount', label: 'Own', format: { kind: 'text' } }] },
  ],
  [
    { kind: 'bar', x: 'day', series: [{ field: 'amount' }, { field: 'other' }], xAxis: { title: 'Own' } },
    {
      kind: 'bar',
      x: 'day',
      series: [{ field: 'amount', label: 'Amount paid', format: euro }, { field: 'other' }],
      xAxis: { title: 'Own', format: date },
    },
  ],
  [
    { kind: 'scatter', x: 'day', y: 'amount' },
    {
      kind: 'scatter',
      x: 'day',
      y: 'amount',
      xAxis: { title: 'Day of sale', format: date },
      yAxis: { title: 'Amount paid', format: euro },
    },
  ],
  [
    { kind: 'heatMap', x: 'day', y: 'other', value: 'amount' },
    {
      kind: 'heatMap',
      x: 'day',
      y: 'other',
      value: 'amount',
      format: euro,
      xAxis: { title: 'Day of sale', format: date },
      yAxis: {},
    },
  ],
  [
    { kind: 'histogram', value: 'amount' },
    { kind: 'histogram', value: 'amount', xAxis: { title: 'Amount paid', format: euro } },
  ],
  [
    { kind: 'number', value: 'amount', comparison: { field: 'amount' } },
    { kind: 'number', value: 'amount', format: euro, comparison: { field: 'amount', label: 'Amount paid' } },
  ],
  [
    { kind: 'pie', category: 'day', value: 'amount', format: { kind: 'number' } },
    { kind: 'pie', category: 'day', value: 'amount', format: { kind: 'number' } },
  ],
  [
    { kind: 'text', text: '{{amount}}' },
    { kind: 'text', text: '{{amount}}' },
  ],
];

for (const [given, expected] of cases) {
  test(`a ${given.kind} has the names and formats of its columns, except its own`, () => {
    assert.deepEqual(withLabels(given, { columns, labels }), expected);
    assert.equal(withLabels(given, { columns }), given);
  });
}
