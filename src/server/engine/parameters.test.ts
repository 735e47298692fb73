import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';
import { QueryFailure } from './failure.ts';
import { engine as duckdb } from './duckdb/engine.ts';
import { bindParameters } from './parameters.ts';
import { engine as postgresql } from './postgresql/engine.ts';
import type { QueryParameter } from './parameter-casts.ts';

const a = { name: 'a', type: 'text', value: 'x' } as const;

describe('a placeholder', () => {
  const bound: Record<string, string> = {
    'SELECT {{a}}': 'SELECT ($1::text)',
    'SELECT {{ a }}, {{a}}': 'SELECT ($1::text), ($1::text)',
    "SELECT 'it''s', {{a}}": "SELECT 'it''s', ($1::text)",
    "SELECT E'\\'', {{a}}": "SELECT E'\\'', ($1::text)",
    "SELECT '\\', {{a}}": "SELECT '\\', ($1::text)",
    "SELECT name'\\', {{a}}": "SELECT name'\\', ($1::text)",
    "SELECT $$ ' $$, {{a}}": "SELECT $$ ' $$, ($1::text)",
    'SELECT $t$ $$ $t$, {{a}}': 'SELECT $t$ $$ $t$, ($1::text)',
    'SELECT a$b$, {{a}}, c$b$': 'SELECT a$b$, ($1::text), c$b$',
    'SELECT -- {{b}}\n{{a}}': 'SELECT -- {{b}}\n($1::text)',
    'SELECT /* /* {{b}} */ {{b}} */ {{a}}': 'SELECT /* /* {{b}} */ {{b}} */ ($1::text)',
    'SELECT "x""y", {{a}}': 'SELECT "x""y", ($1::text)',
    'SELECT {a}, {{1}}, {{a-b}}': 'SELECT {a}, {{1}}, {{a-b}}',
  };
  for (const [sql, expected] of Object.entries(bound)) {
    it(`is bound in ${sql}`, () => assert.equal(bindParameters(postgresql.types, sql, [a]).sql, expected));
  }

  const refused: Record<string, string[]> = {
    "SELECT '{{a}}'": ['a 1:9'],
    "SELECT E'\\'{{a}}'": ['a 1:12'],
    'SELECT $$\n{{a}}$$': ['a 2:1'],
    "SELECT 'open {{a}}": ['a 1:14'],
    'SELECT {{b}}, {{a}}, {{c}}': ['b 1:8', 'c 1:22'],
    'SELECT $1': ['$1 1:8'],
  };
  for (const [sql, expected] of Object.entries(refused)) {
    it(`is refused in ${sql}`, () => assert.deepEqual(faultsOf(sql, [a]), expected));
  }

  it('is reported in linear time, however many are invalid', () => {
    const cpuMs = watchCpuTime();
    const sql = `SELECT\n${"'{{a}}', {{b}},\n".repeat(6_000)}`;
    assert.throws(() => bindParameters(duckdb.types, sql, []), { code: 'invalid_parameters' });
    assert.ok(cpuMs() < 1_000, `${cpuMs()} ms`);
  });
});

describe('the value of a parameter', () => {
  const cases: [QueryParameter['type'], unknown, boolean][] = [
    ['text', 'x', true],
    ['text', null, true],
    ['text', undefined, false],
    ['text', 1, false],
    ['text', 'a\0b', false],
    ['number', 1.5, true],
    ['number', Infinity, false],
    ['number', '1', false],
    ['boolean', true, true],
    ['boolean', 'true', false],
    ['date', '2024-02-29', true],
    ['date', '2026-02-29', false],
    ['date', '2026-2-9', false],
    ['date', "2026-01-01'", false],
    ['datetime', '2026-01-31T12:00', true],
    ['datetime', '2026-01-31T12:00:00.123+02:00', true],
    ['datetime', '2026-01-32T12:00:00Z', false],
    ['datetime', '2026-01-31T25:00:00Z', false],
    ['datetime', '2026-01-31T12:00:00+99:99', false],
    ['list', ['a', "b'"], true],
    ['list', [], true],
    ['list', ['a', 1], false],
    ['list', 'a', false],
  ];
  for (const [type, value, isValid] of cases) {
    it(`may${isValid ? '' : ' not'} be ${JSON.stringify(value) ?? 'missing'} for ${type}`, () => {
      const parameter = { name: 'a', type, value } as QueryParameter;
      assert.deepEqual(faultsOf('SELECT {{a}}', [parameter]), isValid ? [] : ['a 1:8']);
    });
  }
});

function faultsOf(sql: string, parameters: QueryParameter[]): string[] {
  try {
    bindParameters(postgresql.types, sql, parameters);
    return [];
  } catch (error) {
    assert.ok(error instanceof QueryFailure && error.code === 'invalid_parameters');
    return error.faults.map(({ parameter, line, column }) => `${parameter} ${line}:${column}`);
  }
}
