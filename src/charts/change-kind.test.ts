import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ColumnType } from '#shared/columns.ts';
import { changeKind } from './change-kind.ts';
import { kindNames } from './kinds.ts';

const column = (name: string, type: ColumnType) => ({ name, type, sourceType: type });
const columns = [
  column('day', 'date'),
  column('city', 'text'),
  column('sum', 'decimal'),
  column('n', 'integer'),
];

test('another kind keeps the settings that both have in common', () => {
  const kept = {
    title: 'Sales',
    x: 'day',
    series: [{ field: 'n', label: 'Sold', color: '2' }],
    splitBy: 'city',
    yAxis: { title: 'pieces' },
  };
  const line = { ...kept, kind: 'line', isSmooth: true } as const;
  assert.deepEqual(changeKind(line, 'bar', columns), { ...kept, kind: 'bar' });
  const pie = changeKind(line, 'pie', columns);
  assert.deepEqual(pie, { kind: 'pie', title: 'Sales', category: 'day', value: 'n' });
  assert.deepEqual(changeKind(line, 'heatMap', columns), {
    kind: 'heatMap',
    title: 'Sales',
    x: 'day',
    y: 'city',
    value: 'n',
  });
  assert.deepEqual(pie && changeKind(pie, 'area', columns), {
    kind: 'area',
    title: 'Sales',
    x: 'day',
    series: [{ field: 'n' }],
  });
});

test('a table with suitable columns can be changed to every kind', () => {
  for (const kind of kindNames) assert.equal(changeKind({ kind: 'table' }, kind, columns)?.kind, kind);
  const expected: readonly Visualization[] = [
    { kind: 'table' },
    { kind: 'pivot', rows: ['day'], columns: ['city'], values: [{ field: 'sum', aggregate: 'sum' }] },
    { kind: 'number', value: 'sum' },
    { kind: 'bar', x: 'day', series: [{ field: 'sum' }] },
    { kind: 'line', x: 'day', series: [{ field: 'sum' }] },
    { kind: 'area', x: 'day', series: [{ field: 'sum' }] },
    {
      kind: 'combo',
      x: 'day',
      series: [{ field: 'sum' }, { field: 'n', axis: 'right', shape: 'line' }],
    },
    { kind: 'pie', category: 'day', value: 'sum' },
    { kind: 'scatter', x: 'day', y: 'sum' },
    { kind: 'heatMap', x: 'day', y: 'city', value: 'sum' },
    { kind: 'histogram', value: 'sum' },
    { kind: 'gauge', value: 'sum' },
    { kind: 'boxPlot', category: 'day', value: 'sum' },
    { kind: 'calendar', date: 'day', value: 'sum' },
    { kind: 'treemap', category: 'day', value: 'sum' },
    { kind: 'funnel', category: 'day', value: 'sum' },
    { kind: 'waterfall', category: 'day', value: 'sum' },
    { kind: 'sankey', source: 'day', target: 'city', value: 'sum' },
    { kind: 'gantt', label: 'day', start: 'sum', end: 'n' },
    { kind: 'map', region: 'day', value: 'sum' },
    { kind: 'text', text: '{{sum}}' },
  ];
  for (const visualization of expected) {
    assert.deepEqual(changeKind({ kind: 'table' }, visualization.kind, columns), visualization);
  }
});

test('a combo chart keeps its series as bars and lines, and loses their shapes as another kind', () => {
  const bar = {
    kind: 'bar',
    x: 'day',
    series: [{ field: 'sum' }, { field: 'n' }],
    stacking: 'percent',
  } as const;
  const combo = changeKind({ ...bar, series: [...bar.series] }, 'combo', columns);
  const lines = { field: 'n', axis: 'right', shape: 'line' } as const;
  assert.deepEqual(combo, { kind: 'combo', x: 'day', series: [{ field: 'sum' }, lines] });
  assert.deepEqual(combo && changeKind(combo, 'line', columns), {
    kind: 'line',
    x: 'day',
    series: [{ field: 'sum' }, { field: 'n', axis: 'right' }],
  });
});

test('kinds without suitable columns are undefined', () => {
  const made = kindNames.map((kind) => changeKind({ kind: 'table' }, kind, [column('city', 'text')])?.kind);
  assert.deepEqual(
    made.filter((kind) => kind !== undefined),
    ['table', 'text'],
  );
});
