import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import { scanSql } from '../sql/scanner.ts';
import { dialects, type DialectName } from './dialects/dialects.ts';
import { generateQuery } from './generate.ts';
import type { QueryStructure } from './structure.ts';

const names = Object.keys(dialects) as DialectName[];

/** A structure that uses a text wherever people can enter one. */
const structureWith = (text: string, name: string): QueryStructure => ({
  table: {
    schema: name,
    name: `${name} table`,
    columns: [
      { name, type: 'text' },
      { name: `${name} amount`, type: 'double' },
    ],
  },
  joins: [
    {
      kind: 'left',
      table: { schema: name, name, columns: [{ name, type: 'text' }] },
      as: `${name} joined`,
      on: [{ left: { name }, right: name }],
    },
  ],
  customColumns: [
    {
      name: `${name} custom`,
      formula: `concat("${text.replaceAll('"', '""')}", [${name.replaceAll(']', ']]')}])`,
    },
  ],
  filters: [
    { column: { name }, operator: 'is', values: [text] },
    { column: { name: `${name} custom` }, operator: 'contains', text },
  ],
  groups: [{ column: { name: `${name} custom` }, name: `${name} group` }],
  measures: [
    {
      name: `${name} sum`,
      aggregate: 'sum',
      column: { name: `${name} amount` },
      comparison: 'share_of_total',
    },
  ],
  resultFilters: [{ column: { name: `${name} group` }, operator: 'is', values: [text] }],
});

/** Returns the code of a query without its strings and quoted names. */
function codeOf(structure: QueryStructure, dialect: DialectName): string {
  const generated = generateQuery(structure, dialect);
  assert.ok('query' in generated, JSON.stringify(generated));
  const { sql } = generated.query;
  return scanSql(sql)
    .map(({ kind, start, end }) => (kind === 'code' ? sql.slice(start, end) : kind))
    .join('')
    .replaceAll(/string( \|\| string)*/g, 'string')
    .replaceAll(/\{\{\w+\}\}/g, '{{…}}')
    .replaceAll(/\w+_(by|with)_\w+|\bsum_\w+/g, '…');
}

const hostile = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from(`'"\\{}$1;-/*[]`), '\n', '$$', '{{x}}', 'é', '😀'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 10,
  })
  .filter((text) => !text.includes('\0'));

describe('a hostile', () => {
  test('text or name is only in strings, quoted names and parameters', () => {
    for (const dialect of names) {
      const expected = codeOf(structureWith('text', 'A name'), dialect);
      fc.assert(
        // The prefix makes the name one that needs quotes.
        fc.property(hostile, hostile, (text, name) => {
          assert.equal(codeOf(structureWith(text, `A ${name}`), dialect), expected);
        }),
        { numRuns: 200 },
      );
    }
  });

  const table = { schema: 'main', name: 't', columns: [{ name: 'x', type: 'double' }] } as const;
  const cases: readonly [name: string, structure: QueryStructure][] = [
    [
      'chain of custom columns that each use the one before twice',
      {
        table,
        customColumns: Array.from({ length: 50 }, (_, index) => ({
          name: `c${index}`,
          formula: index === 0 ? '[x] + [x]' : `[c${index - 1}] * [c${index - 1}]`,
        })),
      },
    ],
    [
      'number of custom columns',
      {
        table,
        customColumns: Array.from({ length: 10_000 }, (_, index) => ({ name: `c${index}`, formula: '[x]' })),
      },
    ],
    ['formula of 100,000 characters', { table, filters: [{ formula: '[x] + '.repeat(16_000) }] }],
    ['name of 100,000 characters', { table, measures: [{ name: 'x'.repeat(100_000), aggregate: 'count' }] }],
    ['limit', { table, limit: Number.NaN }],
    [
      'number of filters',
      {
        table,
        filters: Array.from({ length: 10_000 }, () => ({
          column: { name: 'x' },
          operator: 'is',
          values: [1],
        })),
      },
    ],
    [
      'column named __proto__',
      { table, columns: [{ name: '__proto__' }, { table: 'constructor', name: 'toString' }] },
    ],
    ['time zone', { table, timeZone: "UTC'; --" }],
    ['offset as a time zone', { table, timeZone: '+01:00' }],
  ];
  for (const [name, structure] of cases) {
    test(`${name} is a fault, found quickly`, () => {
      const cpuMs = watchThreadCpuTime();
      for (const dialect of names) assert.ok('faults' in generateQuery(structure, dialect));
      assert.ok(cpuMs() < 1_000);
    });
  }
});
