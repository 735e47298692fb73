import { quoteIfNeeded } from '../../sql/names.ts';
import { allOf, conditionsIn, within, type Sql } from './expression.ts';

/** A SELECT with all of its clauses. */
export interface Select {
  /** Queries that it refers to by name, in this order. */
  readonly with?: readonly { readonly name: string; readonly select: Select }[];
  readonly columns: readonly SelectedColumn[];
  readonly from: string;
  readonly joins?: readonly {
    readonly kind: 'LEFT JOIN' | 'JOIN';
    readonly table: string;
    readonly on: readonly Sql[];
  }[];
  readonly where?: readonly Sql[];
  /** How many of the first columns the rows are grouped by. */
  readonly groupCount?: number;
  readonly having?: readonly Sql[];
  readonly windows?: readonly { readonly name: string; readonly definition: string }[] | undefined;
  readonly orderBy?: readonly string[];
  readonly limit?: number | undefined;
}

export interface SelectedColumn {
  readonly sql: Sql;
  /** Its name in the result; undefined if that is clear from the SQL: a column's own name, or those of `*`. */
  readonly as: string | undefined;
}

const maxLineLength = 80;

/** Returns a SELECT as people write it: one clause per line. Its first line isn't indented. */
export function printSelect(select: Select, indent = ''): string {
  const { from, joins = [], where = [], groupCount = 0, having = [], windows = [] } = select;
  const lineBreak = `\n${indent}`;
  const clauses: string[] = [];
  const queries = (select.with ?? []).map(
    ({ name, select: query }) =>
      `${quoteIfNeeded(name)} AS (${lineBreak}  ${printSelect(query, `${indent}  `)}${lineBreak})`,
  );
  if (queries.length > 0) clauses.push(`WITH ${queries.join(`,${lineBreak}`)}`);
  clauses.push(printColumns(select.columns, lineBreak), `FROM ${from}`);
  for (const { kind, table, on } of joins) clauses.push(`${kind} ${table} ON ${allOf(on).text}`);
  if (where.length > 0) clauses.push(`WHERE ${conditions(where, lineBreak)}`);
  if (groupCount > 0)
    clauses.push(`GROUP BY ${Array.from({ length: groupCount }, (_, index) => index + 1).join(', ')}`);
  if (having.length > 0) clauses.push(`HAVING ${conditions(having, lineBreak)}`);
  if (windows.length > 0) {
    const definitions = windows.map(({ name, definition }) => `${name} AS (${definition})`);
    clauses.push(`WINDOW ${definitions.join(`,${lineBreak}  `)}`);
  }
  if (select.orderBy !== undefined && select.orderBy.length > 0)
    clauses.push(`ORDER BY ${select.orderBy.join(', ')}`);
  if (select.limit !== undefined) clauses.push(`LIMIT ${select.limit}`);
  return clauses.join(lineBreak);
}

function conditions(list: readonly Sql[], lineBreak: string): string {
  const lines = conditionsIn(list);
  if (lines.length === 1) return lines.map(({ text }) => text).join('');
  return lines.map((condition) => within(condition, 'and')).join(`${lineBreak}  AND `);
}

/** Puts columns on one line if it is short and all of them are simple. */
function printColumns(columns: readonly SelectedColumn[], lineBreak: string): string {
  const items = columns.map(({ sql, as }) =>
    as === undefined ? sql.text : `${sql.text} AS ${quoteIfNeeded(as)}`,
  );
  const line = `SELECT ${items.join(', ')}`;
  const isSimple = columns.length === 1 || columns.every(({ as }) => as === undefined);
  if (isSimple && line.length <= maxLineLength) return line;
  return `SELECT${lineBreak}  ${items.join(`,${lineBreak}  `)}`;
}
