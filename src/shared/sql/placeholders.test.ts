import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findPlaceholders, findUndeclared } from './placeholders.ts';

/** Queries with the placeholders in their code, and the faults with their indexes. */
const cases: readonly [sql: string, names: readonly string[], faults: readonly string[]][] = [
  ['SELECT {{a}}, {{ b }}, {{\na\n}}', ['a', 'b', 'a'], []],
  ['SELECT {a}, {{1}}, {{a-b}}, {{ }}, {{a', [], []],

  // Strings
  ["SELECT '{{b}}', {{a}}", ['a'], ['b 8']],
  ["SELECT 'it''s {{b}}', {{a}}", ['a'], ['b 14']],
  ["SELECT '\\', {{a}}", ['a'], []],
  ["SELECT name'\\', {{a}}", ['a'], []],
  ["SELECT '{{b}}", [], ['b 8']],

  // Strings with escapes, which may continue on another line
  ["SELECT E'\\'{{b}}', {{a}}", ['a'], ['b 11']],
  ["SELECT e'\\\\', {{a}}", ['a'], []],
  ["SELECT E'x'\n'\\'{{b}}', {{a}}", ['a'], ['b 15']],
  ["SELECT E'x' -- '{{c}}\n  '\\'{{b}}', {{a}}", ['a'], ['b 27']],
  ["SELECT E'x', \n'\\', {{a}}", ['a'], []],
  ["SELECT E'x' /* */\n '\\', {{a}}", ['a'], []],
  ["SELECT E'x' '\\', {{a}}", ['a'], []],
  ["SELECT 'x'\n'\\', {{a}}", ['a'], []],

  // Dollar-quoted strings
  ['SELECT $$ {{b}} $$, {{a}}', ['a'], ['b 10']],
  ["SELECT $$ ' $$, {{a}}", ['a'], []],
  ['SELECT $t$ $$ $t$, {{a}}', ['a'], []],
  ['SELECT $é$ $$ {{b}} $é$, {{a}}', ['a'], ['b 14']],
  ['SELECT $😀$ {{b}} $😀$, {{a}}', ['a'], ['b 12']],
  ['SELECT a$b$, {{a}}, c$b$', ['a'], []],
  ['SELECT é$b$, {{a}}, 😀$b$', ['a'], []],
  ['SELECT $t$ {{b}}', [], ['b 11']],

  // Quoted names
  ['SELECT "{{b}}", {{a}}', ['a'], []],
  ['SELECT "x""{{b}}", {{a}}', ['a'], []],
  ['SELECT "{{b}}', [], []],

  // Comments
  ['SELECT -- {{b}}\n{{a}}', ['a'], []],
  ['SELECT -- {{b}}\r{{a}}', ['a'], []],
  ['SELECT /* {{b}} */ {{a}}', ['a'], []],
  ['SELECT /* /* {{b}} */ {{b}} */ {{a}}', ['a'], []],
  ['SELECT /* /* {{b}} */ {{b}}', [], []],
  ["SELECT /* ' */ {{a}} -- '", ['a'], []],

  // The engine's own markers
  ['SELECT {{a}}, $1, $2', ['a'], ['$1 14']],
  ["SELECT '$1', $$ $1 $$ -- $1", [], []],
];

describe('the placeholders', () => {
  for (const [sql, names, faults] of cases) {
    test(`of ${JSON.stringify(sql)}`, () => {
      const found = findPlaceholders(sql);
      assert.deepEqual(
        found.placeholders.map(({ name }) => name),
        names,
      );
      assert.deepEqual(
        found.faults.map(({ parameter, start }) => `${parameter} ${start}`),
        faults,
      );
      for (const { name, start, end } of found.placeholders) {
        assert.match(sql.slice(start, end), new RegExp(`^\\{\\{\\s*${name}\\s*\\}\\}$`));
      }
    });
  }

  test('that are not declared are found once, at their first occurrence', () => {
    const { placeholders } = findPlaceholders('{{a}} {{b}} {{b}} {{c}}');
    assert.deepEqual(findUndeclared(placeholders, [{ name: 'a' }]), [
      { name: 'b', start: 6, end: 11 },
      { name: 'c', start: 18, end: 23 },
    ]);
  });

  test('with faults are all reported, even thousands', () => {
    assert.equal(findPlaceholders(`SELECT\n${"'{{a}}', {{b}},\n".repeat(6_000)}`).faults.length, 6_000);
  });
});
