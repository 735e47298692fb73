import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { binsOf, cellCount, cellOf, edgeAt, type RangeAxis, type ValuesAxis } from '#shared/explore/axes.ts';
import { numberAxis } from '#shared/explore/plan.ts';
import { selectedCells, selectionOfCells } from './cells.ts';
import { createCube } from './cube.ts';

const value = fc.option(
  fc.oneof(
    fc.integer({ min: -50, max: 50 }).map((tenths) => tenths / 10),
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  ),
);
const text = fc.constantFrom('a', 'b', 'other', null);
const rows = fc.array(fc.tuple(value, value, text), { maxLength: 200 });

const texts: ValuesAxis = { kind: 'values', column: 'text', values: ['a', 'b'] };
const cellOfText = (one: string | null) => (one === null ? 3 : one === 'a' ? 0 : one === 'b' ? 1 : 2);

function axisOf(column: string, values: readonly (number | null)[]): RangeAxis {
  const numbers = values.filter((one) => one !== null);
  const [min, max] = numbers.length === 0 ? [0, 0] : [Math.min(...numbers), Math.max(...numbers)];
  return numberAxis(column, { min, max, isInteger: false });
}

/** Returns the cells of pairs as the server sends them. */
function pairsOf(pairs: readonly (readonly [number, number])[], width: number) {
  const counted = new Map<number, number>();
  for (const [active, cell] of pairs)
    counted.set(active * width + cell, (counted.get(active * width + cell) ?? 0) + 1);
  return { cells: [...counted.keys()], counts: [...counted.values()] };
}

function tally(width: number, cells: readonly number[]): number[] {
  const counts = Array.from({ length: width }, () => 0);
  for (const cell of cells) counts[cell] = (counts[cell] ?? 0) + 1;
  return counts;
}

describe('the index of a pair of charts', () => {
  test('counts, for each range, the rows that a filter finds', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(), (data, start, length) => {
        const active = axisOf(
          'x',
          data.map(([x]) => x),
        );
        const chart = binsOf(
          axisOf(
            'y',
            data.map(([, y]) => y),
          ),
        );
        const width = cellCount(chart);
        const pairs = data.map(([x, y]) => [cellOf(active, x), cellOf(chart, y)] as const);
        const cube = createCube(active, width, pairsOf(pairs, width));
        const from = start % active.count;
        const to = from + 1 + (length % (active.count - from));
        const counts = new Float64Array(width);
        const selection = selectionOfCells(active, { from, to });
        cube.count(selectedCells(active, selection), counts);
        const [low, high] = [edgeAt(active, from), edgeAt(active, to)];
        const found = data.filter(([x]) => x !== null && x >= low && x < high);
        assert.deepEqual(
          [...counts],
          tally(
            width,
            found.map(([, y]) => cellOf(chart, y)),
          ),
        );
        cube.count(undefined, counts);
        assert.deepEqual(
          [...counts],
          tally(
            width,
            data.map(([, y]) => cellOf(chart, y)),
          ),
        );
      }),
    );
  });

  test('counts, for chosen values, the rows that have one of them', () => {
    fc.assert(
      fc.property(rows, fc.subarray(['a', 'b', null]), (data, chosen) => {
        const chart = binsOf(
          axisOf(
            'y',
            data.map(([, y]) => y),
          ),
        );
        const width = cellCount(chart);
        const pairs = data.map(([, y, of]) => [cellOfText(of), cellOf(chart, y)] as const);
        const cube = createCube(texts, width, pairsOf(pairs, width));
        const counts = new Float64Array(width);
        cube.count(selectedCells(texts, { kind: 'values', column: 'text', values: chosen }), counts);
        const found = data.filter(([, , of]) => chosen.includes(of));
        assert.deepEqual(
          [...counts],
          tally(
            width,
            found.map(([, y]) => cellOf(chart, y)),
          ),
        );
      }),
    );
  });

  test('holds counts of any size', () => {
    const cube = createCube(texts, 1, { cells: [0, 1, 3], counts: [2 ** 40, 2 ** 50, 1] });
    const counts = new Float64Array(1);
    cube.count(undefined, counts);
    assert.equal(counts[0], 2 ** 40 + 2 ** 50 + 1);
  });
});
