import type { ColumnType } from '../../columns.ts';
import type { TypedSql } from '../context.ts';
import type { ReportFault } from '../faults.ts';
import type { Resolve } from '../scope.ts';

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

export const createFormulaCompiler =
  (report: ReportFault): FormulaCompiler =>
  (pointer) => {
    report(pointer, 'Formulas are not supported yet.');
    return undefined;
  };
