import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { watchThreadCpuTime } from '../../../../tests/support/cpu-time.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { postgresql } from '../dialects/postgresql.ts';
import { atom } from '../sql/expression.ts';
import { quoteIfNeeded } from '../../sql/names.ts';
import type { ColumnType } from '../../columns.ts';
import { createFormulaCompiler } from './compile.ts';
import { formulaFunctions } from './functions/functions.ts';
import { parseFormula } from './parser.ts';
import { printFormula } from './print.ts';
import type { Formula } from './syntax.ts';

const types: ReadonlyMap<string, ColumnType> = new Map(
  Object.entries({
    amount: 'decimal',
    count: 'integer',
    ratio: 'double',
    region: 'text',
    is_paid: 'boolean',
    day: 'date',
    seen: 'instant',
    data: 'json',
  } as const),
);

/** Returns the SQL of a formula, or its faults with the text that they are about. */
function compiled(formula: string, { dialect = duckdb, isMeasure = false } = {}): string {
  const faults: string[] = [];
  const context = { dialect, timeZone: 'Europe/Berlin', weekStart: 'monday' } as const;
  const compile = createFormulaCompiler(context, (_pointer, message, range) => {
    faults.push(`${formula.slice(range?.start, range?.end)}: ${message}`);
  });
  const value = compile(
    '',
    formula,
    ({ table, name }) => {
      const type = table === undefined ? types.get(name) : undefined;
      return type && { sql: atom(quoteIfNeeded(name)), type, name };
    },
    { isMeasure },
  );
  return value === undefined ? faults.join('\n') : value.sql.text;
}

