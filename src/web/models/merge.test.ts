import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ModelContent } from './draft.ts';
import { mergeModels } from './merge.ts';

const base: ModelContent = {
  displayName: 'Sales',
  columns: [
    { name: 'amount', displayName: 'Amount' },
    { name: 'day', isHidden: true },
  ],
  measures: [{ name: 'Revenue', formula: 'sum([amount])' }],
};

test('changes of different parts are merged', () => {
  const mine: ModelContent = {
    ...base,
    columns: [{ name: 'amount', displayName: 'Amount', description: 'In euros' }],
  };
  const theirs: ModelContent = {
    displayName: 'All sales',
    columns: [
      { name: 'amount', displayName: 'Paid' },
      { name: 'day', isHidden: true },
    ],
    measures: [
      { name: 'Revenue', formula: 'sum([amount])' },
      { name: 'Count', formula: 'count()' },
    ],
  };
  const { conflicts, apply } = mergeModels(base, mine, theirs);
  assert.deepEqual(conflicts, []);
  assert.deepEqual(apply(new Map()), {
    displayName: 'All sales',
    columns: [{ name: 'amount', displayName: 'Paid', description: 'In euros' }],
    measures: theirs.measures,
  });
});

test('a part that both changed has the chosen side', () => {
  const mine: ModelContent = { ...base, measures: [{ name: 'Revenue', formula: 'sum([a])' }] };
  const theirs: ModelContent = { displayName: 'Sales', columns: base.columns ?? [] };
  const { conflicts, apply } = mergeModels(base, mine, theirs);
  assert.deepEqual(
    conflicts.map(({ key, title }) => [key, title]),
    [['["measures","Revenue"]', 'Measure “Revenue”']],
  );
  assert.deepEqual(apply(new Map()).measures, mine.measures);
  assert.deepEqual(apply(new Map([['["measures","Revenue"]', 'theirs']])), theirs);
});

const name = fc.constantFrom('a', 'b', '__proto__');
const model = fc.record(
  {
    displayName: fc.constantFrom('A', 'B'),
    primaryKey: fc.constantFrom(['a'], ['a', 'b']),
    columns: fc.uniqueArray(
      fc.record(
        { name, displayName: fc.constantFrom('A', 'B'), isHidden: fc.constant(true) },
        { requiredKeys: ['name', 'displayName'] },
      ),
      { selector: ({ name }) => name, minLength: 1 },
    ),
    measures: fc.uniqueArray(fc.record({ name, formula: fc.constantFrom('1', '2') }), {
      selector: ({ name }) => name,
      minLength: 1,
    }),
  },
  { requiredKeys: [] },
);

test('an edit is merged with the unchanged model into itself', () => {
  fc.assert(
    fc.property(model, model, (one, other) => {
      const sides = [
        [other, one],
        [other, other],
        [one, other],
      ] as const;
      for (const [mine, theirs] of sides) {
        const { conflicts, apply } = mergeModels(one, mine, theirs);
        assert.deepEqual(conflicts, []);
        assert.deepEqual(sorted(apply(new Map())), sorted(other));
      }
    }),
  );
});

/** The order of columns and measures is that of my side. */
const sorted = ({ columns = [], measures = [], ...rest }: ModelContent) => ({
  ...rest,
  columns: columns.map((column) => JSON.stringify(column, Object.keys(column).toSorted())).toSorted(),
  measures: measures.map((measure) => JSON.stringify(measure)).toSorted(),
});
