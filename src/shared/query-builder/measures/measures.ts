import { isGroupable, isNumeric, isOrdered } from '../../columns.ts';
import type { Context, TypedSql } from '../context.ts';
import type { ReportFault } from '../faults.ts';
import type { FormulaCompiler } from '../formula/compile.ts';
import { nameFault, type ResultNames } from '../names.ts';
import { labelOf, type Resolve } from '../scope.ts';
import { atom, call } from '../sql/expression.ts';
import type { Measure } from '../structure.ts';

/** A measure of the result, without its comparison. */
export interface MeasureColumn extends TypedSql {
  readonly as: string;
  readonly measure: Measure;
}

/** What the measures refer to. */
export interface MeasureScope {
  readonly context: Context;
  readonly resolve: Resolve;
  readonly compileFormula: FormulaCompiler;
  readonly report: ReportFault;
}

/** Returns the columns of the measures, without those that have faults, which are reported. */
export function measureColumns(
  scope: MeasureScope,
  names: ResultNames,
  measures: readonly Measure[],
): readonly MeasureColumn[] {
  const { context, report } = scope;
  return measures.flatMap((measure, index) => {
    const pointer = `/measures/${index}`;
    const fault =
      nameFault(context.dialect, measure.name) ??
      (names.take(measure.name)
        ? undefined
        : `Another column of the result is also called “${measure.name}”.`);
    if (fault !== undefined) report(`${pointer}/name`, fault);
    const value = measureSql(scope, pointer, measure);
    return value === undefined ? [] : [{ ...value, as: measure.name, measure }];
  });
}

function measureSql(scope: MeasureScope, pointer: string, measure: Measure): TypedSql | undefined {
  const { context, report } = scope;
  if (measure.aggregate === 'count') return { sql: call('count', atom('*')), type: 'integer' };
  if (measure.aggregate === 'formula')
    return scope.compileFormula(`${pointer}/formula`, measure.formula, scope.resolve, { isMeasure: true });
  const column = scope.resolve(measure.column);
  if (column === undefined) {
    report(`${pointer}/column`, `The column “${labelOf(measure.column)}” doesn’t exist.`);
    return undefined;
  }
  const { sql, type } = column;
  if (measure.aggregate === 'percentile' && !(measure.percent >= 0 && measure.percent <= 100)) {
    report(`${pointer}/percent`, 'Enter a number from 0 to 100.');
    return undefined;
  }
  const fits = {
    count_distinct: isGroupable(type),
    min: isOrdered(type),
    max: isOrdered(type),
    sum: isNumeric(type),
    average: isNumeric(type),
    median: isNumeric(type),
    percentile: isNumeric(type),
  }[measure.aggregate];
  if (!fits) {
    const name = measure.aggregate.replace('_', ' ');
    report(`${pointer}/column`, `A column of the type ${type} has no ${name}.`);
    return undefined;
  }
  switch (measure.aggregate) {
    case 'count_distinct':
      return { sql: atom(`count(DISTINCT ${sql.text})`), type: 'integer' };
    case 'min':
    case 'max':
      return { sql: call(measure.aggregate, sql), type };
    case 'sum':
      return { sql: call('sum', sql), type };
    case 'average':
      return { sql: call('avg', sql), type: 'double' };
    case 'median':
      return { sql: context.dialect.percentile(sql, 0.5, type), type: 'double' };
    case 'percentile':
      return { sql: context.dialect.percentile(sql, measure.percent / 100, type), type: 'double' };
  }
}
