import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { daysMs, type Clock } from '../base/clock.ts';
import { fromPieces, toPieces, type CachedResult } from './cached-result.ts';

type Age = Pick<CachedResult, 'computedAt' | 'sequence'>;

/** The part of a result on disk that stays in memory. The file has the rest of the facts in its first line, then the JSON. */
interface StoredFile extends Age {
  readonly file: string;
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
 * in files under `directory`, up to `maxDiskBytes`. Replicas can share the directory.
 */
export function createResultCache(options: {
  readonly directory: string;
  readonly maxMemoryBytes: number;
  readonly maxDiskBytes: number;
}): ResultCache {
  const directory = join(options.directory, randomUUID());
  mkdirSync(directory, { recursive: true });
  const working = new Set<Promise<void>>();
  /** Results that are being written to disk. */
  const beingWritten = new Map<string, CachedResult>();
  /** Reads in progress, by file: simultaneous requests share one read. */
  const beingRead = new Map<string, Promise<CachedResult | undefined>>();
  let isClosed = false;

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
    const { columns, computedAt, sequence } = result;
    // The result was read from disk, so it is still there.
    if (onDisk.peek(key)?.sequence === sequence) return;
    const file = join(directory, randomUUID());
    const head = Buffer.from(`${JSON.stringify({ columns, computedAt, sequence })}\n`);
    beingWritten.set(key, result);
    try {
      await mkdir(directory, { recursive: true });
      await writeFile(file, [head, ...toPieces(result)], { mode: 0o600 });
      if (isNewerKnown(key, sequence)) await rm(file, { force: true });
      else {
        const sizeBytes = memoryOf(result) + fileOverheadBytes;
        onDisk.set(key, { computedAt, sequence, file, sizeBytes }, { ttl: leftMs });
      }
    } finally {
      if (beingWritten.get(key) === result) beingWritten.delete(key);
    }
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
    const found = beingRead.get(file) ?? readResult(file).finally(() => beingRead.delete(file));
    beingRead.set(file, found);
    const result = await found;
    if (result !== undefined && !isNewerKnown(key, result.sequence)) inMemory.set(key, result, { ttl });
    return result;
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
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns undefined if the file no longer exists. */
async function readResult(file: string): Promise<CachedResult | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf('\n');
  // Sound because only `moveToDisk` writes such files.
  const facts = JSON.parse(bytes.toString('utf8', 0, end)) as Parameters<typeof fromPieces>[0];
  return fromPieces(facts, [bytes.subarray(end + 1)]);
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

/**
 * Removes the directories of processes that have crashed. Everything in a directory that hasn't changed for a day has expired, and
 * a running process creates its own again when it needs it.
 */
export async function sweepResults(clock: Clock, directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
    if (changedAt < clock() - maxAgeMs) await rm(path, { recursive: true, force: true });
  }
}
