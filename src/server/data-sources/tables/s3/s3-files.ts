import { rm } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { AtriumError } from '../../../base/errors.ts';
import type { Reader } from '../../../storage/database.ts';
import type { RemoteFiles, WantedFile } from '../files.ts';
import type { Quarantined } from '../sweep.ts';
import { instanceKey } from './claim.ts';
import { createFileCache, type FileCache } from './cache.ts';
import { download } from './download.ts';
import { StorageError, toStorageError } from './errors.ts';
import { createStorageHealth, type StorageListener, type StorageState } from './health.ts';
import type { ObjectLimits, Objects } from './objects.ts';
import { sweepCache, sweepObjects } from './sweep.ts';

/** Files that are objects on S3-compatible storage. Their paths are those of copies in a local cache. */
export interface S3Files extends RemoteFiles {
  readonly objects: Objects;
  readonly cache: FileCache;
  /** Rejects unless the storage works and belongs to this database. */
  check(): Promise<void>;
  state(): StorageState & { readonly cacheBytes: number; readonly maxCacheBytes: number };
  listen(listener: StorageListener): void;
  /** Deletes what belongs to no table: see `sweepObjects`. */
  sweepObjects(
    clock: Clock,
    stopped: AbortSignal,
    onQuarantined: (marked: Quarantined) => void,
  ): Promise<void>;
  /** Removes copies of deleted files: see `sweepCache`. */
  sweepCache(clock: Clock, stopped: AbortSignal): Promise<void>;
}

/** How many files of one data source are downloaded at the same time. */
const parallelDownloads = 4;

export interface S3FilesOptions {
  readonly reader: Reader;
  readonly directory: string;
  readonly maxCacheBytes: number;
  readonly limits: ObjectLimits;
  /** Rejects unless the bucket belongs to this database. Awaited before the first file is stored. */
  readonly claim: () => Promise<void>;
}

/** Returns the files of a bucket, after reading which of them have copies in the directory. */
export async function createS3Files(
  objects: Objects,
  { reader, directory, maxCacheBytes, limits, claim }: S3FilesOptions,
): Promise<S3Files> {
  const cache = createFileCache(directory, maxCacheBytes);
  await cache.rescan();
  const health = createStorageHealth(async () => {
    await objects.readText(instanceKey);
    await claim();
  });
  const stopping = new AbortController();
  const downloads = new Map<string, Promise<void>>();
  const keyOf = (path: string): string => relative(directory, path).split(sep).join('/');

  async function watched<Result>(key: string | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      health.succeeded(key);
      return result;
    } catch (error) {
      health.failed(toStorageError(error), key);
      throw error;
    }
  }

  /** Downloads a file, for everyone who waits for it. */
  function fetchOnce(file: WantedFile): Promise<void> {
    const { path } = file;
    const running =
      downloads.get(path) ??
      cache.pin(path, () => downloadFile(keyOf(path), file)).finally(() => downloads.delete(path));
    downloads.set(path, running);
    return running;
  }

  async function downloadFile(key: string, file: WantedFile): Promise<void> {
    const damage = health.findDamage(key);
    if (damage !== undefined) throw damage;
    const attempt = () => download({ objects, cache, limits }, { key, file }, stopping.signal);
    await watched(key, () =>
      attempt().catch(async (error: unknown) => {
        if (toStorageError(error).fault !== 'full') throw error;
        // The disk has other files, too, so everything that isn't in use makes room.
        await cache.trim(Infinity);
        return attempt();
      }),
    );
  }

  /** Does nothing while the storage fails, so that nobody waits for it again. */
  async function removeObjects(keys: AsyncIterable<string> | readonly string[]): Promise<void> {
    if (!health.state().isReachable) return;
    const work = async () => {
      for await (const key of keys) await objects.remove(key);
    };
    await watched(undefined, work).catch(() => undefined);
  }

  async function* keysBelow(path: string): AsyncGenerator<string> {
    for await (const { key } of objects.list(`${keyOf(path)}/`)) yield key;
  }

  async function fetchAll(files: readonly WantedFile[]): Promise<ReadonlyMap<string, StorageError>> {
    const faults = new Map<string, StorageError>();
    const waiting = files.filter(({ path }) => !cache.use(path));
    const fetchNext = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const { path } = file;
        await fetchOnce(file).catch((error: unknown) => faults.set(path, toStorageError(error)));
      }
    };
    await Promise.all(Array.from({ length: parallelDownloads }, fetchNext));
    // Counts them as used from now on, also the first of downloads that took long.
    for (const { path } of files) {
      if (!faults.has(path) && !cache.use(path))
        faults.set(path, new StorageError('full', 'The files do not fit into the cache together.'));
    }
    return faults;
  }

  return {
    directory,
    objects,
    cache,
    check: () => watched(undefined, claim),
    async store(path, facts) {
      try {
        await cache.pin(path, () =>
          watched(undefined, async () => {
            await claim();
            await objects.put(keyOf(path), path, facts);
          }),
        );
      } catch (cause) {
        throw new AtriumError(
          'unavailable',
          'The file was not stored, because the storage of uploaded tables is not available. Try again later.',
          { cause },
        );
      }
      cache.add(path, facts.sizeBytes);
      await cache.trim();
    },
    fetch: fetchAll,
    async require(file) {
      const cause = (await fetchAll([file])).get(file.path);
      if (cause === undefined) return;
      throw new AtriumError(
        'unavailable',
        'The file cannot be read at the moment. Try again later, or upload it again.',
        { cause },
      );
    },
    async remove(path) {
      health.forget(keyOf(path));
      await cache.remove(path);
      await removeObjects([keyOf(path)]);
    },
    async removeDirectory(path) {
      await rm(path, { recursive: true, force: true });
      await cache.rescan();
      await removeObjects(keysBelow(path));
    },
    state: () => ({ ...health.state(), cacheBytes: cache.sizeBytes(), maxCacheBytes }),
    listen: health.listen,
    async sweepObjects(clock, stopped, onQuarantined) {
      // Nothing is deleted from a bucket that may belong to another database.
      await watched(undefined, claim);
      await sweepObjects(reader, clock, objects, stopped, onQuarantined);
    },
    sweepCache: (clock, stopped) => sweepCache(reader, clock, { directory, cache }, stopped),
    close() {
      stopping.abort();
      health.close();
      objects.close();
    },
  };
}
