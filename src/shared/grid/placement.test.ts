import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';
import { overlap, type Layout } from './layout.ts';
import { placeWidgets } from './placement.ts';

/** The first free slot, found by trying every cell: slow, but simple. */
function firstFreeSlot(taken: readonly Layout[]): Layout {
  for (let y = 0; ; y += 1) {
    for (let x = 0; x <= 6; x += 1) {
      const slot = { x, y, w: 6, h: 4 };
      if (!taken.some((layout) => overlap(slot, layout))) return slot;
    }
  }
}

const layout = fc.record({
  x: fc.integer({ min: -4, max: 14 }),
  y: fc.integer({ min: -4, max: 20 }),
  w: fc.integer({ min: -1, max: 14 }),
  h: fc.integer({ min: -1, max: 9 }),
});

describe('widget placement', () => {
  test('fills an empty grid by rows of two', () => {
    assert.deepEqual(placeWidgets([undefined, undefined, undefined]), [
      { x: 0, y: 0, w: 6, h: 4 },
      { x: 6, y: 0, w: 6, h: 4 },
      { x: 0, y: 4, w: 6, h: 4 },
    ]);
  });

  test('puts a new widget beside the others if there is space, or below them', () => {
    const at = (x: number, y: number, w: number, h: number): Layout => ({ x, y, w, h });
    const place = (...layouts: Layout[]) => placeWidgets([...layouts, undefined]).at(-1);
    assert.deepEqual(place(), at(0, 0, 6, 4));
    assert.deepEqual(place(at(0, 0, 6, 8)), at(6, 0, 6, 4));
    assert.deepEqual(place(at(0, 0, 6, 8), at(6, 0, 6, 4)), at(6, 4, 6, 4));
    assert.deepEqual(place(at(0, 0, 12, 1_000_000)), at(0, 1_000_000, 6, 4));
  });

  test('keeps given layouts, and gives each other widget the first free slot', () => {
    fc.assert(
      fc.property(fc.array(fc.option(layout, { nil: undefined }), { maxLength: 12 }), (layouts) => {
        const taken = layouts.filter((given) => given !== undefined);
        const expected = layouts.map((given) => {
          if (given !== undefined) return given;
          const slot = firstFreeSlot(taken);
          taken.push(slot);
          return slot;
        });
        assert.deepEqual(placeWidgets(layouts), expected);
      }),
      { numRuns: 500 },
    );
  });

  test('stays fast with tall, distant or many obstacles', () => {
    const many = 25_000;
    const cpuMs = watchCpuTime();
    const placed = placeWidgets([
      ...Array.from({ length: many }, (_, index) => ({ x: index % 7, y: index, w: 6, h: 1e15 })),
      ...Array.from({ length: many }, (_, index) => ({ x: 6, y: index * 2, w: 1, h: 1 })),
      ...Array.from({ length: many }, () => undefined),
      { x: 0, y: Number.MAX_SAFE_INTEGER, w: 12, h: 1 },
    ]);
    assert.equal(placed.length, 3 * many + 1);
    assert.ok(cpuMs() < 1_000, `${cpuMs()} ms`);
  });
});
