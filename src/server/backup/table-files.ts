import { isDeepStrictEqual } from 'node:util';
import { tmpdir } from 'node:os';
import type { BackupFile } from './manifest.ts';

/** Returns the faults of the file of a table whose checksum is correct: whether it opens, and has the rows and columns. */
export async function checkTableFile(
  file: string,
  table: NonNullable<BackupFile['table']>,
): Promise<string[]> {
  // Loaded only here, since its library is large.
  const { readTableFile } = await import('../engine/duckdb/table-file.ts');
  try {
    const { columns, rowCount } = await readTableFile(file, tmpdir());
    return [
      ...(rowCount === table.rowCount ? [] : [`it has ${rowCount} rows, and should have ${table.rowCount}`]),
      ...(isDeepStrictEqual(columns, table.columns)
        ? []
        : ['its columns are not those that the database describes']),
    ];
  } catch (error) {
    return [
      `it cannot be opened: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
    ];
  }
}
