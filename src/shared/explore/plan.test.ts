import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { binsOf, cellAtEdge, cellOf, edgeAt, selectedEdge, type RangeAxis } from './axes.ts';
import { denseRange, numberAxis, timeAxis } from './plan.ts';

const finite = fc.oneof(
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => (Math.abs(value) < 1e-280 ? 0 : value)),
  fc.integer(),
  fc.integer({ min: -1_000, max: 1_000 }).map((cents) => cents / 100),
);

function assertUsable(axis: RangeAxis, values: readonly number[]): void {
  assert.equal(axis.count % axis.perBin, 0);
  assert.ok(Math.abs(axis.first % axis.perBin) === 0);
  assert.ok(axis.count >= 1 && axis.count <= 1_000, `${axis.count} cells`);
  assert.ok(axis.count / axis.perBin <= 64, `${axis.count / axis.perBin} bars`);
  const bins = binsOf(axis);
  for (const value of values) {
    const cell = cellOf(axis, value);
    assert.ok(cell >= 0 && cell < axis.count, `${value} is in cell ${cell} of ${axis.count}`);
    assert.ok(edgeAt(axis, cell) <= value && value < edgeAt(axis, cell + 1));
    assert.equal(cellOf(bins, value), Math.floor(cell / axis.perBin));
  }
}

describe('the axis of a column of numbers', () => {
  test('has every value in the cell between whose edges it lies', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), (values) => {
        const [min, max] = [Math.min(...values), Math.max(...values)];
        assertUsable(numberAxis('x', { min, max, isInteger: false }), values);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has values on edges in the cell that starts there, also for tenths and cents', () => {
    const axis = numberAxis('x', { min: 0, max: 2, isInteger: false });
    assert.deepEqual(axis, {
      kind: 'number',
      column: 'x',
      times: 1,
      per: 100,
      first: 0,
      count: 210,
      perBin: 10,
    });
    for (let cents = 0; cents < 200; cents += 1) {
      assert.equal(cellOf(axis, cents / 100), cents);
      assert.equal(cellAtEdge(axis, selectedEdge(axis, cents)), cents);
    }
    const outside = [null, -0.01, 2.1, NaN, Infinity, -Infinity].map((value) => cellOf(axis, value));
    assert.deepEqual(outside, [212, 210, 211, 211, 211, 210]);
  });

  test('of whole numbers has a cell for each of a few', () => {
    const { times, per, first, count } = numberAxis('x', { min: 1, max: 9, isInteger: true });
    assert.deepEqual({ times, per, first, count }, { times: 1, per: 1, first: 1, count: 9 });
  });
});

describe('the axis of a column of times', () => {
  test('has every time in a cell, from seconds to centuries', () => {
    const seconds = fc.oneof(
      fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
      fc.integer({ min: 1_700_000_000, max: 1_700_100_000 }),
      fc.integer({ min: 1_700_000_000, max: 1_740_000_000 }),
    );
    fc.assert(
      fc.property(
        fc.array(seconds, { minLength: 1 }),
        fc.constantFrom('date', 'datetime'),
        (values, type) => {
          const [min, max] = [Math.min(...values), Math.max(...values)];
          const axis = timeAxis('x', { min, max, type });
          assertUsable(
            axis,
            values.map((value) => (axis.unit === 'month' ? monthOf(value) : value)),
          );
          for (const cell of [0, axis.count]) assert.equal(cellAtEdge(axis, selectedEdge(axis, cell)), cell);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('has edges that people would choose', () => {
    const at = (text: string) => Date.parse(`${text}Z`) / 1000;
    const edges = (from: string, to: string, type: 'date' | 'datetime') => {
      const axis = timeAxis('x', { min: at(from), max: at(to), type });
      return [selectedEdge(axis, 0), selectedEdge(axis, axis.perBin), selectedEdge(axis, axis.count)];
    };
    assert.deepEqual(edges('2026-01-03T00:00', '2026-01-20T00:00', 'date'), [
      '2026-01-03',
      '2026-01-04',
      '2026-01-21',
    ]);
    assert.deepEqual(edges('2024-02-10T00:00', '2026-01-20T00:00', 'date'), [
      '2024-02-01',
      '2024-03-01',
      '2026-02-01',
    ]);
    assert.deepEqual(edges('2026-01-03T10:20', '2026-01-03T18:00', 'datetime'), [
      '2026-01-03T10:00:00',
      '2026-01-03T10:30:00',
      '2026-01-03T18:30:00',
    ]);
  });
});

const monthOf = (seconds: number): number => {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

test('a range is dense if a few extreme values stretch it', () => {
  const counts = Array.from({ length: 200 }, () => 0);
  counts[3] = 1_000;
  counts[4] = 500;
  counts[199] = 1;
  assert.deepEqual(denseRange(counts), { from: 3, to: 4 });
  assert.equal(denseRange(counts.fill(10)), undefined);
  assert.equal(denseRange(counts.fill(0)), undefined);
});
