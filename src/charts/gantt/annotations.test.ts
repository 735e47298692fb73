import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightTheme as theme } from '../drawing/palette.ts';
import { seriesOf } from '../drawing/parts.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import { withAnnotations } from '../time/annotations.ts';
import { ganttChart } from './option.ts';

const columns = ['task', 'from', 'to'].map((name) => ({
  name,
  type: name === 'task' ? ('text' as const) : ('date' as const),
  sourceType: '',
}));
const rows = [
  ['Design', '2026-01-01', '2026-01-10'],
  ['Build', '2026-01-08', '2026-01-31'],
];
const annotations = [
  { key: 'a', from: '2026-01-09', text: 'Review' },
  { key: 'b', from: '2026-01-20', to: '2026-01-22', text: 'Holidays' },
  { key: 'c', from: '2027-01-01', text: 'Later' },
];

test('a Gantt chart has annotations, which are in the tooltips of the bars that they are within', () => {
  const plain = ganttChart(
    { kind: 'gantt', label: 'task', start: 'from', end: 'to', hasToday: false },
    { columns, rows },
    theme,
    createValueColors(),
  );
  const chart = withAnnotations(plain, annotations, theme);
  const { markLine } = seriesOf(chart).at(-1) as { markLine: { data: readonly { xAxis: number }[] } };
  assert.deepEqual(
    markLine.data.map(({ xAxis }) => new Date(xAxis).toISOString().slice(0, 10)),
    ['2026-01-09', '2026-01-20'],
  );
  const labelsAt = (dataIndex: number) =>
    chart.tooltip?.contentOf([{ seriesIndex: 0, dataIndex }])?.lines.map(({ label }) => label);
  assert.deepEqual(labelsAt(0), ['Review', 'from', 'to']);
  assert.deepEqual(labelsAt(1), ['Review', 'Holidays', 'from', 'to']);
  assert.match(chart.descriptions?.join() ?? '', /Review.*Holidays/);
  assert.equal(chart.time, undefined, 'its parts are no points of time');
});

test('a Gantt chart over numbers has no annotations', () => {
  const numbers = columns.map((column) =>
    column.name === 'task' ? column : { ...column, type: 'integer' as const },
  );
  const chart = ganttChart(
    { kind: 'gantt', label: 'task', start: 'from', end: 'to' },
    { columns: numbers, rows: [['A', 1, 2]] },
    theme,
    createValueColors(),
  );
  assert.equal(withAnnotations(chart, annotations, theme), chart);
});
