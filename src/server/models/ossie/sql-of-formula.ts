import { parseFormula } from '#shared/query-builder/formula/parser.ts';
import type { Formula } from '#shared/query-builder/formula/syntax.ts';
import { quoteIfNeeded } from '#shared/sql/names.ts';
import { aggregates, scalars } from './functions.ts';

/**
 * Returns a formula as an expression in standard SQL; undefined if it needs a function that has no common one. A `table` is
 * written before each column.
 */
export function sqlOfFormula(text: string, table?: string): string | undefined {
  const parsed = parseFormula(text);
  return 'fault' in parsed ? undefined : print(parsed.formula, table);
}

function print(formula: Formula, table: string | undefined): string | undefined {
  switch (formula.kind) {
    case 'number':
      return formula.text;
    case 'text':
      return `'${formula.text.replaceAll("'", "''")}'`;
    case 'constant':
      return formula.name.toUpperCase();
    case 'column':
      return [table, formula.name]
        .flatMap((name) => (name === undefined ? [] : quoteIfNeeded(name)))
        .join('.');
    case 'prefix': {
      const operand = print(formula.operand, table);
      return operand && (formula.operator === '-' ? `-(${operand})` : `NOT (${operand})`);
    }
    case 'operation': {
      const [left, right] = [operand(formula.left, table), operand(formula.right, table)];
      // In formulas a quotient is exact and of nothing null; a remainder has functions of many names.
      if (left === undefined || right === undefined || formula.operator === '%') return undefined;
      if (formula.operator === '/') return `${left} / NULLIF(${right}, 0)`;
      return `${left} ${formula.operator.toUpperCase()} ${right}`;
    }
    case 'call':
      return printCall(formula, table);
  }
}

function operand(formula: Formula, table: string | undefined): string | undefined {
  const sql = print(formula, table);
  return sql !== undefined && formula.kind === 'operation' ? `(${sql})` : sql;
}

function printCall(
  { name, arguments: given }: Extract<Formula, { kind: 'call' }>,
  table: string | undefined,
): string | undefined {
  const values = given.map((value) => print(value, table));
  if (values.includes(undefined)) return undefined;
  if (name === 'count') return `COUNT(${values[0] ?? '*'})`;
  if (name === 'count_distinct' && values.length === 1) return `COUNT(DISTINCT ${values[0]})`;
  const sqlName = new Map([...aggregates, ...scalars]).get(name);
  return sqlName === undefined ? undefined : `${sqlName}(${values.join(', ')})`;
}
