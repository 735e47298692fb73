import { parameterName } from '../../parameter-values.ts';
import type { FormulaCompiler } from '../formula/compile.ts';
import type { Context } from '../context.ts';
import type { ReportFault } from '../faults.ts';
import type { Parameters } from '../parameters.ts';
import { labelOf, type Resolve } from '../scope.ts';
import { allOf, anyOf, type Sql } from '../sql/expression.ts';
import type { Filter, SimpleFilter } from '../structure.ts';
import { reportConditionFaults } from './condition-fault.ts';
import { conditionSql } from './condition.ts';

/** What the filters of one step refer to. */
export interface FilterScope {
  readonly context: Context;
  readonly parameters: Parameters;
  readonly resolve: Resolve;
  readonly compileFormula: FormulaCompiler;
  readonly report: ReportFault;
}

const maxFilters = 200;

/** Returns the conditions of filters, without those that have faults, which are reported. */
export function filtersSql(scope: FilterScope, pointer: string, filters: readonly Filter[]): readonly Sql[] {
  if (filters.length > maxFilters) {
    scope.report(pointer, `A query can have at most ${maxFilters} filters.`);
    return [];
  }
  return filters.flatMap((filter, index) => filterSql(scope, `${pointer}/${index}`, filter) ?? []);
}

function filterSql(scope: FilterScope, pointer: string, filter: Filter): Sql | undefined {
  const { context, parameters, report } = scope;
  if ('any' in filter) return alternativesSql(scope, pointer, filter.any);
  if ('formula' in filter)
    return scope.compileFormula(`${pointer}/formula`, filter.formula, scope.resolve, { type: 'boolean' })
      ?.sql;
  const column = scope.resolve(filter.column);
  if (column === undefined) {
    report(`${pointer}/column`, `The column “${labelOf(filter.column)}” doesn’t exist.`);
    return undefined;
  }
  const { isOptional = false, parameter = filter.column.name } = filter;
  if (filter.parameter !== undefined && !parameterName.test(filter.parameter)) {
    const message =
      'The name of a parameter has up to 63 letters, digits and _, and doesn’t start with a digit.';
    report(`${pointer}/parameter`, message);
    return undefined;
  }
  if (!reportConditionFaults(report, pointer, column.type, filter, isOptional)) return undefined;
  const sql = context.dialect.asText(column.sql, column.type === 'text' ? column.sourceType : undefined);
  const countBefore = parameters.list.length;
  const condition = conditionSql(context, parameters, { ...column, sql, parameter, isOptional }, filter);
  const added = parameters.list.slice(countBefore);
  if (filter.parameter !== undefined && added.some(({ name }) => /_\d+$/.test(name.slice(parameter.length))))
    report(`${pointer}/parameter`, `Another filter already has the parameter “${parameter}”.`);
  return condition;
}

function alternativesSql(
  scope: FilterScope,
  pointer: string,
  alternatives: readonly (readonly SimpleFilter[])[],
): Sql | undefined {
  if (alternatives.length > maxFilters) {
    scope.report(`${pointer}/any`, `A filter can have at most ${maxFilters} alternatives.`);
    return undefined;
  }
  if (alternatives.length === 0 || alternatives.some((filters) => filters.length === 0)) {
    scope.report(`${pointer}/any`, 'Each alternative needs at least one filter.');
    return undefined;
  }
  return anyOf(
    alternatives.map((filters, index) => allOf(filtersSql(scope, `${pointer}/any/${index}`, filters))),
  );
}
