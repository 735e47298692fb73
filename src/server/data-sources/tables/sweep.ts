import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { daysMs, hoursMs, timestamp, type Clock } from '../../base/clock.ts';
import { codeOf } from '../../base/errors.ts';
import { removeLeftDirectories } from '../../engine/sandbox/worker-directories.ts';
import type { Reader } from '../../storage/database.ts';
import { uploadExpiresMs } from '../uploads/store.ts';
import { quarantineName, temporaryName, uploadsName } from './files.ts';
import { areFilesHeld } from './leases.ts';
import { selectFiles } from './table-store.ts';

/** A file that wasn't written to for this long isn't part of an upload in progress, in this or another process. */
export const uploadAgeMs = hoursMs(1);
/** Longer than any query runs. */
const spillAgeMs = daysMs(1);
/** Long enough to notice that files are missing, and to move them back. */
export const quarantineMs = daysMs(7);

/** How many files were moved, and where to. */
export interface Quarantined {
  readonly count: number;
  readonly directory: string;
}

/**
 * Removes the intermediate results of queries whose process was killed, and moves files that belong to no table to a
 * quarantine for a week: `quarantine/{day}/{organization}/{data source}/{file}`. They aren't deleted at once, since it may be
 * the database that is incomplete. While a backup or an export holds the files of tables, none of those is moved. `stopped` ends the sweep
 * between two directories.
 */
export async function sweepSourceFiles(
  reader: Reader,
  clock: Clock,
  { directory, isSole }: { readonly directory: string; readonly isSole: boolean },
  stopped: AbortSignal,
  onQuarantined: (moved: Quarantined) => void,
): Promise<void> {
  const quarantine = join(directory, quarantineName);
  const today = join(quarantine, dayOf(clock()));
  let count = 0;
  try {
    for (const organizationId of await namesIn(directory)) {
      if (organizationId === quarantineName) continue;
      for (const name of await namesIn(join(directory, organizationId))) {
        if (stopped.aborted) return;
        const path = join(directory, organizationId, name);
        if (name === temporaryName) await sweepSpilled(clock, path, isSole);
        else if (name === uploadsName) await sweepUploads(clock, path);
        else {
          for await (const file of unknownFiles(reader, clock, path, {
            organizationId,
            dataSourceId: name,
          })) {
            if (await moveTo(join(today, relative(directory, file)), file)) count += 1;
          }
        }
      }
    }
  } finally {
    if (count > 0) onQuarantined({ count, directory: today });
  }
  await emptyQuarantine(clock, quarantine);
}

/** Removes the files that were never imported. Their rows are deleted by another job. */
async function sweepUploads(clock: Clock, path: string): Promise<void> {
  for (const name of await namesIn(path)) {
    const file = join(path, name);
    if (await isOlder(file, clock() - uploadExpiresMs - uploadAgeMs)) await rm(file, { force: true });
  }
}

/** Yields the files of a data source that belong to none of its tables, and removes its directory if it is empty. */
async function* unknownFiles(
  reader: Reader,
  clock: Clock,
  path: string,
  { organizationId, dataSourceId }: { readonly organizationId: string; readonly dataSourceId: string },
): AsyncGenerator<string> {
  // Listed before the rows are read: every file in the list has its row by then, unless it is new or belongs to no table.
  const names = await namesIn(path);
  const known = new Set(await selectFiles(reader, dataSourceId));
  if (await areFilesHeld(reader, clock, organizationId)) return;
  const before = clock() - uploadAgeMs;
  for (const name of names) {
    if (!known.has(name) && (await isOlder(join(path, name), before))) yield join(path, name);
  }
  // Fails if a file was added since, and then the directory stays.
  if (names.length === 0 && (await isOlder(path, before))) await rmdir(path).catch(() => undefined);
}

/** Returns false if another process has moved the file first. */
async function moveTo(target: string, file: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true });
  try {
    await rename(file, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Removes the days that ended more than a week ago. Entries with other names are left: the server didn't create them. */
async function emptyQuarantine(clock: Clock, quarantine: string): Promise<void> {
  const lastDay = dayOf(clock() - quarantineMs);
  for (const day of await namesIn(quarantine)) {
    if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day < lastDay)
      await rm(join(quarantine, day), { recursive: true, force: true });
  }
}

/** Returns the day of a time, such as `2026-11-22`, in UTC. */
export const dayOf = (time: number): string => timestamp(time).slice(0, 10);

/**
 * Removes the intermediate results of queries whose process was killed: at once if the process ran on this machine or no other
 * server uses the data directory (`isSole`), otherwise when they are old.
 */
export async function sweepSpilled(clock: Clock, path: string, isSole: boolean): Promise<void> {
  const before = clock() - spillAgeMs;
  for (const name of await removeLeftDirectories(path, isSole)) {
    const entry = join(path, name);
    const inside = await readdir(entry, { recursive: true, withFileTypes: true }).catch(() => undefined);
    const files = inside
      ?.filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name));
    for (const file of files ?? [entry]) if (await isOlder(file, before)) await rm(file, { force: true });
  }
}

/** Whether a file exists and was last changed before a time. */
export async function isOlder(path: string, before: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < before;
}

/** Returns the names in a directory; none if it doesn't exist. */
export const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);
