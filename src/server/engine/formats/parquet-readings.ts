import type { Column } from '#contract/data-sources.ts';

/** How a column that DuckDB holds is read for Parquet, in SQL. */
export interface ParquetReading {
  /** Null for a value that the type has no exact place for. */
  readonly exact: string;
  /** What the column is read as when there is such a value. */
  readonly other: string;
}

/** Returns how a column of DuckDB's own values is read: what Parquet would round or refuse is text. */
export function readingOfValue(type: string, column: string): ParquetReading {
  const text = `${column}::VARCHAR`;
  switch (type) {
    // Parquet's integers end at 64 bits: DuckDB writes longer ones as doubles.
    case 'HUGEINT':
    case 'UHUGEINT':
      return { exact: `TRY_CAST(${column} AS DECIMAL(38, 0))`, other: text };
    // Parquet has neither an offset in a time, nor microseconds or a sign in an interval.
    case 'TIME WITH TIME ZONE':
    case 'INTERVAL':
      return asItIs(text);
    default:
      return asItIs(holdsInexact(type) ? `to_json(${column})::VARCHAR` : column);
  }
}

/** Whether lists and structs have something inside that Parquet rounds or refuses, or is a union, which comes back as none. */
function holdsInexact(type: string): boolean {
  const words = type.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, '');
  return /\b(U?HUGEINT|INTERVAL|TIME WITH TIME ZONE|UNION)\b/.test(words);
}

/** Returns how a column of plain texts is read as values of its type. What DuckDB has no exact type for stays text. */
export function readingOfText({ type, sourceType }: Column, column: string): ParquetReading {
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
      return asItIs(`from_base64(${column})`);
    case 'text':
    case 'time':
    case 'interval':
    case 'json':
    case 'list':
    case 'struct':
    case 'other':
      return asItIs(column);
  }
}

const asItIs = (expression: string): ParquetReading => ({ exact: expression, other: expression });

function cast(column: string, type: string, expression = column): ParquetReading {
  return { exact: `TRY_CAST(${expression} AS ${type})`, other: column };
}

/** DuckDB writes a year past 9999 without the sign of ISO 8601. */
const withoutSign = (column: string): string => `regexp_replace(${column}, '^\\+0*', '')`;

/** The type of `numeric(10,2)`; text for one without bounds, or wider than DuckDB's. */
function duckdbDecimal(sourceType: string): string {
  const [, digits, scale] = /\((\d+),(-?\d+)\)/.exec(sourceType)?.map(Number) ?? [];
  if (digits === undefined || scale === undefined) return 'VARCHAR';
  // PostgreSQL has numbers that end before the point, or begin past the first digit behind it.
  const width = Math.max(digits - Math.min(scale, 0), scale);
  return width <= 38 ? `DECIMAL(${width}, ${Math.max(scale, 0)})` : 'VARCHAR';
}
