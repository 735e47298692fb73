import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, type StatsFs } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { daysMs, minutesMs, type Clock } from '../base/clock.ts';

/** The directory of one process in that of all cached results. Replicas can share the latter. */
export interface CacheDirectory {
  readonly path: string;
  /** Creates the directory, if somebody has removed it. */
  ensure(): Promise<void>;
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

/** The directories of this process: tests have several. */
const ownNames = new Set<string>();

const ownHost = hash('sha256', hostname()).slice(0, 12);

/**
 * Creates the directory of this process, and removes those of processes that have crashed. `onLowSpace` is called every minute
 * while the disk is nearly full. If the directory can't be created, nothing is cached there until it can.
 */
export function createCacheDirectory(
  parent: string,
  onLowSpace: () => void,
  readDisk: ReadDisk = statfs,
): CacheDirectory {
  const name = `${ownHost}-${process.pid}-${randomUUID()}`;
  const path = join(parent, name);
  ownNames.add(name);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // `ensure` tries again.
  }
  void sweepResults(Date.now, parent);
  const hasSpaceFor = async (bytes: number): Promise<boolean> => {
    const { bavail, blocks, bsize } = await readDisk(parent);
    return bavail * bsize - bytes >= reserveOf(blocks * bsize);
  };
  const beat = async (): Promise<void> => {
    const now = new Date();
    await utimes(path, now, now);
    if (!(await hasSpaceFor(0))) onLowSpace();
  };
  const timer = setInterval(() => void beat().catch(() => undefined), touchEveryMs).unref();
  return {
    path,
    ensure: async () => void (await mkdir(path, { recursive: true, mode: 0o700 })),
    hasSpaceFor,
    remove() {
      clearInterval(timer);
      ownNames.delete(name);
      rmSync(path, { recursive: true, force: true });
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
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name);
    const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
    if (isLeftover(name, clock() - changedAt))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isLeftover(name: string, unchangedForMs: number): boolean {
  if (ownNames.has(name)) return false;
  const [, host, processId] = /^([0-9a-f]{12})-(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
  if (host === undefined) return unchangedForMs > unknownForMs;
  return (host === ownHost && !isRunning(Number(processId))) || unchangedForMs > crashedAfterMs;
}

/** Whether another process has this id. In a container, the one that crashed had the id of this one. */
function isRunning(processId: number): boolean {
  if (processId === process.pid) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
