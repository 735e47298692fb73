import { QueryFailure } from '../failure.ts';
import { offsetOfByte } from '../text-offsets.ts';

/** What DuckDB throws with `errors_as_json`. */
interface DuckDbError {
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly position?: string;
}

/**
 * Returns the failure that an error of DuckDB stands for; `sql` is the text that it was raised by, of which the first
 * `prefixLength` characters are our own.
 */
export function duckdbFailure(error: unknown, sql: string, prefixLength = 0): QueryFailure {
  if (error instanceof QueryFailure) return error;
  const told = read(error);
  const message = told.exception_message ?? 'DuckDB failed without a word.';
  switch (told.exception_type) {
    case 'Out of Memory':
      return new QueryFailure('out_of_memory', outOfMemory(message), { cause: error });
    case 'INTERRUPT':
    case 'Interrupt':
      return new QueryFailure('cancelled', 'The query was stopped.', { cause: error });
    case 'FATAL':
    case 'Fatal':
    case 'INTERNAL':
    case 'Internal':
      return new QueryFailure('worker_lost', 'DuckDB has failed in itself at this query.', { cause: error });
    case 'Permission':
      return new QueryFailure('sql_error', 'Queries reach no files and no network, and change no settings.', {
        cause: error,
      });
    case 'IO':
      // Its words name files of the server.
      return new QueryFailure('worker_lost', 'The server cannot read or write a file that the query needs.', {
        cause: error,
      });
    case undefined:
    default:
      return new QueryFailure('sql_error', message, {
        offset: characterOffset(told.position, sql, prefixLength),
        cause: error,
      });
  }
}

function read(error: unknown): DuckDbError {
  const text = error instanceof Error ? error.message : String(error);
  const start = text.indexOf('{');
  if (start === -1) return { exception_message: text };
  try {
    return JSON.parse(text.slice(start)) as DuckDbError;
  } catch {
    return { exception_message: text };
  }
}

/** DuckDB's words name settings and the directory that the operator chose; both are his affair. */
function outOfMemory(message: string): string {
  const isDisk = message.includes('max_temp_directory_size');
  return isDisk
    ? 'The query needs more room on disk for intermediate results than it may have.'
    : 'The query needs more memory than it may have.';
}

/** DuckDB counts bytes, but for what its parser refuses, which the guard has met before. */
function characterOffset(
  position: string | undefined,
  sql: string,
  prefixLength: number,
): number | undefined {
  if (position === undefined) return undefined;
  const offset = offsetOfByte(sql, Number(position)) - prefixLength;
  return offset < 0 ? undefined : offset;
}
