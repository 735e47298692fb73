import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { daysMs } from '../base/clock.ts';
import type { QueryRows } from '../engine/worker/messages.ts';

/** The rows of a query, and when the source gave them, in milliseconds since 1970. */
export interface CachedResult extends QueryRows {
  readonly computedAt: number;
}

/** What of a result stays in memory when the rest is on disk: all else before the first line break, and its rows. */
interface ShelvedResult {
  readonly computedAt: number;
  readonly file: string;
  readonly sizeBytes: number;
}

/** In milliseconds since 1970. */
export interface Period {
  readonly since: number;
  readonly now: number;
}

const isWithin = ({ computedAt }: { readonly computedAt: number }, { since, now }: Period): boolean =>
  computedAt >= since && computedAt <= now;

/** Results by what decides them. Who may see one is asked before. */
export interface ResultCache {
  /**
   * Returns a result that was computed at `since` or later, or undefined. One from after `now` was computed while the
   * clock was ahead: how old it is, nobody knows.
   */
  find(key: string, period: Period): Promise<CachedResult | undefined>;
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
  /** By file: who asks for the same at once is given the same. */
  const reading = new Map<string, Promise<CachedResult | undefined>>();
  let isClosed = false;

  const onDisk = new LRUCache<string, ShelvedResult>({
    maxSize: options.maxDiskBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
    dispose: ({ file }) => track(rm(file, { force: true })),
  });
  const inMemory = new LRUCache<string, CachedResult>({
    maxSize: options.maxMemoryBytes,
    sizeCalculation: sizeOf,
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
    const { computedAt } = head;
    if (onDisk.peek(key)?.computedAt === computedAt) return;
    const file = join(directory, randomUUID());
    await mkdir(directory, { recursive: true });
    await writeFile(file, [Buffer.from(`${JSON.stringify(head)}\n`), rowsJson], { mode: 0o600 });
    if (isNewerKnown(key, computedAt)) await rm(file, { force: true });
    else onDisk.set(key, { computedAt, file, sizeBytes: sizeOf(result) + fileOverheadBytes });
  }

  /** Writing takes its time: meanwhile the same may have been computed anew. */
  const isNewerKnown = (key: string, computedAt: number): boolean =>
    [inMemory.peek(key)?.computedAt, onDisk.peek(key)?.computedAt].some(
      (other = computedAt) => other > computedAt,
    );

  async function takeFromDisk(key: string, period: Period): Promise<CachedResult | undefined> {
    const shelved = onDisk.get(key);
    if (shelved === undefined || !isWithin(shelved, period)) return undefined;
    const { file } = shelved;
    const found = reading.get(file) ?? readResult(file).finally(() => reading.delete(file));
    reading.set(file, found);
    const result = await found;
    if (result !== undefined && !isNewerKnown(key, result.computedAt)) inMemory.set(key, result);
    return result;
  }

  return {
    async find(key, period) {
      const result = inMemory.get(key);
      if (result === undefined) return takeFromDisk(key, period);
      return isWithin(result, period) ? result : undefined;
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

/** Returns undefined for a file that is no more. */
async function readResult(file: string): Promise<CachedResult | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf('\n');
  // Sound because only `shelve` writes such files.
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<CachedResult, 'rowsJson'>;
  return { ...head, rowsJson: bytes.subarray(end + 1) };
}

/** What an entry costs, about, and a column of it, beside its rows and names. */
const overheadBytes = 1024;
const columnOverheadBytes = 100;
/** What a file takes of its disk, and what of it stays in memory, however small it is. */
const fileOverheadBytes = 8 * 1024;

const sizeOf = ({ rowsJson, columns }: CachedResult): number =>
  columns.reduce(
    (sizeBytes, { name, sourceType }) =>
      sizeBytes + 2 * (name.length + sourceType.length) + columnOverheadBytes,
    rowsJson.byteLength + overheadBytes,
  );

/** No result is kept for longer than a day, so that a directory at rest for two is that of a process that has broken off. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (changedAt < Date.now() - daysMs(2)) rmSync(path, { recursive: true, force: true });
  }
}
