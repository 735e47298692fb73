import fc from 'fast-check';
import type { ColumnType } from '../../../src/shared/columns.ts';
import type { QueriedTable } from '../../../src/shared/query-builder/structure.ts';

export type Value = null | number | string | boolean;
export type Row = ReadonlyMap<string, Value>;

/** A table of the tests: what a structure says of it, and its rows. */
export interface TestTable extends QueriedTable {
  readonly rows: readonly Row[];
}

export const strangeTexts = [
  '',
  'a',
  'A',
  'b%',
  'b_',
  "it's",
  '"quoted"',
  '{{region}}',
  '$1',
  'back\\slash',
  "'; DROP TABLE t0; --",
  'é 漢 😀',
  '/* x */ -- y',
  'two\nlines',
];

const day = fc
  .oneof(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -900, max: 900 }))
  .map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
/** Around the changes to and from summer time in Berlin and New York, at any time of the year, and on midnight. */
const instant = fc
  .oneof(
    fc
      .tuple(
        fc.constantFrom(
          '2026-03-29T01:00:00Z',
          '2026-10-25T01:00:00Z',
          '2026-03-08T07:00:00Z',
          '2026-11-01T06:00:00Z',
        ),
        fc.integer({ min: -300, max: 300 }),
      )
      .map(([change, minutes]) => new Date(Date.parse(change) + minutes * 60_000)),
    fc
      .tuple(day, fc.integer({ min: 0, max: 86_399 }))
      .map(([date, seconds]) => new Date(Date.parse(date) + seconds * 1_000)),
    day.map((date) => new Date(date)),
  )
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);

const eighths = fc.integer({ min: -40, max: 40 }).map((eighth) => eighth / 8);
export const strangeName = 'Größe "x" {{y}} $1';

interface TestColumn {
  readonly type: ColumnType;
  readonly sqlType: string;
  readonly values: fc.Arbitrary<Value>;
}

const columns = {
  id: { type: 'integer', sqlType: 'BIGINT', values: fc.integer({ min: -20, max: 20 }) },
  quantity: { type: 'integer', sqlType: 'INTEGER', values: fc.integer({ min: -9, max: 9 }) },
  price: {
    type: 'decimal',
    sqlType: 'DECIMAL(10, 2)',
    values: fc.integer({ min: -500, max: 500 }).map((cents) => cents / 100),
  },
  ratio: {
    type: 'double',
    sqlType: 'FLOAT8',
    values: fc.oneof({ weight: 9, arbitrary: eighths }, fc.constantFrom(-0, Number.NaN)),
  },
  region: { type: 'text', sqlType: 'VARCHAR', values: fc.constantFrom(...strangeTexts) },
  paid: { type: 'boolean', sqlType: 'BOOLEAN', values: fc.boolean() },
  day: { type: 'date', sqlType: 'DATE', values: day },
  at: { type: 'datetime', sqlType: 'TIMESTAMP', values: instant.map((text) => text.slice(0, -1)) },
  seen: { type: 'instant', sqlType: 'TIMESTAMPTZ', values: instant },
  [strangeName]: { type: 'integer', sqlType: 'INTEGER', values: fc.integer({ min: 0, max: 3 }) },
} satisfies Record<string, TestColumn>;

const rowOf = fc.record(
  Object.fromEntries(
    Object.entries<TestColumn>(columns).map(([name, { values }]) => [name, fc.option(values, { freq: 6 })]),
  ),
);

/** Returns tables with random rows, one without any, and `lookup`, whose rows belong to quantities. */
export function randomTables(seed: number, count: number): { tables: TestTable[]; lookup: TestTable } {
  const rowLists = fc.sample(fc.array(rowOf, { minLength: 5, maxLength: 40 }), { seed, numRuns: count });
  const described = Object.entries<TestColumn>(columns).map(([name, { type }]) => ({ name, type }));
  const tables = [[], ...rowLists].map((rows, index) => ({
    schema: '',
    name: `t${index}`,
    columns: described,
    rows: rows.map((row) => new Map(Object.entries(row))),
  }));
  const lookup = {
    schema: '',
    name: 'Lookup',
    columns: [
      { name: 'quantity', type: 'integer' },
      { name: 'label', type: 'text' },
    ] as const,
    // Two rows have the same quantity, and some quantities have none.
    rows: [1, 2, 2, 3, 4, -1, 0, null].map(
      (quantity, index) =>
        new Map<string, Value>([
          ['quantity', quantity],
          ['label', strangeTexts[index] ?? null],
        ]),
    ),
  };
  return { tables, lookup };
}

/** Returns the SELECT of the rows of a table, which both engines understand. */
export function selectOfRows({ columns: described, rows }: TestTable): string {
  const list = described.map(({ name }) => {
    const sqlType = new Map(Object.entries<TestColumn>(columns)).get(name)?.sqlType ?? 'VARCHAR';
    return { quoted: `"${name.replaceAll('"', '""')}"`, name, sqlType };
  });
  const selectOf = (row: Row): string =>
    `SELECT ${list.map(({ quoted, name, sqlType }) => `CAST(${literal(row.get(name) ?? null)} AS ${sqlType}) AS ${quoted}`).join(', ')}`;
  if (rows.length === 0) return `${selectOf(new Map())} WHERE false`;
  return rows.map(selectOf).join('\nUNION ALL\n');
}

const literal = (value: Value): string => {
  if (value === null) return 'NULL';
  return `'${(Object.is(value, -0) ? '-0' : String(value)).replaceAll("'", "''")}'`;
};
