import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openWithinMs, uploadsName } from '../files.ts';
import { namesIn } from '../sweep.ts';
import { StorageError } from './errors.ts';

/** The local copies of files, up to a total size. The least recently used are removed first. */
export interface FileCache {
  /** Whether a copy of the file exists. It counts as used now. */
  use(path: string): boolean;
  /** Adds a copy that was written to the directory. */
  add(path: string, sizeBytes: number): void;
  /** Makes sure that nothing removes a file while `work` reads or writes it. */
  pin<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Reserves space while `work` writes a file. Throws a `StorageError` if there isn't enough, because the other files were
   * used a moment ago.
   */
  withSpace<Result>(sizeBytes: number, work: () => Promise<Result>): Promise<Result>;
  /** Removes the least recently used files until their size, with `moreBytes`, is allowed. */
  trim(moreBytes?: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Reads from the directory which files there are, and removes what a crash has left. */
  rescan(): Promise<void>;
  sizeBytes(): number;
}

/** The ending of a file that is being downloaded. */
export const downloadEnding = '.download';

interface Copy {
  readonly sizeBytes: number;
  readonly usedAt: number;
}

/** Returns the cache in a directory, which no other process uses. `rescan` finds the files that are already there. */
export function createFileCache(
  directory: string,
  maxBytes: number,
  now: () => number = Date.now,
): FileCache {
  /** In the order of their use. */
  const copies = new Map<string, Copy>();
  const pinned = new Map<string, number>();
  let totalBytes = 0;
  let reservedBytes = 0;

  function put(path: string, copy: Copy): void {
    forget(path);
    copies.set(path, copy);
    totalBytes += copy.sizeBytes;
  }

  function forget(path: string): void {
    totalBytes -= copies.get(path)?.sizeBytes ?? 0;
    copies.delete(path);
  }

  async function remove(path: string): Promise<void> {
    forget(path);
    await rm(path, { force: true });
  }

  const isTooLarge = (moreBytes: number) => totalBytes + reservedBytes + moreBytes > maxBytes;

  async function trim(moreBytes = 0): Promise<void> {
    const before = now() - openWithinMs;
    for (const [path, { usedAt }] of Array.from(copies)) {
      if (!isTooLarge(moreBytes)) return;
      if (usedAt < before && !pinned.has(path)) await remove(path);
    }
  }

  async function rescan(): Promise<void> {
    const found: [string, Copy][] = [];
    for (const path of await filesIn(directory)) {
      if (path.endsWith(downloadEnding)) {
        if (!pinned.has(path.slice(0, -downloadEnding.length))) await rm(path, { force: true });
        continue;
      }
      const file = await stat(path).catch(() => undefined);
      if (file === undefined) continue;
      found.push([path, { sizeBytes: file.size, usedAt: copies.get(path)?.usedAt ?? file.mtimeMs }]);
    }
    for (const path of Array.from(copies.keys())) if (!existsSync(path)) forget(path);
    for (const [path, copy] of found.toSorted(([, one], [, other]) => one.usedAt - other.usedAt))
      put(path, { ...copy, usedAt: copies.get(path)?.usedAt ?? copy.usedAt });
  }

  return {
    use(path) {
      const copy = copies.get(path);
      if (copy === undefined) return false;
      if (existsSync(path)) put(path, { ...copy, usedAt: now() });
      else forget(path);
      return copies.has(path);
    },
    add: (path, sizeBytes) => put(path, { sizeBytes, usedAt: now() }),
    async pin(path, work) {
      pinned.set(path, (pinned.get(path) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const count = (pinned.get(path) ?? 0) - 1;
        if (count > 0) pinned.set(path, count);
        else pinned.delete(path);
      }
    },
    async withSpace(sizeBytes, work) {
      await trim(sizeBytes);
      if (isTooLarge(sizeBytes)) {
        throw new StorageError(
          'full',
          `A file of ${sizeBytes} bytes does not fit into the cache of uploaded tables beside those that were just used. Increase ATRIUM_TABLES_CACHE_MB.`,
        );
      }
      reservedBytes += sizeBytes;
      try {
        return await work();
      } finally {
        reservedBytes -= sizeBytes;
      }
    },
    trim,
    remove,
    rescan,
    sizeBytes: () => totalBytes,
  };
}

/** Returns the paths of tables and uploads, and of unfinished downloads, but not of files that are being received or imported. */
async function filesIn(directory: string): Promise<string[]> {
  const paths: string[] = [];
  for (const organizationId of await namesIn(directory)) {
    for (const source of await namesIn(join(directory, organizationId))) {
      const ending = source === uploadsName ? '.upload' : '.duckdb';
      const below = join(directory, organizationId, source);
      for (const name of await namesIn(below))
        if (name.endsWith(ending) || name.endsWith(downloadEnding)) paths.push(join(below, name));
    }
  }
  return paths;
}
