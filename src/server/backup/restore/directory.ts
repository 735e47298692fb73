import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartError } from '../../base/errors.ts';
import { databaseFile, secretKeyFile, sourcesDirectory } from '../../storage/data-directory.ts';
import { syncPath } from '../../storage/file-facts.ts';
import { instanceFile } from '../../storage/instance.ts';
import { hasUnfinishedRestore, unfinishedRestoreFile } from '../../storage/unfinished-restore.ts';
import { copyWhole } from '../copy-file.ts';
import type { Manifest } from '../manifest.ts';
import type { OnStep } from './steps.ts';

/** The root directory of a file system has one by itself. */
const ofFileSystem = ['lost+found'];

/** What a server creates before it refuses to start on a restore that is not finished. */
const ofRefusedStart = ['server-lock', 'server-lock-journal', 'compiled-code'];

/** Creates a data directory. Throws a `StartError` if it has anything but what an unfinished restore has left. */
export async function requireRestorableDirectory(dataDirectory: string): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const isRepeated = hasUnfinishedRestore(dataDirectory);
  const own = [
    ...ofFileSystem,
    ...(isRepeated
      ? [...ofRefusedStart, basename(unfinishedRestoreFile(dataDirectory)), ...restoredNames(dataDirectory)]
      : []),
  ];
  const others = (await readdir(dataDirectory)).filter((name) => !own.includes(name));
  if (others.length === 0) return;
  throw new StartError(
    `ATRIUM_DATA_DIR: ${dataDirectory} is not empty, and restoring never overwrites anything. Stop the server, and move the ` +
      'directory away or set ATRIUM_DATA_DIR to an empty one.',
  );
}

/** Removes what an interrupted restore has left, except for its mark. */
export async function clearDirectory(dataDirectory: string): Promise<void> {
  for (const name of restoredNames(dataDirectory))
    await rm(join(dataDirectory, name), { recursive: true, force: true });
}

/** The names of everything that a restore creates in a data directory, apart from its mark. */
function restoredNames(dataDirectory: string): string[] {
  const database = basename(databaseFile(dataDirectory));
  return [
    basename(sourcesDirectory(dataDirectory)),
    basename(secretKeyFile(dataDirectory)),
    database,
    `${database}.restoring`,
    `${database}.restoring-journal`,
  ];
}

/** Copies everything of a backup except the database, and marks the files as belonging to the database with `instanceId`. */
export async function restoreFiles(
  directory: string,
  dataDirectory: string,
  { files }: Manifest,
  { instanceId, onStep }: { readonly instanceId: string; readonly onStep: OnStep },
): Promise<void> {
  for (const { path } of files) {
    if (!isInDataDirectory(path)) continue;
    await copyWhole(join(directory, path), join(dataDirectory, path));
    await onStep('file copied');
  }
  const marker = instanceFile(dataDirectory);
  await mkdir(sourcesDirectory(dataDirectory), { recursive: true, mode: 0o700 });
  await writeFile(marker, `${instanceId}\n`, { flag: 'wx', mode: 0o600, flush: true });
  const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name));
  await syncPath(dataDirectory);
}

const isInDataDirectory = (path: string): boolean => path.startsWith('sources/') || path === 'secret-key';

/** Returns how many bytes a restore writes into the data directory. */
export const bytesToRestore = ({ files }: Manifest): number =>
  files.reduce(
    (sum, { path, sizeBytes }) =>
      sum + (isInDataDirectory(path) || path === basename(databaseFile('')) ? sizeBytes : 0),
    0,
  );
