import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupEntries, matchingEntries, rankEntries, type PaletteEntry } from './entries.ts';

const entry = (label: string, group: PaletteEntry['group'] = 'Pages', keywords?: string): PaletteEntry => ({
  id: label,
  group,
  label,
  ...(keywords !== undefined && { keywords }),
  icon: () => null,
  run: () => {},
});

const entries = [
  entry('Single sign-on', 'Pages', 'SSO Entra'),
  entry('Sign out', 'Actions'),
  entry('Éditer', 'Actions'),
  entry('Members'),
];

for (const [search, labels] of [
  ['', ['Single sign-on', 'Sign out', 'Éditer', 'Members']],
  ['sign', ['Single sign-on', 'Sign out']],
  ['SI on', ['Single sign-on']],
  ['entra', ['Single sign-on']],
  ['edit', ['Éditer']],
  ['ign', ['Single sign-on', 'Sign out']],
  ['ntra', []],
  ['-', ['Single sign-on', 'Sign out', 'Éditer', 'Members']],
] as const) {
  test(`“${search}” finds ${labels.length} entries`, () => {
    assert.deepEqual(
      matchingEntries(entries, search).map(({ label }) => label),
      labels,
    );
  });
}

test('a whole name comes before its start, the start of a word, any other part of the name, and other fields', () => {
  const found = [
    entry('Delays by airline', 'Reports'),
    entry('Upload data', 'Actions', 'sales file'),
    entry('Wholesales', 'Reports'),
    entry('All sales', 'Dashboards'),
    entry('Sales by region', 'Dashboards'),
    entry('Sales', 'Reports'),
  ];
  assert.deepEqual(
    rankEntries(found, 'Sales').map(({ label }) => label),
    ['Sales', 'Sales by region', 'All sales', 'Wholesales', 'Upload data', 'Delays by airline'],
  );
});

test('groups come in the order of their first entries', () => {
  assert.deepEqual(
    groupEntries(entries).map(({ group, entries }) => [group, entries.map(({ label }) => label)]),
    [
      ['Pages', ['Single sign-on', 'Members']],
      ['Actions', ['Sign out', 'Éditer']],
    ],
  );
});
