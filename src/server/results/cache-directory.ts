import { mkdirSync, rmSync, type StatsFs } from 'node:fs';
import { mkdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { daysMs, minutesMs, type Clock } from '../base/clock.ts';
import {
  isOfProcess,
  makeWorkerDirectory,
  removeLeftDirectories,
} from '../engine/sandbox/worker-directories.ts';

/** The directory of one process in that of all cached results. Replicas can share the latter. */
export interface CacheDirectory {
  /** Returns the path of the directory, and creates it if somebody has removed it. */
  ensure(): Promise<string>;
  /** Whether the disk has space for this many bytes, and enough for everything else. */
  hasSpaceFor(bytes: number): Promise<boolean>;
  remove(): void;
}

/** Returns how much of the disk of a directory is free, in blocks. */
export type ReadDisk = (path: string) => Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>>;

/** How often a process shows that its directory is in use, and how long after the last time it has crashed. */
export const touchEveryMs = minutesMs(1);
const crashedAfterMs = minutesMs(15);

/** How long a directory of an unknown name stays. */
const unknownForMs = daysMs(1);

/**
 * Creates the directory of this process, and removes those of processes that have crashed. `onLowSpace` is called every minute
 * while the disk is nearly full. If the directory can't be created, nothing is cached there until it can.
 */
export function createCacheDirectory(
  parent: string,
  onLowSpace: () => void,
  readDisk: ReadDisk = statfs,
): CacheDirectory {
  let path = tryToMake(parent);
  void sweepResults(Date.now, parent).catch(() => undefined);
  const hasSpaceFor = async (bytes: number): Promise<boolean> => {
    const { bavail, blocks, bsize } = await readDisk(parent);
    return bavail * bsize - bytes >= reserveOf(blocks * bsize);
  };
  const beat = async (): Promise<void> => {
    const now = new Date();
    if (path !== undefined) await utimes(path, now, now);
    if (!(await hasSpaceFor(0))) onLowSpace();
  };
  const timer = setInterval(() => void beat().catch(() => undefined), touchEveryMs).unref();
  return {
    async ensure() {
      path ??= makeIn(parent);
      await mkdir(path, { recursive: true, mode: 0o700 });
      return path;
    },
    hasSpaceFor,
    remove() {
      clearInterval(timer);
      if (path !== undefined) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** What stays free of a disk for writes that can't be computed again: a tenth, and at most 1 GiB. */
const reserveOf = (diskBytes: number): number => Math.min(diskBytes / 10, 1024 ** 3);

/**
 * Removes the directories of processes that have crashed: at once if they were on this machine, or else when they have not shown
 * for a while that they run. A running process creates its own again when it needs it.
 */
export async function sweepResults(clock: Clock, parent: string): Promise<void> {
  for (const name of await removeLeftDirectories(parent, false)) {
    const path = join(parent, name);
    const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
    if (clock() - changedAt > (isOfProcess(name) ? crashedAfterMs : unknownForMs))
      await rm(path, { recursive: true, force: true });
  }
}

function makeIn(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return makeWorkerDirectory(parent);
}

function tryToMake(parent: string): string | undefined {
  try {
    return makeIn(parent);
  } catch {
    return undefined;
  }
}
