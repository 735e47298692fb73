import { outOfMemory, QueryFailure, queryStopped } from '../failure.ts';
import { offsetOfByte } from '../text-offsets.ts';

/** The JSON of an error of DuckDB, with the setting `errors_as_json`. */
interface DuckDbError {
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly position?: string;
}

/**
 * Returns the failure for an error of DuckDB. `sql` is the text that caused it; its first `prefixLength` characters were
 * added to the author's text.
 */
export function duckdbFailure(error: unknown, sql: string, prefixLength = 0): QueryFailure {
  if (error instanceof QueryFailure) return error;
  const {
    exception_type: type,
    exception_message: message = 'DuckDB failed without a message.',
    position,
  } = read(error);
  switch (type) {
    case 'Out of Memory':
      // DuckDB's own message contains settings and a directory that concern only the operator.
      return message.includes('max_temp_directory_size') ? outOfDiskSpace(error) : outOfMemory(error);
    case 'INTERRUPT':
    case 'Interrupt':
      return queryStopped(error);
    case 'FATAL':
    case 'Fatal':
    case 'INTERNAL':
    case 'Internal':
      return new QueryFailure('worker_lost', 'This query caused an internal error in DuckDB.', {
        cause: error,
      });
    case 'Permission':
      return new QueryFailure(
        'sql_error',
        'Queries cannot access files or the network, or change settings.',
        {
          cause: error,
        },
      );
    case 'IO':
      // DuckDB's message contains paths on the server.
      return new QueryFailure('worker_lost', 'The server cannot read or write a file that the query needs.', {
        cause: error,
      });
    case undefined:
    default:
      return new QueryFailure('sql_error', message, {
        offset: characterOffset(position, sql, prefixLength),
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

const outOfDiskSpace = (cause: unknown): QueryFailure =>
  new QueryFailure(
    'out_of_memory',
    'The query needs more disk space for intermediate results than is allowed. Select fewer rows or columns.',
    { cause },
  );

/** DuckDB reports positions in bytes. Only its parser doesn't, but the guard has already reported what the parser rejects. */
function characterOffset(
  position: string | undefined,
  sql: string,
  prefixLength: number,
): number | undefined {
  if (position === undefined) return undefined;
  const offset = offsetOfByte(sql, Number(position)) - prefixLength;
  return offset < 0 ? undefined : offset;
}
