import { join } from 'node:path';
import { databaseFile } from '../storage/data-directory.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { checkSqlite, copySqlite } from '../storage/sqlite/snapshot.ts';
import { contentOf, raw, withSqliteFile, type Content } from './content.ts';
import { countRows, dumpRows, listTables } from './dump/rows.ts';
import type { DatabaseFormat } from './manifest.ts';
import { runDumpCommand, type DumpCommand } from './dump/command.ts';
import { listStoredFiles, type StoredFile } from './stored-tables.ts';

/** The copy of a database as of one moment, with the files that it refers to. */
export interface Snapshot {
  readonly format: DatabaseFormat;
  readonly schemaVersion: number;
  readonly instanceId: string;
  readonly rowCounts: Readonly<Record<string, number>>;
  readonly tables: readonly StoredFile[];
  /** The damage that the copy has, since the database has it. */
  readonly faults: readonly string[];
}

/** Copies the embedded database into a directory. */
export async function snapshotSqlite(dataDirectory: string, directory: string): Promise<Snapshot> {
  const target = databaseFile(directory);
  await copySqlite(databaseFile(dataDirectory), target);
  const faults = checkSqlite(target).map((fault) => `the database is damaged: ${fault}`);
  return withSqliteFile(target, async (content) => ({
    format: 'sqlite',
    ...(await describe(content)),
    rowCounts: countSqliteRows(content.database),
    tables: await listStoredFiles(content),
    faults,
  }));
}

/** Returns the number of rows of each table, without the index of words, whose tables are SQLite's own. */
export function countSqliteRows(
  database: Parameters<Parameters<typeof withSqliteFile>[1]>[0]['database'],
): Record<string, number> {
  const names = database
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name`,
    )
    .all();
  return Object.fromEntries(
    names.map(({ name }) => {
      const row = database.prepare(`select count(*) as count from "${String(name)}"`).get();
      return [String(name), Number(row?.['count'])];
    }),
  );
}

/**
 * Copies a PostgreSQL database into a directory, or runs the operator's `dumpCommand` for this. Both see the same moment,
 * since the transaction's snapshot is handed to the command.
 */
export function snapshotPostgres(
  database: Database,
  directory: string,
  dumpCommand: DumpCommand | undefined,
): Promise<Snapshot> {
  return database.writeSlowly(async (transaction) => {
    await transaction.execute('set transaction isolation level repeatable read, read only');
    const content = contentOf(transaction);
    const tables = await listTables(transaction);
    const rowCounts =
      dumpCommand === undefined
        ? await dumpRows(transaction, directory, tables)
        : await countRows(transaction, tables);
    if (dumpCommand !== undefined)
      await runDumpCommand(dumpCommand, join(directory, dumpFile), await exportSnapshot(transaction));
    return {
      format: dumpCommand === undefined ? 'rows' : 'dump',
      ...(await describe(content)),
      rowCounts,
      tables: await listStoredFiles(content),
      faults: [],
    };
  });
}

/** The name of the output of a dump command in a backup. */
export const dumpFile = 'database.dump';

async function exportSnapshot(transaction: Transaction): Promise<string> {
  const [row] = await transaction.all(raw<{ id: string }>('select pg_export_snapshot() as id'), {});
  return row?.id ?? '';
}

async function describe(content: Content): Promise<{ schemaVersion: number; instanceId: string }> {
  const [version] = await Array.fromAsync(content.rowsOf('schema_version'));
  const [instance] = await Array.fromAsync(content.rowsOf('instance'));
  return { schemaVersion: Number(version?.['version']), instanceId: String(instance?.['id']) };
}
