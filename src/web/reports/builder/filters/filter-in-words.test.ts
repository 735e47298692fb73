import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '#shared/query-builder/structure.ts';
import { filterInWords } from './filter-in-words.ts';

const column = { name: 'region' };

test('a filter reads as a sentence', () => {
  const cases: [Filter, string][] = [
    [{ column, operator: 'is', values: [] }, 'region is any of …'],
    [{ column, operator: 'is', values: ['north', 'south'] }, 'region is north or south'],
    [{ column, operator: 'is_not', values: ['a', 'b', 'c', 'd', 'e'] }, 'region is not a, b, c, or 2 more'],
    [{ column, operator: 'is', values: [true] }, 'region is yes'],
    [{ column, operator: 'starts_with', text: 'no' }, 'region starts with “no”'],
    [{ column, operator: 'between', from: 0 }, 'region is from 0'],
    [{ column, operator: 'between', to: 9 }, 'region is up to 9'],
    [{ column, operator: 'between', from: 1, to: 9 }, 'region is from 1 to 9'],
    [
      { column, operator: 'between', from: 1, to: 9, isEndExcluded: true },
      'region is from 1 to 9, without 9',
    ],
    [{ column, operator: 'between' }, 'region is …'],
    [
      {
        column: { table: 'orders', name: 'day' },
        operator: 'relative',
        direction: 'last',
        count: 1,
        unit: 'year',
      },
      'orders day is last year',
    ],
    [
      { column, operator: 'relative', direction: 'next', count: 2, unit: 'week', includesCurrent: true },
      'region is in the next 2 weeks or this week',
    ],
    [{ column, operator: 'relative', direction: 'this', count: 1, unit: 'hour' }, 'region is this hour'],
    [
      { column, operator: 'relative', direction: 'last', count: 7, unit: 'day' },
      'region is in the last 7 days',
    ],
    [
      { column, operator: 'relative', direction: 'last', count: 1, unit: 'day', includesCurrent: true },
      'region is yesterday or today',
    ],
    [{ column, operator: 'is_empty' }, 'region is empty'],
    [{ formula: '[a] > 1' }, '[a] > 1'],
    [
      {
        any: [
          [
            { column, operator: 'is', values: ['north'] },
            { column, operator: 'is_not_empty' },
          ],
          [{ column, operator: 'is_empty' }],
        ],
      },
      'region is north and region is not empty or region is empty',
    ],
  ];
  for (const [filter, words] of cases) assert.equal(filterInWords(filter), words);
});
