import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import { searchValueOf, valuesFromSearch } from './search.ts';

const parameters: readonly ReportParameter[] = [
  { name: 'region', type: 'text' },
  { name: 'year', type: 'number' },
  { name: 'isOpen', type: 'boolean' },
  { name: 'kinds', type: 'list' },
  { name: 'since', type: 'date' },
];

test('values in the URL are read in the types of their parameters', () => {
  assert.deepEqual(
    valuesFromSearch(parameters, { region: '007', year: '2026', isOpen: 'false', kinds: 'a', other: 'x' }),
    { region: '007', year: 2026, isOpen: false, kinds: ['a'] },
  );
  assert.deepEqual(valuesFromSearch(parameters, { region: '', kinds: ['', ''], year: '' }), {
    region: null,
    kinds: null,
    year: null,
  });
});

test('a value of another type is kept, so that the server reports it', () => {
  assert.deepEqual(valuesFromSearch(parameters, { year: 'x', isOpen: 'maybe', region: ['a', 'b'] }), {
    year: 'x',
    isOpen: 'maybe',
    region: 'b',
  });
});

test('a value survives being written to the URL and read again', () => {
  const values: Readonly<Record<string, ParameterValue>> = {
    region: 'a b',
    year: 1.5,
    isOpen: true,
    kinds: ['x', 'y'],
    since: null,
  };
  const search = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, searchValueOf(value)]),
  );
  assert.deepEqual(valuesFromSearch(parameters, search), values);
});