describe('a formula', () => {
  const sql: readonly [formula: string, duckdb: string, postgresql?: string][] = [
    ['[amount] - -1 * ([count] + 2)', 'amount - -1 * (count + 2)'],
    ['[count] / 2', 'count / 2', 'count::FLOAT8 / 2'],
    ['[count] / [count]', 'count / nullif(count, 0)', 'count::FLOAT8 / nullif(count, 0)'],
    ["not ([region] = 'it''s') and ([is_paid] or true)", "NOT (region = 'it''s') AND (is_paid OR TRUE)"],
    ['[day] >= "2026-01-31"', "day >= DATE '2026-01-31'"],
    ['"2026-01-31" < [seen]', "DATE '2026-01-31'::TIMESTAMP AT TIME ZONE 'Europe/Berlin' < seen"],
    ['if([amount] > 1, "{{x}}", null)', "CASE WHEN amount > 1 THEN '{' || '{x}}' ELSE NULL END"],
    ['substring([region], 2)', 'substring(region, 2)'],
    [
      'weekday([seen])',
      "isodow(seen AT TIME ZONE 'Europe/Berlin')",
      "extract(isodow FROM seen AT TIME ZONE 'Europe/Berlin')::INT",
    ],
    ['SUM([amount]) / Count()', 'sum(amount) / nullif(count(*), 0)'],
    ['average_if([amount], [region] = "x")', "avg(amount) FILTER (WHERE region = 'x')"],
  ];
  for (const [formula, inDuckdb, inPostgresql = inDuckdb] of sql) {
    test(`is printed as SQL: ${formula}`, () => {
      const isMeasure = /^(SUM|average)/.test(formula);
      assert.equal(compiled(formula, { isMeasure }), inDuckdb);
      assert.equal(compiled(formula, { isMeasure, dialect: postgresql }), inPostgresql);
    });
  }

  const faults: readonly [formula: string, fault: string][] = [
    ['', ': The formula isn’t complete: a value is missing here.'],
    ['1 +', ': The formula isn’t complete: a value is missing here.'],
    ['amount * 2', 'amount: Write a column as [amount], a function as amount(…), and text in quotes.'],
    ['[amount', '[: The bracket of this column isn’t closed.'],
    ['"a', '": The quote of this text isn’t closed.'],
    ['1 & 2', '&: The character “&” has no meaning in a formula.'],
    ['1 2', '2: An operator such as + or “and” is missing here.'],
    ['1 < 2 < 3', '<: Combine comparisons with “and”.'],
    ['[nothing] + 1', '[nothing]: The column [nothing] doesn’t exist.'],
    ['[__proto__]', '[__proto__]: The column [__proto__] doesn’t exist.'],
    ['constructor(1)', 'constructor(1): There is no function “constructor”.'],
    ['rounds(1)', 'rounds(1): There is no function “rounds”. Do you mean “round”?'],
    ['round()', 'round(): Write round(number, digits?): there are 0 values.'],
    ['round([amount], [count])', '[count]: “round” needs a whole number from -10 to 10 here, not a number.'],
    ['[region] + 1', '[region]: “+” needs numbers, not text. Use concat to join texts.'],
    ['[day] + 1', '[day]: “+” needs numbers, not a date. Use date_add or date_diff.'],
    ['[amount] = null', '[amount] = null: Nothing is equal to null. Use is_null(…).'],
    ['[amount] = "1"', '[amount] = "1": A number can’t be compared with text.'],
    ['[day] = "31.1.2026"', '[day] = "31.1.2026": A date can’t be compared with text.'],
    ['if([amount], 1, 2)', '[amount]: “if” needs a condition here, not a number.'],
    ['if([is_paid], 1, "a")', 'if([is_paid], 1, "a"): “if” needs values of one type, not a number and text.'],
    [
      'start_of([day], "decade")',
      '"decade": “start_of” needs one of the units "minute", "hour", "day", "week", "month", "quarter", "year" here, not text.',
    ],
    [
      'sum([amount])',
      'sum([amount]): “sum” is computed of several rows, so it can only be used in a measure.',
    ],
    ['[x] + [y]', '[x]: The column [x] doesn’t exist.\n[y]: The column [y] doesn’t exist.'],
  ];
  for (const [formula, fault] of faults) {
    test(`with a fault reports it: ${formula}`, () => assert.equal(compiled(formula), fault));
  }

  const measureFaults: readonly [formula: string, fault: string][] = [
    ['[amount]', '[amount]: Put the column into an aggregate, such as sum([amount]).'],
    ['1', '1: The formula of a measure needs an aggregate such as sum([amount]) or count().'],
    ['sum(sum([amount]))', 'sum([amount]): “sum” can’t be used within another aggregate.'],
    [
      'count_distinct([data])',
      '[data]: “count_distinct” needs a value that can be compared here, not of the type json.',
    ],
  ];
  for (const [formula, fault] of measureFaults) {
    test(`of a measure with a fault reports it: ${formula}`, () =>
      assert.equal(compiled(formula, { isMeasure: true }), fault));
  }

  test('that is hostile is refused in linear time', () => {
    const hostile = [
      '(',
      '-',
      'not ',
      'if(',
      '1+',
      '[',
      '"',
      '[a].',
      'concat("a",',
      '1,',
      '\u0000',
      '{{',
      '😀',
    ];
    for (const part of hostile) {
      for (const length of [4_999, 100_000]) {
        const formula = part.repeat(length / part.length);
        const cpuMs = watchThreadCpuTime();
        assert.notEqual(compiled(formula), '', part);
        assert.ok(cpuMs() < 500, part);
      }
    }
  });
});

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.nat(1_000).map(String),
    fc.string({ unit: 'binary' }).map((text) => `"${text.replaceAll('"', '""')}"`),
    fc.string().map((name) => `[${name.replaceAll(']', ']]')}]`),
    fc.constantFrom('true', 'null'),
    fc
      .tuple(fc.constantFrom('-', 'not ', ''), tie('tree'))
      .map(([prefix, value]) => `(${prefix}${String(value)})`),
    fc
      .tuple(tie('tree'), fc.constantFrom('+', '-', '*', '%', '<>', 'and', 'or'), tie('tree'))
      .map(([left, operator, right]) => `(${String(left)}) ${operator} (${String(right)})`),
    fc.array(tie('tree'), { maxLength: 3 }).map((values) => `f(${values.map(String).join(', ')})`),
  ),
}));

const withoutRanges = (formula: Formula): unknown =>
  JSON.parse(
    JSON.stringify(formula, (key, value: unknown) => (['start', 'end'].includes(key) ? undefined : value)),
  );

test('a printed formula is read as the same formula, and printed in the same way', () => {
  fc.assert(
    fc.property(tree, (text) => {
      const parsed = parseFormula(String(text));
      if ('fault' in parsed) return fc.pre(false);
      const printed = printFormula(parsed.formula);
      const again = parseFormula(printed);
      assert.ok('formula' in again, printed);
      assert.deepEqual(withoutRanges(again.formula), withoutRanges(parsed.formula));
      assert.equal(printFormula(again.formula), printed);
    }),
    { numRuns: 300 },
  );
});

test('the example of every function is a valid formula', () => {
  const names = /\[(\w+)\]/g;
  for (const { example, category } of formulaFunctions) {
    const known: Record<string, string> = {
      name: 'region',
      email: 'region',
      code: 'region',
      comment: 'region',
      first_name: 'region',
      last_name: 'region',
      phone: 'region',
      quantity_text: 'region',
      created_at: 'seen',
      ordered_on: 'day',
      shipped_on: 'day',
      region: 'region',
      id: 'count',
    };
    const formula = example.replaceAll(names, (_, name: string) => `[${known[name] ?? 'amount'}]`);
    const sql = compiled(formula, { isMeasure: category === 'aggregate' });
    assert.doesNotMatch(sql, /: /, example);
  }
});
