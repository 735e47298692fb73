import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../base/errors.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import { databaseFile, sourcesDirectory } from '../../storage/data-directory.ts';
import type { Database } from '../../storage/database.ts';
import { readFacts } from '../../storage/file-facts.ts';
import { checkSqlite } from '../../storage/sqlite/snapshot.ts';
import { contentOf } from '../content.ts';
import { countRows, listTables } from '../dump/rows.ts';
import { recordChecksum } from '../store.ts';
import { checkSecrets } from './secrets.ts';
import { listStoredFiles, type StoredFile } from '../stored-tables.ts';
import type { TableCheck } from './table-check.ts';

/** Dependencies of checking a server that may be in use. */
export interface VerifyDependencies {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly dataDirectory: string;
  /** Whether uploaded tables are in the data directory. */
  readonly hasLocalTables: boolean;
  readonly tableCheck: TableCheck;
  /** How fast files of tables may be read. */
  readonly bytesPerSecond: number;
}

/** Reads and opens everything that a server has stored, and returns what is damaged or missing. */
export async function verifyServer(
  dependencies: VerifyDependencies,
): Promise<{ readonly faults: readonly string[]; readonly notes: readonly string[] }> {
  const { database, secretBox, dataDirectory, hasLocalTables } = dependencies;
  const faults = (await checkDatabase(database, dataDirectory)).map((fault) => `the database: ${fault}`);
  try {
    const content = contentOf(database);
    for (const file of hasLocalTables ? await listStoredFiles(content) : [])
      faults.push(...(await checkStoredFile(dependencies, file)));
    faults.push(...(await checkSecrets(content, secretBox)).faults);
  } catch (error) {
    if (faults.length === 0) throw error;
  }
  return { faults, notes: hasLocalTables ? [] : [remoteTablesNote] };
}

const remoteTablesNote =
  'Uploaded tables are on S3-compatible storage (ATRIUM_TABLES_URL), and were not checked. Each is checked when it is downloaded.';

async function checkDatabase(database: Database, dataDirectory: string): Promise<string[]> {
  if (database.engine === 'SQLite') return checkSqlite(databaseFile(dataDirectory));
  try {
    // Reads every row's page, which fails if its checksum is wrong.
    await database.writeSlowly(async (transaction) => countRows(transaction, await listTables(transaction)));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function checkStoredFile(dependencies: VerifyDependencies, table: StoredFile): Promise<string[]> {
  const { database, dataDirectory } = dependencies;
  const path = join(sourcesDirectory(dataDirectory), table.path);
  const faults = await findFaults(dependencies, path, table);
  // It may have been replaced or deleted in the meantime.
  if (faults.length > 0 && !(await isStillStored(database, table))) return [];
  return faults.map((fault) => `the table ${table.name} (sources/${table.path}): ${fault}`);
}

async function findFaults(
  { database, tableCheck, bytesPerSecond }: VerifyDependencies,
  path: string,
  table: StoredFile,
): Promise<string[]> {
  try {
    const { sizeBytes, sha256 } = await readFacts(path, atMost(bytesPerSecond));
    if (sizeBytes !== table.sizeBytes)
      return [`its file has ${sizeBytes} bytes, and should have ${table.sizeBytes}`];
    if (table.sha256 !== null && sha256 !== table.sha256)
      return ['the content of its file has changed: the checksum is different'];
    const faults = await tableCheck.findFaults(path, table);
    if (faults.length === 0 && table.sha256 === null) await recordChecksum(database, table, sha256);
    return faults;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ['its file is missing'];
    return [`its file cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Returns a function that waits so that chunks are read at most at a speed. */
function atMost(bytesPerSecond: number): (chunkBytes: number) => Promise<void> {
  const startedAt = performance.now();
  let readBytes = 0;
  return async (chunkBytes) => {
    readBytes += chunkBytes;
    const aheadMs = (readBytes / bytesPerSecond) * 1_000 - (performance.now() - startedAt);
    if (aheadMs > 20) await delay(aheadMs);
  };
}

const isStillStored = async (database: Database, { path }: StoredFile): Promise<boolean> =>
  (await listStoredFiles(contentOf(database))).some((table) => table.path === path);
