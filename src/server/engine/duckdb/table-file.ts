import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column } from '#contract/data-sources.ts';
import { defaultLimits } from '../limits.ts';
import { createInstance, quoteText } from './instance.ts';
import { columnsOf } from './rows.ts';

/** Returns the columns and the number of rows of an uploaded table's file. Rejects if it can't be opened. */
export async function readTableFile(
  file: string,
  temporaryDirectory: string,
): Promise<{ readonly columns: readonly Column[]; readonly rowCount: number }> {
  const instance = await createInstance(temporaryDirectory, defaultLimits);
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH ${quoteText(file)} AS checked (READ_ONLY)`);
    await connection.run('SET enable_external_access = false');
    await requireTable(connection);
    const columns = columnsOf(await connection.run('FROM checked.main.data LIMIT 0'));
    const counted = await connection.runAndReadAll('SELECT count(*) FROM checked.main.data');
    return { columns, rowCount: Number(counted.value(0, 0)) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A view could run any query, even one without an end, in a process that nothing isolates or limits. */
async function requireTable(connection: DuckDBConnection): Promise<void> {
  const found = await connection.runAndReadAll(
    "FROM duckdb_tables() WHERE database_name = 'checked' AND schema_name = 'main' AND table_name = 'data'",
  );
  if (found.currentRowCount !== 1) throw new Error('It does not have the table of an upload.');
}
