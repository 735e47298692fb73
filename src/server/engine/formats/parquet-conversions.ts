import type { Column } from '#contract/data-sources/data-sources.ts';

/** SQL expressions that convert a column in DuckDB for Parquet. */
export interface ParquetConversion {
  /** Null for a value that the type can't represent exactly. */
  readonly exact: string;
  /** Used for the whole column if it has such a value. */
  readonly fallback: string;
}

/** Returns the conversion of a column of DuckDB's own values. What Parquet would round or reject becomes text. */
export function conversionOfValue(type: string, column: string): ParquetConversion {
  const text = `${column}::VARCHAR`;
  switch (type) {
    // Integers in Parquet have at most 64 bits: DuckDB writes longer ones as doubles.
    case 'HUGEINT':
    case 'UHUGEINT':
      return { exact: `TRY_CAST(${column} AS DECIMAL(38, 0))`, fallback: text };
    // Parquet supports neither offsets in times, nor microseconds or signs in intervals.
    case 'TIME WITH TIME ZONE':
    case 'INTERVAL':
      return always(text);
    default:
      return always(holdsInexact(type) ? `to_json(${column})::VARCHAR` : column);
  }
}

/** Whether a type contains one that Parquet rounds or rejects, or a union, which Parquet doesn't preserve. */
function holdsInexact(type: string): boolean {
  const words = type.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, '');
  return /\b(U?HUGEINT|INTERVAL|TIME WITH TIME ZONE|UNION)\b/.test(words);
}

/** Returns the conversion of a column of plain text to its type. It stays text if DuckDB has no exact type for it. */
export function conversionOfText({ type, sourceType }: Column, column: string): ParquetConversion {
  switch (type) {
    case 'boolean':
      return cast(column, 'BOOLEAN');
    case 'integer':
      return cast(column, 'BIGINT');
    case 'double':
      return cast(column, 'DOUBLE');
    case 'decimal':
      return cast(column, duckdbDecimal(sourceType));
    case 'date':
      return cast(column, 'DATE', withoutSign(column));
    case 'datetime':
      return cast(column, 'TIMESTAMP', withoutSign(column));
    case 'instant':
      return cast(column, 'TIMESTAMPTZ', withoutSign(column));
    case 'uuid':
      return cast(column, 'UUID');
    case 'bytes':
      return always(`from_base64(${column})`);
    case 'text':
    case 'time':
    case 'interval':
    case 'json':
    case 'list':
    case 'struct':
    case 'other':
      return always(column);
  }
}

const always = (expression: string): ParquetConversion => ({ exact: expression, fallback: expression });

function cast(column: string, type: string, expression = column): ParquetConversion {
  return { exact: `TRY_CAST(${expression} AS ${type})`, fallback: column };
}

/** Removes the plus sign of ISO 8601 before a year after 9999, which DuckDB doesn't accept. */
const withoutSign = (column: string): string => `regexp_replace(${column}, '^\\+0*', '')`;

/** Returns DuckDB's type for `numeric(10,2)`, for example; text if the precision is unlimited or too large for DuckDB. */
function duckdbDecimal(sourceType: string): string {
  const [, digits, scale] = /\((\d+),(-?\d+)\)/.exec(sourceType)?.map(Number) ?? [];
  if (digits === undefined || scale === undefined) return 'VARCHAR';
  // In PostgreSQL, the scale of a number can be negative or greater than its precision.
  const width = Math.max(digits - Math.min(scale, 0), scale);
  return width <= 38 ? `DECIMAL(${width}, ${Math.max(scale, 0)})` : 'VARCHAR';
}
