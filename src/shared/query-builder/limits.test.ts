import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import { generateQuery } from './generate.ts';
import type { QueryStructure, SimpleFilter } from './structure.ts';

const table: QueryStructure['table'] = {
  schema: 'main',
  name: 't',
  columns: [
    { name: 'x', type: 'integer' },
    { name: 'd', type: 'date' },
    { name: 's', type: 'text' },
  ],
};

/** Returns a formula that refers to itself by the placeholder `{}`, applied a number of times. */
const repeated = (formula: string, count: number): string =>
  Array.from({ length: count }).reduce<string>((inner) => formula.replace('{}', inner), '[d]');

const filters = (count: number, condition: SimpleFilter) =>
  Array.from({ length: 50 }, () => ({
    any: Array.from({ length: 100 }, () => Array.from({ length: count / 5_000 }, () => condition)),
  }));

const long = { name: 'long', formula: `concat(${Array(199).fill('[s]').join(', ')})` };
const longer = { name: 'longer', formula: `concat(${Array(30).fill('[long]').join(', ')})` };

/** Structures that fit into a request, with the place of their fault. */
const cases: readonly [name: string, structure: Omit<QueryStructure, 'table'>, pointer: string][] = [
  [
    'a function whose SQL has its values twice',
    {
      customColumns: [
        { name: 'c', formula: repeated('date_add([d], date_diff({}, [d], "month"), "day")', 40) },
      ],
    },
    '',
  ],
  [
    'a long column in many conditions',
    {
      customColumns: [long, longer],
      filters: filters(20_000, { column: { name: 'longer' }, operator: 'is_empty' }),
    },
    '',
  ],
  [
    'many parameters',
    { filters: filters(20_000, { column: { name: 'x' }, operator: 'between', from: 1 }) },
    '/filters',
  ],
];

describe('a query that is too large is a fault, which is found without writing it', () => {
  for (const [name, structure, pointer] of cases) {
    test(name, () => {
      const cpuTime = watchThreadCpuTime();
      const result = generateQuery({ table, ...structure }, 'postgresql');
      const ms = cpuTime();
      assert.ok('faults' in result);
      assert.deepEqual(
        result.faults.map((fault) => fault.pointer),
        [pointer],
      );
      assert.ok(ms < 1_000, `${ms} ms`);
    });
  }
});

test('alternatives within alternatives are a fault, whatever they are', () => {
  for (const any of [[], 'x', 1, [[{ formula: 'true' }]]]) {
    const inner = { any, column: { name: 'x' }, operator: 'is_empty' } as unknown as SimpleFilter;
    assert.deepEqual(generateQuery({ table, filters: [{ any: [[inner]] }] }, 'duckdb'), {
      faults: [{ pointer: '/filters/0/any/0/0/any', message: 'Alternatives can’t be within others.' }],
    });
  }
});
