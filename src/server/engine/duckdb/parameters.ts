import { LIST, VARCHAR, type DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue } from '../opened-source.ts';

/**
 * Binds a value according to its type. A whole number is bound as an integer, so that LIMIT accepts it. Other numbers, dates
 * and times are bound as text, which the cast in the SQL converts: see `castOf`.
 */
export function bindDuckdbValue(
  statement: DuckDBPreparedStatement,
  index: number,
  { type, value }: BoundValue,
): void {
  if (value === null) return statement.bindNull(index);
  switch (type) {
    case 'text':
      return statement.bindVarchar(index, String(value));
    case 'number':
      return Number.isSafeInteger(value)
        ? statement.bindBigInt(index, BigInt(Number(value)))
        : statement.bindVarchar(index, String(value));
    case 'boolean':
      return statement.bindBoolean(index, value === true);
    case 'date':
    case 'datetime':
      return statement.bindVarchar(index, String(value));
    case 'list':
      return statement.bindList(index, [...(value as readonly string[])], LIST(VARCHAR));
  }
}
