import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPathNames } from './paths.ts';

test('every name that people type becomes one that every system can unpack', () => {
  const names: Record<string, string> = {
    'Orders by region': 'Orders by region.csv',
    'Umsätze 😀 売上 продажи': 'Umsätze 😀 売上 продажи.csv',
    '../../etc/passwd': '-..-etc-passwd.csv',
    '..\\..\\windows': '-..-windows.csv',
    'C:\\x': 'C--x.csv',
    '/etc/cron': '-etc-cron.csv',
    'file:stream': 'file-stream.csv',
    'a\0b\nc\u202ed': 'a-b-c-d.csv',
    '\ud800': '�.csv',
    con: '_con.csv',
    'NUL.txt': '_NUL.txt.csv',
    'com1 ': '_com1.csv',
    LPT9: '_LPT9.csv',
    'com¹': '_com¹.csv',
    console: 'console.csv',
    '...': 'file.csv',
    '': 'file.csv',
    '.bashrc': 'bashrc.csv',
    ['ü'.repeat(300)]: `${'ü'.repeat(100)}.csv`,
    ['売'.repeat(300)]: `${'売'.repeat(66)}.csv`,
  };
  for (const [name, expected] of Object.entries(names))
    assert.equal(createPathNames()({ folder: 'tables', name, ending: 'csv' }), `tables/${expected}`);
});

test('names that are the same on some system get numbers, in each folder', () => {
  const nameOf = createPathNames();
  const named = (name: string, folder = 'tables'): string => nameOf({ folder, name, ending: 'csv' });
  assert.deepEqual(
    ['Sales', 'sales', 'SALES', 'sales (2)', 'u\u0308', 'ü', 'Ü', 'ﬁn', 'fin', 'a/b', 'a\\b'].map((name) =>
      named(name),
    ),
    [
      'tables/Sales.csv',
      'tables/sales (2).csv',
      'tables/SALES (3).csv',
      'tables/sales (2) (2).csv',
      'tables/ü.csv',
      'tables/ü (2).csv',
      'tables/Ü (3).csv',
      'tables/ﬁn.csv',
      'tables/fin (2).csv',
      'tables/a-b.csv',
      'tables/a-b (2).csv',
    ],
  );
  assert.equal(named('Sales', 'other'), 'other/Sales.csv');
});

test('a folder is never what a person typed', () => {
  for (const folder of ['..', 'a/../b', '/a', 'a/', 'a\\b', 'Ä'])
    assert.throws(() => createPathNames()({ folder, name: 'a', ending: 'csv' }), /is not a folder/);
  assert.throws(() => createPathNames()({ name: 'a', ending: '../b' }), /is not an ending/);
});
