import { isTimeZone } from '../dates/time-zones.ts';
import type { Context } from './context.ts';
import { dialects, type DialectName } from './dialects/dialects.ts';
import type { ReportFault, StructureFault } from './faults.ts';
import { createFormulaCompiler } from './formula/compile.ts';
import { requireSqlLength, TooLarge } from './limits.ts';
import { createParameters, type GeneratedParameter } from './parameters.ts';
import { selectOf } from './query.ts';
import { extendedRows, tableRows } from './rows.ts';
import { checkShape } from './shape.ts';
import { printSelect } from './sql/select.ts';
import type { QueryStructure, TypedColumn } from './structure.ts';

export type { StructureFault } from './faults.ts';

/** The SQL of a structure, the parameters that it refers to as `{{name}}`, and the columns of its result. */
export interface GeneratedQuery {
  readonly sql: string;
  readonly parameters: readonly GeneratedParameter[];
  readonly columns: readonly TypedColumn[];
}

export type Generated = { readonly query: GeneratedQuery } | { readonly faults: readonly StructureFault[] };

const maxLimit = 1_000_000;

/** Returns the SQL of a structure in a dialect, or everything that is wrong with it. */
export function generateQuery(structure: QueryStructure, dialectName: DialectName): Generated {
  try {
    return generate(structure, dialectName);
  } catch (error) {
    if (error instanceof TooLarge) return { faults: [error.fault] };
    throw error;
  }
}

function generate(structure: QueryStructure, dialectName: DialectName): Generated {
  const faults: StructureFault[] = [];
  const report: ReportFault = (pointer, message, range) =>
    void faults.push(range === undefined ? { pointer, message } : { pointer, message, range });
  checkShape(structure, report);
  if (faults.length > 0) return { faults };
  const { timeZone = 'UTC', weekStart = 'monday', limit } = structure;
  const context: Context = { dialect: dialects[dialectName], timeZone, weekStart };
  if (!isTimeZone(timeZone)) report('/timeZone', `The time zone “${timeZone}” doesn’t exist.`);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= maxLimit))
    report('/limit', 'The limit must be a whole number from 1 to 1,000,000.');

  const compileFormula = createFormulaCompiler(context, report);
  const rows = tableRows(context, structure, compileFormula, report);
  let parameters = createParameters();
  let query = selectOf({ context, structure, rows, parameters, compileFormula, report });
  if (faults.length > 0) return { faults };
  // Only now it is known how often each custom column is used.
  const extended = extendedRows(structure, rows);
  if (extended !== undefined) {
    parameters = createParameters();
    query = selectOf({ context, structure, rows: extended, parameters, compileFormula, report });
  }
  const sql = printSelect(query.select);
  requireSqlLength(sql.length);
  if (faults.length > 0) return { faults };
  return { query: { sql, parameters: parameters.list, columns: query.columns } };
}
