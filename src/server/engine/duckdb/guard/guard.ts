import type { DuckDBConnection } from '@duckdb/node-api';
import { findFault } from './tree.ts';
import { QueryFailure } from '../../failure.ts';
import { offsetOfByte, offsetOfCodePoint } from '../../text-offsets.ts';

const rememberedCount = 200;

/**
 * Returns a check that throws `QueryFailure` unless the text is one `SELECT` over the named tables that uses only the
 * functions, types and syntax in our lists. DuckDB's own lock-down still allows functions that run SQL or a plan from a
 * value (`json_serialize_plan`), read memory at an address (`arrow_scan`), change the instance for later queries
 * (`enable_logging`) or describe the server (`duckdb_databases`). So the parse tree that DuckDB itself produces is checked
 * before anything is planned; nothing is guessed from the text. `unavailable` has the error message of each table that
 * can't be read or is in the trash, by its name in lower case.
 */
export function createGuard(
  tableNames: readonly string[],
  unavailable: ReadonlyMap<string, string> = new Map(),
): (connection: DuckDBConnection, sql: string) => Promise<void> {
  const tables = new Set(tableNames.map((name) => name.toLowerCase()));
  const allowed = new Set<string>();
  let systemViews: ReadonlySet<string> | undefined;
  return async (connection, sql) => {
    if (allowed.has(sql)) return;
    const statements = await parse(connection, sql);
    if (statements.length !== 1) {
      throw new QueryFailure(
        'sql_error',
        statements.length === 0
          ? 'The SQL has no statement. Write a SELECT.'
          : 'The SQL has more than one statement. Write a single SELECT.',
      );
    }
    systemViews ??= await findSystemViews(connection);
    const fault = findFault(statements, { tables, systemViews, unavailable });
    if (fault !== undefined) {
      const { message, location, typo } = fault;
      const suggestion = typo === undefined ? undefined : await findClosest(connection, typo);
      throw new QueryFailure(
        'sql_error',
        suggestion === undefined ? message : `${message} Did you mean ${suggestion}?`,
        { offset: location === undefined ? undefined : offsetOfByte(sql, location) },
      );
    }
    if (allowed.size === rememberedCount) allowed.clear();
    allowed.add(sql);
  };
}

interface Parsed {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

async function parse(connection: DuckDBConnection, sql: string): Promise<readonly unknown[]> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  const parsed = JSON.parse(String(reader.value(0, 0))) as Parsed;
  if (!parsed.error) return parsed.statements ?? [];
  if (parsed.error_type === 'not implemented') {
    throw new QueryFailure(
      'sql_error',
      'Only SELECT statements can be run, and PIVOT with a list of values in IN (…).',
    );
  }
  const { position } = parsed;
  const offset = position === undefined ? undefined : offsetOfCodePoint(sql, Number(position));
  throw new QueryFailure('sql_error', parsed.error_message ?? 'The SQL cannot be parsed.', { offset });
}

/** DuckDB's built-in views, which a name refers to where a query's own WITH of that name is out of scope. */
async function findSystemViews(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const views = await connection.runAndReadAll('SELECT view_name FROM duckdb_views() WHERE internal');
  return new Set(views.getRows().map(([name]) => String(name).toLowerCase()));
}

/** Returns the candidate that looks most like the word, if one does. */
async function findClosest(
  connection: DuckDBConnection,
  { word, candidates }: { readonly word: string; readonly candidates: readonly string[] },
): Promise<string | undefined> {
  const reader = await connection.runAndReadAll(
    `SELECT candidate FROM (SELECT unnest(string_split($1::VARCHAR, chr(10))) AS candidate)
     WHERE jaro_winkler_similarity(candidate, $2::VARCHAR) > 0.85
     ORDER BY jaro_winkler_similarity(candidate, $2::VARCHAR) DESC, candidate LIMIT 1`,
    [candidates.join('\n'), word.slice(0, 100)],
  );
  const [closest] = reader.getRows()[0] ?? [];
  return typeof closest === 'string' ? closest : undefined;
}
