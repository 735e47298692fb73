import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { daysMs } from '../base/clock.ts';
import type { QueryRows } from '../queries/query-messages.ts';

/** The rows of a query, and when the source gave them, in milliseconds since 1970. */
export interface CachedResult extends QueryRows {
  readonly computedAt: number;
}

/** What of a result stays in memory when its rows are on disk. */
interface ShelvedResult {
  readonly head: Omit<CachedResult, 'rowsJson'>;
  readonly file: string;
  readonly sizeBytes: number;
}

/** Results by what decides them. Who may see one is asked before. */
export interface ResultCache {
  /** Returns a result that was computed at `since` or later, or undefined. */
  find(key: string, since: number): Promise<CachedResult | undefined>;
  put(key: string, result: CachedResult): void;
  /** Waits for what is being written, and removes all files. */
  close(): Promise<void>;
}

/**
 * Returns an empty cache. The results used last are in memory, up to `maxMemoryBytes`; what does not fit there any more
 * is in files under `directory`, up to `maxDiskBytes`. Replicas may share the directory.
 */
export function createResultCache(options: {
  readonly directory: string;
  readonly maxMemoryBytes: number;
  readonly maxDiskBytes: number;
}): ResultCache {
  const directory = join(options.directory, randomUUID());
  mkdirSync(directory, { recursive: true });
  removeLeftovers(options.directory);
  const writing = new Set<Promise<void>>();
  let isClosed = false;

  const onDisk = new LRUCache<string, ShelvedResult>({
    maxSize: options.maxDiskBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
    dispose: ({ file }) => track(rm(file, { force: true })),
  });
  const inMemory = new LRUCache<string, CachedResult>({
    maxSize: options.maxMemoryBytes,
    sizeCalculation: ({ rowsJson }) => rowsJson.byteLength + overheadBytes,
    dispose: (result, key, reason) => {
      if (reason === 'evict' && !isClosed) track(shelve(key, result));
    },
  });

  function track(work: Promise<void>): void {
    // What cannot be written is computed again.
    const done = work.catch(() => {}).finally(() => writing.delete(done));
    writing.add(done);
  }

  async function shelve(key: string, result: CachedResult): Promise<void> {
    const { rowsJson, ...head } = result;
    // It came from there, and is there still.
    if (onDisk.peek(key)?.head.computedAt === head.computedAt) return;
    const file = join(directory, randomUUID());
    await mkdir(directory, { recursive: true });
    await writeFile(file, rowsJson, { mode: 0o600 });
    if (isNewerKnown(key, head.computedAt)) await rm(file, { force: true });
    else onDisk.set(key, { head, file, sizeBytes: rowsJson.byteLength + overheadBytes });
  }

  /** Writing takes its time: meanwhile the same may have been computed anew. */
  const isNewerKnown = (key: string, computedAt: number): boolean =>
    [inMemory.peek(key)?.computedAt, onDisk.peek(key)?.head.computedAt].some(
      (other = computedAt) => other > computedAt,
    );

  async function takeFromDisk(key: string, since: number): Promise<CachedResult | undefined> {
    const shelved = onDisk.get(key);
    if (shelved === undefined || shelved.head.computedAt < since) return undefined;
    const rowsJson = await readFile(shelved.file).catch(() => undefined);
    if (rowsJson === undefined) return undefined;
    const result = { ...shelved.head, rowsJson };
    if (!isNewerKnown(key, result.computedAt)) inMemory.set(key, result);
    return result;
  }

  return {
    async find(key, since) {
      const result = inMemory.get(key);
      if (result === undefined) return takeFromDisk(key, since);
      return result.computedAt < since ? undefined : result;
    },
    put(key, result) {
      onDisk.delete(key);
      inMemory.set(key, result);
    },
    async close() {
      isClosed = true;
      while (writing.size > 0) await Promise.all(writing);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What an entry costs beside its rows, about. */
const overheadBytes = 1024;

/** No result is kept for longer than a day, so that a directory at rest for two is that of a process that has broken off. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (changedAt < Date.now() - daysMs(2)) rmSync(path, { recursive: true, force: true });
  }
}
