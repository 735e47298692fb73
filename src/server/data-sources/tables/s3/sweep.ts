import { join } from 'node:path';
import { daysMs, type Clock } from '../../../base/clock.ts';
import type { Reader } from '../../../storage/database.ts';
import { uploadExpiresMs } from '../../uploads/store.ts';
import { quarantineName, temporaryName, uploadsName } from '../files.ts';
import {
  dayOf,
  isOlder,
  namesIn,
  quarantineMs,
  sweepSpilled,
  uploadAgeMs,
  type Quarantined,
} from '../sweep.ts';
import { selectFiles } from '../table-store.ts';
import type { FileCache } from './cache.ts';
import { toStorageError } from './errors.ts';
import type { ListedObject, Objects } from './objects.ts';

/** Longer than any upload takes. */
const partsAgeMs = daysMs(1);

/**
 * Deletes objects that have belonged to no table for a week, uploads that were never imported, and parts of uploads that were
 * never completed. Where a file would be moved to quarantine, an object gets a marker `quarantine/{day}/{key}`: it stays
 * where it is, so that it can be queried again as soon as its row is restored, and no large object has to be copied. No backup
 * holds objects: `server backup` only copies files of a data directory.
 */
export async function sweepObjects(
  reader: Reader,
  clock: Clock,
  objects: Objects,
  stopped: AbortSignal,
  onQuarantined: (marked: Quarantined) => void,
): Promise<void> {
  await objects.abortUploads(clock() - partsAgeMs).catch((error: unknown) => {
    // Some servers can't list these uploads.
    if (toStorageError(error).fault === 'unreachable') throw error;
  });
  const today = `${quarantineName}/${dayOf(clock())}`;
  const markers = await readMarkers(objects.list(`${quarantineName}/`));
  const lastDay = dayOf(clock() - quarantineMs);
  let count = 0;

  async function sweepTable({ key, modifiedAt }: ListedObject, isKnown: boolean): Promise<void> {
    const marker = markers.get(key);
    markers.delete(key);
    if (isKnown) {
      if (marker !== undefined) await objects.remove(marker.key);
    } else if (marker === undefined) {
      if (modifiedAt >= clock() - uploadAgeMs) return;
      await objects.writeText(`${today}/${key}`, '');
      count += 1;
    } else if (marker.day < lastDay) {
      await objects.remove(key);
      await objects.remove(marker.key);
    }
  }

  try {
    for await (const { organizationId, name, listed } of groups(objects.list(''))) {
      if (stopped.aborted) return;
      if (name === uploadsName) {
        const before = clock() - uploadExpiresMs - uploadAgeMs;
        for (const { key, modifiedAt } of listed) if (modifiedAt < before) await objects.remove(key);
        continue;
      }
      // Listed before the rows are read: each file has its row by then, unless it is new or belongs to no table.
      const known = new Set(await selectFiles(reader, name));
      for (const object of listed)
        await sweepTable(object, known.has(object.key.slice(`${organizationId}/${name}/`.length)));
    }
    // What is left belongs to objects that no longer exist.
    for (const { key, day } of markers.values()) if (day < lastDay) await objects.remove(key);
  } finally {
    if (count > 0)
      onQuarantined({ count, directory: `s3://${objects.place.bucket}/${objects.place.prefix}${today}` });
  }
}

interface Marker {
  readonly key: string;
  readonly day: string;
}

/** Returns the markers of objects in quarantine, by the key of the object. Ignores other objects below `quarantine/`. */
async function readMarkers(listed: AsyncIterable<ListedObject>): Promise<Map<string, Marker>> {
  const markers = new Map<string, Marker>();
  for await (const { key } of listed) {
    const [, day, marked] = /^[^/]+\/(\d{4}-\d{2}-\d{2})\/([^/]+\/[^/]+\/[^/]+)$/.exec(key) ?? [];
    if (day !== undefined && marked !== undefined) markers.set(marked, { key, day });
  }
  return markers;
}

interface Group {
  readonly organizationId: string;
  /** The id of a data source, or the name of the directory of uploads. */
  readonly name: string;
  readonly listed: readonly ListedObject[];
}

/** Yields the files of each data source. Ignores objects with other keys, which the server didn't store. */
async function* groups(listed: AsyncIterable<ListedObject>): AsyncGenerator<Group> {
  let group: (Group & { listed: ListedObject[] }) | undefined;
  for await (const object of listed) {
    const [organizationId, name, file, ...rest] = object.key.split('/');
    if (organizationId === undefined || name === undefined || file === undefined || rest.length > 0) continue;
    if (organizationId === quarantineName) continue;
    if (group?.organizationId !== organizationId || group.name !== name) {
      if (group !== undefined) yield group;
      group = { organizationId, name, listed: [] };
    }
    group.listed.push(object);
  }
  if (group !== undefined) yield group;
}

/** Removes the copies of files that were deleted, perhaps by another server, and what was left by a process that was killed. */
export async function sweepCache(
  reader: Reader,
  clock: Clock,
  { directory, cache }: { readonly directory: string; readonly cache: FileCache },
  stopped: AbortSignal,
): Promise<void> {
  for (const organizationId of await namesIn(directory)) {
    for (const name of await namesIn(join(directory, organizationId))) {
      if (stopped.aborted) return;
      const path = join(directory, organizationId, name);
      if (name === temporaryName) {
        await sweepSpilled(clock, path, true);
        continue;
      }
      const names = await namesIn(path);
      const known = new Set(name === uploadsName ? [] : await selectFiles(reader, name));
      const before = clock() - (name === uploadsName ? uploadExpiresMs : 0) - uploadAgeMs;
      for (const file of names)
        if (!known.has(file) && (await isOlder(join(path, file), before)))
          await cache.remove(join(path, file));
    }
  }
  await cache.rescan();
}
