import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/errors.ts';
import { databaseFile, sourcesDirectory } from '../storage/data-directory.ts';
import type { Database } from '../storage/database.ts';
import { syncPath } from '../storage/file-facts.ts';
import { instanceFile } from '../storage/instance.ts';
import { knownSchemaVersion, migrate, readSchemaVersion } from '../storage/migrations/migrations.ts';
import { contentOf } from './content.ts';
import { copyWhole } from './copy-file.ts';
import { insertRows } from './dump/rows.ts';
import type { Manifest } from './manifest.ts';
import { dumpFile } from './snapshot.ts';
import type { TableCheck } from './verify/table-check.ts';
import { verifyBackup, type Verified } from './verify/backup.ts';

/** Where a backup is restored. */
export interface RestorePlace {
  readonly dataDirectory: string;
  /** Opens the database of `DATABASE_URL`, without changing it; undefined for the embedded database. */
  readonly openServer: (() => Promise<Database>) | undefined;
  readonly secretKeys: readonly [string, ...string[]] | undefined;
  readonly tableCheck: TableCheck;
}

/**
 * Restores a backup into an empty data directory and, on PostgreSQL, an empty database, after it has verified the backup. The
 * server that is restored gets a new id, so that its database is never used with the files of the original, and everyone has
 * to sign in again. Throws a `StartError`, and then nothing was changed, or the server refuses to start.
 */
export async function restoreBackup(directory: string, place: RestorePlace): Promise<Verified> {
  const { dataDirectory, openServer } = place;
  const verified = await verifyBackup(directory, place.secretKeys, place.tableCheck);
  const { manifest, faults } = verified;
  requireRestorable(manifest, openServer !== undefined);
  if (faults.length > 0)
    throw new StartError(
      `The backup is damaged, so nothing was restored:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  await requireEmptyDirectory(dataDirectory);
  const instanceId = randomUUID();
  if (openServer === undefined) {
    await restoreFiles(directory, dataDirectory, manifest, instanceId);
    await restoreSqlite(directory, dataDirectory, manifest, instanceId);
    return verified;
  }
  const database = await openServer();
  try {
    await restorePostgres(database, directory, manifest, instanceId);
  } finally {
    await database.close();
  }
  await restoreFiles(directory, dataDirectory, manifest, instanceId);
  return verified;
}

function requireRestorable({ schemaVersion, atriumVersion, engine }: Manifest, isServer: boolean): void {
  if (schemaVersion > knownSchemaVersion) {
    throw new StartError(
      `The backup is from Atrium ${atriumVersion}, whose schema has version ${schemaVersion}. This program knows versions up ` +
        `to ${knownSchemaVersion}. Use Atrium ${atriumVersion} or later.`,
    );
  }
  if ((engine === 'PostgreSQL') === isServer) return;
  throw new StartError(
    isServer
      ? 'The backup is of an embedded database (SQLite). Unset DATABASE_URL to restore it.'
      : 'The backup is of a PostgreSQL database. Set DATABASE_URL to an empty database to restore it.',
  );
}

async function requireEmptyDirectory(dataDirectory: string): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  // The root directory of a file system has one by itself.
  const names = (await readdir(dataDirectory)).filter((name) => name !== 'lost+found');
  if (names.length === 0) return;
  throw new StartError(
    `ATRIUM_DATA_DIR: ${dataDirectory} is not empty, and restoring never overwrites anything. Stop the server, and move the ` +
      'directory away or set ATRIUM_DATA_DIR to an empty one.',
  );
}

/** Copies everything except the database. */
async function restoreFiles(
  directory: string,
  dataDirectory: string,
  { files }: Manifest,
  instanceId: string,
): Promise<void> {
  for (const { path } of files) {
    if (path.startsWith('sources/') || path === 'secret-key')
      await copyWhole(join(directory, path), join(dataDirectory, path));
  }
  const marker = instanceFile(dataDirectory);
  await mkdir(sourcesDirectory(dataDirectory), { recursive: true, mode: 0o700 });
  await writeFile(marker, `${instanceId}\n`, { flag: 'wx', mode: 0o600, flush: true });
  const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name));
}

/** The database gets its name last: a server doesn't start on a directory that has files of tables, but no database. */
async function restoreSqlite(
  directory: string,
  dataDirectory: string,
  { rowCounts }: Manifest,
  instanceId: string,
): Promise<void> {
  const file = databaseFile(dataDirectory);
  const draft = `${file}.restoring`;
  await copyWhole(databaseFile(directory), draft);
  const database = new DatabaseSync(draft, { enableForeignKeyConstraints: true });
  try {
    database.exec('begin');
    for (const statement of dropsOfTriggers(database)) database.exec(statement);
    for (const statement of changesOfRestore(rowCounts, instanceId)) database.exec(statement);
    database.exec('commit');
  } finally {
    database.close();
  }
  await syncPath(draft);
  await rename(draft, file);
  await syncPath(dirname(file));
}

/** Atrium has no triggers. One in the file of a backup would run now, and at each write of the server. */
const dropsOfTriggers = (database: DatabaseSync): string[] =>
  database
    .prepare("select name from sqlite_schema where type = 'trigger'")
    .all()
    .map(({ name }) => `drop trigger "${String(name).replaceAll('"', '""')}"`);

async function restorePostgres(
  database: Database,
  directory: string,
  { database: format, schemaVersion, instanceId: originalId, rowCounts }: Manifest,
  instanceId: string,
): Promise<void> {
  const isEmpty = (await readSchemaVersion(database)) === 0;
  if (format === 'dump') {
    const [instance] = isEmpty ? [] : await Array.fromAsync(contentOf(database).rowsOf('instance'));
    if (instance?.['id'] !== originalId) {
      throw new StartError(
        `The database of the backup is in ${join(directory, dumpFile)}. Restore it into the database of DATABASE_URL with the ` +
          'program that belongs to your dump command, such as `pg_restore --no-owner --dbname NAME`. Then run this ' +
          'command again, which restores the rest.',
      );
    }
  } else if (!isEmpty) {
    throw new StartError(
      'DATABASE_URL: the database is not empty, and restoring never overwrites anything. Set DATABASE_URL to a new database.',
    );
  } else await migrate(database, { toVersion: schemaVersion });
  await database.writeSlowly(async (transaction) => {
    if (format === 'rows') await insertRows(transaction, directory, rowCounts);
    for (const statement of changesOfRestore(rowCounts, instanceId)) await transaction.execute(statement);
  });
}

/**
 * What must not come back: sessions, links and attempts that may have been ended or used since the backup, and files that were
 * not in it. Children come before their parents.
 */
const transientTables = [
  'sso_id_tokens',
  'sso_attempts',
  'sessions',
  'pending_sign_ins',
  'passkey_challenges',
  'password_resets',
  'dashboard_editors',
  'dashboard_streams',
  // A link that was revoked after the backup must not work again.
  'display_links',
  // What was pending may have been delivered since the backup.
  'webhook_deliveries',
  'uploads',
  'file_leases',
  'limited_attempts',
  'jobs',
];

const changesOfRestore = (rowCounts: Manifest['rowCounts'], instanceId: string): string[] => [
  ...transientTables.filter((table) => table in rowCounts).map((table) => `delete from ${table}`),
  `update instance set id = '${instanceId}' where key = 1`,
];
