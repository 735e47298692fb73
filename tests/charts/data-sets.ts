import type { ColumnType } from '#shared/columns.ts';
import type { ResultRows } from '#charts/values/result-values.ts';

/** The columns of every data set. */
const columns = {
  day: 'date',
  city: 'text',
  product: 'text',
  amount: 'decimal',
  count: 'integer',
  rate: 'double',
  country: 'text',
  latitude: 'double',
  longitude: 'double',
} as const satisfies Readonly<Record<string, ColumnType>>;

type Row = Readonly<Record<keyof typeof columns, unknown>>;

const resultOf = (rows: readonly Row[]): ResultRows => ({
  columns: Object.entries(columns).map(([name, type]) => ({ name, type, sourceType: type })),
  // Sound because `columns` is an object literal with exactly these members.
  rows: rows.map((row) => (Object.keys(columns) as (keyof Row)[]).map((name) => row[name])),
});

const dayAt = (index: number): string =>
  new Date(Date.UTC(1900, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);

const cities = ['Bonn', 'Ulm', 'Kiel', 'Jena'];
const countries = ['Germany', 'FRA', 'us', 'Malta'];
const products = ['Tea', 'Coffee', 'Cocoa'];

/** Returns a row with a day of its own, and the same values every time. */
const rowAt = (index: number): Row => ({
  day: dayAt(index),
  city: cities[index % 4],
  product: products[Math.floor(index / 4) % 3],
  amount: `${(index * 37) % 1_000}.25`,
  count: (index * 13) % 97,
  rate: ((index * 7) % 11) / 10,
  country: countries[index % 4],
  latitude: ((index * 29) % 140) - 70,
  longitude: ((index * 53) % 360) - 180,
});

const rowsOf = (length: number, change: (row: Row, index: number) => Row = (row) => row): ResultRows =>
  resultOf(Array.from({ length }, (_, index) => change(rowAt(index), index)));

const hebrew = ['שלום', 'عالم', '\u202Eabc', 'בון (1)'];

/** What every kind of chart has to show, by name. */
export const dataSets: Readonly<Record<string, ResultRows>> = {
  ordinary: rowsOf(24),
  empty: rowsOf(0),
  'one row': rowsOf(1),
  negative: rowsOf(24, (row, index) => ({
    ...row,
    amount: `-${index}.5`,
    count: -index,
    rate: -index / 7,
    latitude: -index,
    longitude: -index,
  })),
  huge: rowsOf(24, (row, index) => ({
    ...row,
    amount: `${index + 1}${'9'.repeat(60)}`,
    count: Number.MAX_SAFE_INTEGER - index,
    rate: (index % 2 === 0 ? 1e250 : 1e-250) * (index + 1),
    latitude: 1e200 * index,
  })),
  'null-heavy': rowsOf(24, (row, index) =>
    index % 4 === 0
      ? row
      : {
          day: index % 3 === 0 ? null : row.day,
          city: index % 2 === 0 ? null : row.city,
          product: null,
          amount: null,
          count: index % 5 === 0 ? row.count : null,
          rate: null,
          country: index % 2 === 0 ? null : 'Atlantis',
          latitude: null,
          longitude: row.longitude,
        },
  ),
  'right-to-left': rowsOf(24, (row, index) => ({
    ...row,
    city: hebrew[index % 4],
    product: hebrew[Math.floor(index / 4) % 3],
    country: ['גרמניה', 'فرنسا', '\u202Eus', 'Malta'][index % 4],
  })),
  '50,000 rows': rowsOf(50_000),
};
