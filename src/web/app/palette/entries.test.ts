import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupEntries, matchingEntries, type PaletteEntry } from './entries.ts';

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
  ['ign', []],
  ['-', ['Single sign-on', 'Sign out', 'Éditer', 'Members']],
] as const) {
  test(`“${search}” finds ${labels.length} entries`, () => {
    assert.deepEqual(
      matchingEntries(entries, search).map(({ label }) => label),
      labels,
    );
  });
}

test('groups come in the order of their first entries', () => {
  assert.deepEqual(
    groupEntries(entries).map(({ group, entries }) => [group, entries.map(({ label }) => label)]),
    [
      ['Pages', ['Single sign-on', 'Members']],
      ['Actions', ['Sign out', 'Éditer']],
    ],
  );
});
