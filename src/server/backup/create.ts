import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { timestamp, type Clock } from '../base/clock.ts';
import { codeOf } from '../base/errors.ts';
import { holdingFiles } from '../data-sources/tables/leases.ts';
import { databaseFile, secretKeyFile, sourcesDirectory } from '../storage/data-directory.ts';
import type { Database } from '../storage/database.ts';
import { readFacts, syncPath } from '../storage/file-facts.ts';
import { findInstanceId } from '../storage/instance.ts';
import { claimDirectory, NotEmptyError, requireEmpty } from './claim.ts';
import { copyWhole, linkOrCopy } from './copy-file.ts';
import type { DumpCommand } from './dump/command.ts';
import { incompleteFile, writeManifest, type BackupFile, type Manifest } from './manifest.ts';
import { describeFailure, requireSpace } from './space.ts';
import { snapshotPostgres, snapshotSqlite, type Snapshot } from './snapshot.ts';
import type { StoredFile } from './stored-tables.ts';

/** Dependencies of a backup. */
export interface BackupDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataDirectory: string;
  readonly version: string;
}

export interface BackupOptions {
  readonly withKey: boolean;
  readonly dumpCommand?: DumpCommand | undefined;
  /** Called before the files of tables are copied, while they are held. */
  readonly onDatabaseCopied?: () => Promise<void>;
}

/**
 * Creates a backup in a directory that is empty or doesn't exist, while the server is in use. The database comes first, as of
 * one moment; every file of a table that it refers to still exists when it is copied, since the files are held meanwhile. If
 * this fails, the directory is removed. Throws a `StartError`.
 */
export async function createBackup(
  dependencies: BackupDependencies,
  path: string,
  options: BackupOptions,
): Promise<Manifest> {
  const { database, clock } = dependencies;
  const directory = resolve(path);
  const instanceId = (await findInstanceId(database)) ?? '';
  await requireEmpty(directory);
  try {
    await claimDirectory(directory, instanceId);
    const manifest = await holdingFiles(database, clock, 'backup', () =>
      copyEverything(dependencies, directory, options),
    );
    await rm(incompleteFile(directory));
    await syncDirectories(directory);
    await writeManifest(directory, manifest);
    await syncPath(dirname(directory));
    return manifest;
  } catch (error) {
    if (!(error instanceof NotEmptyError)) await rm(directory, { recursive: true, force: true });
    throw describeFailure(error, directory, 'backup');
  }
}

async function copyEverything(
  { database, clock, dataDirectory, version }: BackupDependencies,
  directory: string,
  { withKey, dumpCommand, onDatabaseCopied }: BackupOptions,
): Promise<Manifest> {
  const createdAt = timestamp(clock());
  await requireSpace(
    directory,
    database.engine === 'SQLite' ? await sizeOf(databaseFile(dataDirectory)) : 0,
    'backup',
  );
  const { format, tables, faults, ...described }: Snapshot =
    database.engine === 'SQLite'
      ? await snapshotSqlite(dataDirectory, directory)
      : await snapshotPostgres(database, directory, dumpCommand);
  await onDatabaseCopied?.();
  const databaseFiles = await describeFiles(directory);
  await requireSpace(
    directory,
    await bytesToCopy(sourcesDirectory(dataDirectory), directory, tables),
    'backup',
  );
  const copied = await copyTables(sourcesDirectory(dataDirectory), directory, tables);
  const { secretKey, files: keyFiles } = await copyKey(dataDirectory, directory, withKey);
  return {
    format: 1,
    atriumVersion: version,
    engine: database.engine,
    database: format,
    createdAt,
    ...described,
    secretKey,
    files: [...databaseFiles, ...keyFiles, ...copied.files],
    faults: [...faults, ...copied.faults],
  };
}

/** Copies or links the file of each table. One that is missing or damaged is a fault, and doesn't prevent the backup. */
async function copyTables(
  sources: string,
  directory: string,
  tables: readonly StoredFile[],
): Promise<{ files: BackupFile[]; faults: string[] }> {
  const files: BackupFile[] = [];
  const faults: string[] = [];
  for (const { path, name, sizeBytes, sha256, rowCount, columns } of tables) {
    try {
      const known = sha256 === null ? {} : { sha256 };
      const facts = await linkOrCopy(join(sources, path), join(sourcesDirectory(directory), path), known);
      if (facts.sizeBytes !== sizeBytes || (sha256 !== null && facts.sha256 !== sha256))
        faults.push(`the file of the table ${name} is damaged: sources/${path}`);
      files.push({ path: `sources/${path}`, ...facts, table: { name, rowCount, columns } });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      faults.push(`the file of the table ${name} is missing: sources/${path}`);
    }
  }
  return { files, faults };
}

async function copyKey(
  dataDirectory: string,
  directory: string,
  withKey: boolean,
): Promise<{ secretKey: Manifest['secretKey']; files: BackupFile[] }> {
  const key = secretKeyFile(dataDirectory);
  if (!existsSync(key)) return { secretKey: 'absent', files: [] };
  if (!withKey) return { secretKey: 'left out', files: [] };
  await copyWhole(key, secretKeyFile(directory));
  const facts = await readFacts(secretKeyFile(directory));
  return { secretKey: 'included', files: [{ path: 'secret-key', ...facts }] };
}

async function describeFiles(directory: string): Promise<BackupFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files: BackupFile[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path === incompleteFile(directory)) continue;
    files.push({ path: relative(directory, path).split(sep).join('/'), ...(await readFacts(path)) });
  }
  return files;
}

async function syncDirectories(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const directories = entries
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const each of [directory, ...directories]) await syncPath(each);
}

/** Files on the same file system are linked, which needs no space. */
async function bytesToCopy(
  sources: string,
  directory: string,
  tables: readonly StoredFile[],
): Promise<number> {
  if (tables.length === 0 || !existsSync(sources)) return 0;
  const isSameDevice = (await stat(sources)).dev === (await stat(directory)).dev;
  return isSameDevice ? 0 : tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;
