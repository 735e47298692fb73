import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chart } from './chart.ts';
import { markOfRow } from '../marks/mark.ts';
import { findNearest } from './parts.ts';

const chartOf = (stack?: string): Chart => ({
  option: {
    series: [
      {
        type: 'line',
        name: 'low',
        data: [
          [0, 10],
          [100, 20],
        ],
        ...(stack && { stack }),
      },
      {
        type: 'line',
        name: 'high',
        data: [
          [0, 60],
          [100, 30],
        ],
        ...(stack && { stack }),
      },
    ],
  },
  markAt: (seriesIndex, dataIndex) => markOfRow([], [], [seriesIndex, dataIndex]),
  notes: [],
});

/** Returns the series and the point that a click at a position finds; a pixel is one unit of each axis. */
const found = (x: number, y: number, chart = chartOf(), isHidden = (_: string) => false) => {
  const part = findNearest(chart, isHidden, (_, point) => point, { x, y });
  return part && [part.seriesIndex, part.dataIndex];
};

test('a click near a line finds its closest point', () => {
  assert.deepEqual(found(10, 15), [0, 0]);
  assert.deepEqual(found(10, 50), [1, 0]);
  assert.deepEqual(found(90, 28), [1, 1]);
});

test('a click far from all points finds none', () => {
  assert.equal(found(50, 30), undefined);
  assert.equal(found(0, 120), undefined);
});

test('a hidden line is not found', () => {
  assert.deepEqual(
    found(10, 50, chartOf(), (name) => name === 'high'),
    [0, 0],
  );
});

test('a stacked line is found where it is shown', () => {
  assert.deepEqual(found(0, 70, chartOf('all')), [1, 0]);
  assert.deepEqual(found(0, 20, chartOf('all')), [0, 0]);
});
