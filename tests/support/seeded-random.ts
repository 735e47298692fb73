/** A source of numbers that repeats for the same seed, so that a failed run can be repeated. */
export interface SeededRandom {
  /** Returns an integer from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  /** Returns one of `items`, which must not be empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** Returns a JSON object of any shape, as it could be in a widget's `config`. */
  config(): Record<string, unknown>;
}

const letters = Array.from(`aZ0 /'<éß漢\u{1F600}\u2028"\\\n\u0001`);

/** Returns a source after Mulberry32: 32 bits of state, which is enough for tests, but not for secrets. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (from: number, to: number): number => from + Math.floor(fraction() * (to - from + 1));
  // Sound because the index is within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[integer(0, items.length - 1)] as Item;
  const text = (maxLength: number): string =>
    Array.from({ length: integer(0, maxLength) }, () => pick(letters)).join('');

  function value(depth: number): unknown {
    const kinds = ['text', 'number', 'integer', 'boolean', 'null', 'list', 'object'] as const;
    switch (depth === 0 ? pick(['text', 'number', 'boolean', 'null']) : pick(kinds)) {
      case 'text':
        return text(20);
      case 'number':
        return (fraction() - 0.5) * 10 ** integer(-20, 20);
      case 'integer':
        return integer(-1_000_000, 1_000_000);
      case 'boolean':
        return fraction() < 0.5;
      case 'null':
        return null;
      case 'list':
        return Array.from({ length: integer(0, 4) }, () => value(depth - 1));
      case 'object':
        return object(depth - 1);
    }
  }

  const object = (depth: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: integer(0, 4) }, () => [text(8), value(depth)]));

  return {
    integer,
    pick,
    // One in twenty is long, so that it takes many pages of the database.
    config: () => (integer(1, 20) > 1 ? object(3) : { ...object(3), notes: text(40_000) }),
  };
}

/** Returns the seed of `ATRIUM_TEST_SEED`, or a new one. */
export const chosenSeed = (): number =>
  Number(process.env['ATRIUM_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
