import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartError } from '../../base/errors.ts';
import { lockDataDirectory, serverLockFile } from '../../storage/data-directory.ts';
import type { Database } from '../../storage/database.ts';
import { isMarked, isSameInstance } from '../../storage/instance.ts';
import { knownSchemaVersion } from '../../storage/migrations/migrations.ts';
import {
  findUnfinishedRestore,
  hasUnfinishedRestore,
  markDatabaseFinished,
  markDatabaseUnfinished,
  markDirectoryFinished,
  markDirectoryUnfinished,
} from '../../storage/unfinished-restore.ts';
import { readManifest, type Manifest } from '../manifest.ts';
import { describeFailure, requireSpace } from '../space.ts';
import type { TableCheck } from '../verify/table-check.ts';
import { verifyBackup, type Verified } from '../verify/backup.ts';
import { bytesToRestore, clearDirectory, requireRestorableDirectory, restoreFiles } from './directory.ts';
import { requireRestorable, restorePostgres } from './postgres.ts';
import { restoreSqlite } from './sqlite.ts';
import type { OnStep } from './steps.ts';

/** Where a backup is restored. */
export interface RestorePlace {
  readonly dataDirectory: string;
  /** Opens the database of `DATABASE_URL`, without changing it; undefined for the embedded database. */
  readonly openServer: (() => Promise<Database>) | undefined;
  readonly secretKeys: readonly [string, ...string[]] | undefined;
  readonly tableCheck: TableCheck;
  readonly onStep?: OnStep;
}

/**
 * Restores a backup into an empty data directory and, on PostgreSQL, an empty database, after it has verified the backup: first
 * the files, then the database. From before it verifies the backup until everything is in place, both are marked, so that no
 * server starts on them, however the process ends; the same command then begins again. The server that is restored gets a new
 * id, so that its database is never used with the files of the original, and everyone has to sign in again. Throws a
 * `StartError`, and then nothing was changed, or the server refuses to start.
 */
export async function restoreBackup(path: string, place: RestorePlace): Promise<Verified> {
  const directory = resolve(path);
  const manifest = await readManifest(directory);
  requireUsable(manifest, place.openServer !== undefined);
  const database = await place.openServer?.();
  try {
    await requireRestorableDirectory(place.dataDirectory);
    return await withMarks(directory, place, { manifest, database });
  } finally {
    await database?.close();
  }
}

function requireUsable({ schemaVersion, atriumVersion, engine }: Manifest, isServer: boolean): void {
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

/** What is restored, and into which database; undefined if it is embedded. */
interface Restored {
  readonly manifest: Manifest;
  readonly database: Database | undefined;
}

/**
 * Marks the place, restores into it, and removes the marks. If the process fails before anything was changed, it leaves nothing,
 * not even a mark.
 */
async function withMarks(
  directory: string,
  place: RestorePlace,
  { manifest, database }: Restored,
): Promise<Verified> {
  const { dataDirectory, onStep = () => {} } = place;
  const isComplete = database !== undefined && (await isInPlace(database, dataDirectory));
  if (database !== undefined && !isComplete) await requireRestorable(database, directory, manifest);
  const undo: (() => Promise<unknown>)[] = [];
  let isUnchanged = true;
  let release: (() => void) | undefined;
  try {
    if (await markDirectoryUnfinished(dataDirectory, directory))
      undo.push(() => markDirectoryFinished(dataDirectory));
    else isUnchanged = false;
    // Two restores at the same time would remove each other's files.
    release = lockDataDirectory(dataDirectory);
    if (isUnchanged) undo.push(() => rm(serverLockFile(dataDirectory), { force: true }));
    if (database !== undefined && !isComplete) {
      if (await markDatabaseUnfinished(database, directory))
        undo.push(() => database.writeSlowly(markDatabaseFinished));
      else isUnchanged = false;
    }
    await onStep('marked');
    const verified = await verifyBackup(directory, place.secretKeys, place.tableCheck);
    requireWhole(verified);
    await onStep('verified');
    if (!isComplete) {
      await requireSpace(dataDirectory, bytesToRestore(manifest), 'restore');
      isUnchanged = false;
      await restoreInto(directory, { ...place, onStep }, { manifest, database });
    }
    await onStep('database restored');
    await markDirectoryFinished(dataDirectory);
    return verified;
  } catch (error) {
    const failure = describeFailure(error, dataDirectory, 'restore');
    if (!isUnchanged) throw toUnfinished(failure, dataDirectory);
    for (const step of undo.toReversed()) await step();
    throw failure;
  } finally {
    release?.();
  }
}

/** Whether a restore was interrupted after the database had been restored, the last change that it makes. */
const isInPlace = async (database: Database, dataDirectory: string): Promise<boolean> =>
  hasUnfinishedRestore(dataDirectory) &&
  isMarked(dataDirectory) &&
  (await findUnfinishedRestore(database)) === undefined &&
  (await isSameInstance(database, dataDirectory));

function requireWhole({ faults }: Verified): void {
  if (faults.length === 0) return;
  throw new StartError(
    `The backup is damaged, so nothing was restored:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

async function restoreInto(
  directory: string,
  { dataDirectory, onStep }: { readonly dataDirectory: string; readonly onStep: OnStep },
  { manifest, database }: Restored,
): Promise<void> {
  const restored = { instanceId: randomUUID(), onStep };
  await clearDirectory(dataDirectory);
  try {
    await restoreFiles(directory, dataDirectory, manifest, restored);
    await onStep('files copied');
    if (database === undefined) await restoreSqlite(directory, dataDirectory, manifest, restored);
  } catch (error) {
    // The disk may be full, and the next attempt begins again.
    await clearDirectory(dataDirectory).catch(() => undefined);
    throw error;
  }
  if (database !== undefined) await restorePostgres(database, directory, manifest, restored);
}

const toUnfinished = (error: Error, dataDirectory: string): StartError =>
  new StartError(
    `${error.message}\nThe restore into ${dataDirectory} is not finished, and no server starts on it. Run the command again when ` +
      'the cause is gone.',
    { cause: error },
  );
