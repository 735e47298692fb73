import type { ColumnType } from '../columns.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { Sql } from './sql/expression.ts';
import type { WeekStart } from './structure.ts';

/** What the SQL of every part of a query depends on. */
export interface Context {
  readonly dialect: Dialect;
  readonly timeZone: string;
  readonly weekStart: WeekStart;
}

/** SQL of a value, with its type. */
export interface TypedSql {
  readonly sql: Sql;
  readonly type: ColumnType;
}
