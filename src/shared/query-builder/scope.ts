import { quoteIfNeeded } from '../sql/names.ts';
import type { TypedSql } from './context.ts';
import type { ReportFault } from './faults.ts';
import { atom } from './sql/expression.ts';
import type { ColumnReference, QueryStructure } from './structure.ts';

/** A column that a part of the query may refer to. */
export interface ResolvedColumn extends TypedSql {
  /** The name that the engine gives it in a result; undefined for an expression. */
  readonly name: string | undefined;
  /** The name of its type in the data source, if that is known. */
  readonly sourceType?: string | undefined;
}

/** Returns a column, or undefined if it doesn't exist. */
export type Resolve = (reference: ColumnReference) => ResolvedColumn | undefined;

/** Returns the columns of the tables, with the table's name where there are several. Reports tables that can't be used. */
export function tableColumns({ table, joins = [] }: QueryStructure, report: ReportFault): Resolve {
  const isQualified = joins.length > 0;
  const tables = new Map<string | undefined, Map<string, ResolvedColumn>>();
  const named = new Set([table.name.toLowerCase()]);

  function add(key: string | undefined, name: string, columns: QueryStructure['table']['columns']): void {
    const prefix = isQualified ? `${quoteIfNeeded(name)}.` : '';
    const resolved = columns.map((column) => {
      const sql = atom(`${prefix}${quoteIfNeeded(column.name)}`);
      return [column.name, { ...column, sql }] as const;
    });
    tables.set(key, new Map(resolved));
  }

  add(undefined, table.name, table.columns);
  for (const [index, { as, table: joined }] of joins.entries()) {
    if (as === '') report(`/joins/${index}/as`, 'Enter a name for the table.');
    // DuckDB ignores case in names.
    if (named.has(as.toLowerCase()))
      report(`/joins/${index}/as`, `Another table of the query is also called “${as}”.`);
    named.add(as.toLowerCase());
    add(as, as, joined.columns);
  }
  return ({ table: key, name }) => tables.get(key)?.get(name);
}

/** Returns the name of a column as people refer to it. */
export const labelOf = ({ table, name }: ColumnReference): string =>
  table === undefined ? name : `${table}.${name}`;
