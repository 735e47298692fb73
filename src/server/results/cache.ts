import { rm } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { daysMs } from '../base/clock.ts';
import { createCacheDirectory, type ReadDisk } from './cache-directory.ts';
import type { CachedResult } from './cached-result.ts';
import { readResult, writeResult, type StoredResult } from './stored-result.ts';

type Age = Pick<CachedResult, 'computedAt' | 'sequence'>;

/** The part of a result on disk that stays in memory. */
interface StoredFile extends Age, StoredResult {
  readonly sizeBytes: number;
}

/**
 * The longest time that a result is cached, in memory and on disk together. It also limits how long results of a deleted organization
 * stay.
 */
const maxAgeMs = daysMs(1);

/** Results by key. The caller checks who may see them. */
export interface ResultCache {
  /** Returns the result of a key if it is cached and fresh. */
  find(key: string, isFresh: (age: Age) => boolean): Promise<CachedResult | undefined>;
  put(key: string, result: CachedResult): void;
  /** Waits for pending writes, and removes all files. */
  close(): Promise<void>;
}

/**
 * Returns an empty cache. The most recently used results are in memory, up to `maxMemoryBytes`. Those that no longer fit are
 * in files under `directory`, up to `maxDiskBytes`, and only while the disk is far from full: then the files are removed, and
 * their results are computed again. Replicas can share the directory.
 */
export function createResultCache(options: {
  readonly directory: string;
  readonly maxMemoryBytes: number;
  readonly maxDiskBytes: number;
  /** Called when results can't be written to disk, or read from there, once until that works again. */
  readonly onDiskFailure?: ((error: unknown) => void) | undefined;
  readonly readDisk?: ReadDisk;
}): ResultCache {
  const directory = createCacheDirectory(options.directory, () => onDisk.clear(), options.readDisk);
  const working = new Set<Promise<void>>();
  /** Results that are being written to disk. */
  const beingWritten = new Map<string, CachedResult>();
  /** Reads in progress, by file: simultaneous requests share one read. */
  const beingRead = new Map<string, Promise<CachedResult | undefined>>();
  let isClosed = false;
  let isFailing = false;
  /** The size of the files that are being written, which the disk doesn't count yet. */
  let pendingBytes = 0;

  const onDisk = new LRUCache<string, StoredFile>({
    maxSize: options.maxDiskBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
    ttl: maxAgeMs,
    ttlAutopurge: true,
    dispose: ({ file }) => track(rm(file, { force: true })),
  });
  const inMemory = new LRUCache<string, CachedResult>({
    maxSize: options.maxMemoryBytes,
    sizeCalculation: memoryOf,
    ttl: maxAgeMs,
    ttlAutopurge: true,
    dispose: (result, key, reason) => {
      const leftMs = inMemory.getRemainingTTL(key);
      if (reason === 'evict' && leftMs > 0 && !isClosed) track(moveToDisk(key, result, leftMs));
    },
  });

  function track(work: Promise<void>): void {
    // What cannot be written is computed again.
    const done = work.catch(() => {}).finally(() => working.delete(done));
    working.add(done);
  }

  async function moveToDisk(key: string, result: CachedResult, leftMs: number): Promise<void> {
    const { computedAt, sequence } = result;
    // The result was read from disk, so it is still there.
    if (onDisk.peek(key)?.sequence === sequence) return;
    const sizeBytes = memoryOf(result) + fileOverheadBytes;
    beingWritten.set(key, result);
    pendingBytes += sizeBytes;
    try {
      const path = await directory.ensure();
      if (!(await directory.hasSpaceFor(pendingBytes))) return;
      const stored = await writeResult(path, result);
      isFailing = false;
      if (isNewerKnown(key, sequence)) await rm(stored.file, { force: true });
      else onDisk.set(key, { ...stored, computedAt, sequence, sizeBytes }, { ttl: leftMs });
    } catch (error) {
      report(error);
    } finally {
      pendingBytes -= sizeBytes;
      if (beingWritten.get(key) === result) beingWritten.delete(key);
    }
  }

  function report(error: unknown): void {
    if (!isFailing) options.onDiskFailure?.(error);
    isFailing = true;
  }

  /** Whether the same query has run again while a result was being read or written. */
  const isNewerKnown = (key: string, sequence: number): boolean =>
    [inMemory.peek(key), beingWritten.get(key), onDisk.peek(key)].some(
      (other) => other !== undefined && other.sequence > sequence,
    );

  async function findOnDisk(key: string, isFresh: (age: Age) => boolean): Promise<CachedResult | undefined> {
    const stored = onDisk.get(key);
    if (stored === undefined || !isFresh(stored)) return undefined;
    const { file } = stored;
    // At least 1, since 0 would mean that it never expires.
    const ttl = Math.max(1, onDisk.getRemainingTTL(key));
    const found = beingRead.get(file) ?? read(key, stored).finally(() => beingRead.delete(file));
    beingRead.set(file, found);
    const result = await found;
    if (result !== undefined && !isNewerKnown(key, result.sequence)) inMemory.set(key, result, { ttl });
    return result;
  }

  /** Returns undefined if the file can't be read, or is damaged: the result is computed again. */
  async function read(key: string, stored: StoredFile): Promise<CachedResult | undefined> {
    try {
      return await readResult(stored);
    } catch (error) {
      if (onDisk.peek(key) !== stored) return undefined;
      onDisk.delete(key);
      report(error);
      return undefined;
    }
  }

  return {
    async find(key, isFresh) {
      const result = inMemory.get(key) ?? beingWritten.get(key);
      if (result === undefined) return findOnDisk(key, isFresh);
      return isFresh(result) ? result : undefined;
    },
    put(key, result) {
      beingWritten.delete(key);
      onDisk.delete(key);
      inMemory.set(key, result);
    },
    async close() {
      isClosed = true;
      while (working.size > 0) await Promise.all(working);
      directory.remove();
    },
  };
}

/** The approximate memory of an entry and of each column, in addition to the JSON and the names. */
const overheadBytes = 1024;
const columnOverheadBytes = 100;
/** The approximate disk space of a small file, and the memory for its entry. */
const fileOverheadBytes = 8 * 1024;

const memoryOf = ({ sizeBytes, columns }: CachedResult): number =>
  columns.reduce(
    (sum, { name, sourceType }) => sum + 2 * (name.length + sourceType.length) + columnOverheadBytes,
    sizeBytes + overheadBytes,
  );
