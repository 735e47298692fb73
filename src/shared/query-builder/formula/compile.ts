import type { ColumnType } from '../../columns.ts';
import type { Context, TypedSql } from '../context.ts';
import type { ReportFault } from '../faults.ts';
import { requireSqlLength } from '../limits.ts';
import type { Resolve, ResolvedColumn } from '../scope.ts';
import { atom, negative, not, number } from '../sql/expression.ts';
import { textLiteral } from '../sql/literals.ts';
import { compileCall } from './calls.ts';
import type { Argument } from './functions/definition.ts';
import { compileOperation } from './operations.ts';
import { parseFormula } from './parser.ts';
import { isNull, valueName, type CompileScope, type Place } from './scope.ts';
import type { Formula } from './syntax.ts';
import { typeName } from './types.ts';

/** What a formula must be. */
export interface FormulaPurpose {
  readonly type?: ColumnType;
  /** Whether it is computed of the rows of a group, with aggregates. */
  readonly isMeasure?: boolean;
}

/** Returns a formula as SQL, or reports its faults and returns undefined. */
export type FormulaCompiler = (
  pointer: string,
  formula: string,
  resolve: Resolve,
  purpose?: FormulaPurpose,
) => TypedSql | undefined;

const maxWrittenLength = 20_000;

export const createFormulaCompiler =
  (context: Context, report: ReportFault): FormulaCompiler =>
  (pointer, text, resolve, { type, isMeasure = false } = {}) => {
    const parsed = parseFormula(text);
    if ('fault' in parsed) {
      const { message, start, end } = parsed.fault;
      report(pointer, message, { start, end });
      return undefined;
    }
    let aggregateCount = 0;
    let writtenLength = 0;
    function fault({ start, end }: Formula, message: string): undefined {
      report(pointer, message, { start, end });
    }
    const scope: CompileScope = {
      context,
      fault,
      compile(formula, place) {
        const value = compileFormula(scope, resolve, formula, place);
        requireSqlLength(value?.sql.text.length ?? 0);
        if (formula.kind !== 'column') return counted(value, place);
        // Custom columns that use each other several times would grow beyond all bounds.
        const isTooLong = writtenLength > maxWrittenLength;
        writtenLength += value?.sql.text.length ?? 0;
        if (isTooLong) return undefined;
        return writtenLength > maxWrittenLength
          ? fault(formula, 'The formula is too long with the columns that it refers to.')
          : value;
      },
    };
    /** Counts the aggregates of a measure. */
    function counted(value: Argument | undefined, place: Place): Argument | undefined {
      if (place === 'measure' && value?.isAggregate === true) aggregateCount += 1;
      return value;
    }
    const { formula } = parsed;
    const value = scope.compile(formula, isMeasure ? 'measure' : 'row');
    if (value === undefined) return undefined;
    if (isNull(formula)) return fault(formula, 'The formula has no value.');
    if (type !== undefined && value.type !== type)
      return fault(formula, `The formula must be ${typeName(type)}, but is ${typeName(value.type)}.`);
    if (isMeasure && aggregateCount === 0)
      return fault(formula, 'The formula of a measure needs an aggregate such as sum([amount]) or count().');
    return value;
  };

function compileFormula(
  scope: CompileScope,
  resolve: Resolve,
  formula: Formula,
  place: Place,
): Argument | undefined {
  const { fault } = scope;
  switch (formula.kind) {
    case 'number': {
      if (formula.text.length > 30) return fault(formula, 'The number has too many digits.');
      const text = formula.text.replace(/^\./, '0.').replace(/\.$/, '');
      return { formula, sql: number(text), type: text.includes('.') ? 'decimal' : 'integer' };
    }
    case 'text':
      if (formula.text.includes('\0')) return fault(formula, 'Text must not contain the character U+0000.');
      return { formula, sql: textLiteral(formula.text), type: 'text' };
    case 'constant':
      return { formula, sql: atom(formula.name.toUpperCase()), type: 'boolean' };
    case 'column': {
      const column = findColumn(resolve, formula.name);
      if (column === undefined) return fault(formula, `The column [${formula.name}] doesn’t exist.`);
      if (place === 'measure')
        return fault(formula, `Put the column into an aggregate, such as sum([${formula.name}]).`);
      const { dialect } = scope.context;
      const sql = column.type === 'text' ? dialect.asText(column.sql, column.sourceType) : column.sql;
      return { formula, sql, type: column.type };
    }
    case 'prefix': {
      const operand = scope.compile(formula.operand, place);
      if (operand === undefined) return undefined;
      const wanted = formula.operator === '-' ? ['integer', 'decimal', 'double'] : ['boolean'];
      if (!wanted.includes(operand.type) || isNull(formula.operand)) {
        const kind = formula.operator === '-' ? 'a number' : 'true or false';
        return fault(formula.operand, `“${formula.operator}” needs ${kind}, not ${valueName(operand)}.`);
      }
      const sql = formula.operator === '-' ? negative(operand.sql) : not(operand.sql);
      return { formula, sql, type: operand.type };
    }
    case 'operation':
      return compileOperation(scope, formula, place);
    case 'call':
      return compileCall(scope, formula, place);
  }
}

/** Returns the column with a name, which may be that of a joined table, a dot, and that of its column. */
function findColumn(resolve: Resolve, name: string): ResolvedColumn | undefined {
  const whole = resolve({ name });
  if (whole !== undefined) return whole;
  // The name of a table may contain dots, too; no sensible one has many.
  const dots = [...name.slice(0, 500).matchAll(/\./g)].slice(0, 10);
  for (const { index } of dots) {
    const column = resolve({ table: name.slice(0, index), name: name.slice(index + 1) });
    if (column !== undefined) return column;
  }
  return undefined;
}
