import type { DuckDBConnection } from '@duckdb/node-api';
import { QueryFailure } from './query-failure.ts';
import { offsetOfByte, offsetOfCodePoint } from './text-offsets.ts';

/**
 * The functions in `FROM` that read nothing but the source's own rows and change nothing. None takes the name of a table
 * as a value, as `histogram(duckdb_settings, name)` does: that table is no node of the tree.
 */
const tableFunctions = new Set([
  'generate_series',
  'icu_calendar_names',
  'json_each',
  'json_tree',
  'pg_timezone_names',
  'range',
  'regexp_split_to_table',
  'repeat',
  'repeat_row',
  'summary',
  'test_all_types',
  'unnest',
]);

/** These write, tell of the server, or make one query see what another left. */
const refusedFunctions = new Set([
  'currval',
  'current_setting',
  'duckdb_logs_parsed',
  'duckdb_profiling_settings',
  'getvariable',
  'nextval',
  'pg_sleep',
  'setseed',
  'sleep_ms',
  'write_log',
]);

const schemas = new Set(['', 'main', 'information_schema']);
const rememberedCount = 200;

/**
 * Returns a check that throws `QueryFailure` unless the text is one `SELECT` over the named tables. DuckDB's own lock
 * leaves functions open that change the instance for later queries (`FROM enable_logging(…)`), read what lies in
 * memory (`arrow_scan`) or tell of the server's files (`duckdb_databases()`). So the tree that its own parser makes
 * is looked through, before anything is bound; nothing of it is guessed from the text.
 */
export function createGuard(
  tableNames: readonly string[],
): (connection: DuckDBConnection, sql: string) => Promise<void> {
  const tables = new Set(tableNames.map((name) => name.toLowerCase()));
  const allowed = new Set<string>();
  return async (connection, sql) => {
    if (allowed.has(sql)) return;
    const statements = await parse(connection, sql);
    if (statements.length !== 1) {
      throw new QueryFailure(
        'sql_error',
        statements.length === 0 ? 'There is no statement.' : 'There is more than one statement.',
      );
    }
    const refused = findRefused(statements, tables);
    if (refused !== undefined) {
      const { message, location } = refused;
      const offset = typeof location === 'number' ? offsetOfByte(sql, location) : undefined;
      throw new QueryFailure('sql_error', message, { offset });
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
      'Only a SELECT is run here, and PIVOT with the values in its IN (…).',
    );
  }
  const { position } = parsed;
  const offset = position === undefined ? undefined : offsetOfCodePoint(sql, Number(position));
  throw new QueryFailure('sql_error', parsed.error_message ?? 'The SQL cannot be read.', { offset });
}

interface Node {
  readonly type?: unknown;
  readonly class?: unknown;
  readonly function_name?: unknown;
  readonly function?: unknown;
  readonly table_name?: unknown;
  readonly schema_name?: unknown;
  readonly catalog_name?: unknown;
  readonly query_location?: unknown;
}

/** What of a query is not run, and where it stands, in bytes. */
interface Refused {
  readonly message: string;
  readonly location: unknown;
}

function findRefused(root: unknown, tables: ReadonlySet<string>): Refused | undefined {
  // A list instead of recursion: how deep the tree is, is up to the query.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null) continue;
    const message = faultOf(node, tables);
    if (message !== undefined) return { message, location: (node as Node).query_location };
    for (const child of Object.values(node) as unknown[]) left.push(child);
  }
  return undefined;
}

function faultOf(node: Node, tables: ReadonlySet<string>): string | undefined {
  if (node.type === 'TABLE_FUNCTION') {
    const name = functionName(node.function as Node);
    if (!tableFunctions.has(name)) return `The function ${name} cannot be used in FROM.`;
  }
  if (node.class === 'FUNCTION') {
    const name = functionName(node);
    if (refusedFunctions.has(name)) return `The function ${name} cannot be used.`;
  }
  return node.type === 'BASE_TABLE' ? faultOfTable(node, tables) : undefined;
}

function faultOfTable(node: Node, tables: ReadonlySet<string>): string | undefined {
  const [catalog = '', schema = '', name = ''] = [node.catalog_name, node.schema_name, node.table_name].map(
    (word) => (typeof word === 'string' ? word.toLowerCase() : ''),
  );
  if (catalog !== '' || !schemas.has(schema)) return `There is no schema ${catalog || schema}.`;
  // Views of the catalog about the server, and texts that DuckDB would take for the name of a file.
  const isOther = /^(duckdb_|pragma_|sqlite_|pg_)|[^\p{L}\p{N}_$ -]/u.test(name);
  return isOther && !tables.has(name) ? `There is no table ${name}.` : undefined;
}

const functionName = (node: Node): string => String(node.function_name).toLowerCase();
