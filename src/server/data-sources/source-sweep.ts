import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { daysMs, hoursMs, type Clock } from '../base/clock.ts';
import type { Reader } from '../storage/database.ts';
import { temporaryName } from './source-files.ts';
import { selectFiles } from './source-table-store.ts';

/** Of an upload under way, here or in another process, every file was written to within this time. */
const leftAloneMs = hoursMs(1);
/** No query runs for so long. */
const spillLeftAloneMs = daysMs(1);

/**
 * Removes what a process that was killed has left behind: files of uploads that no table has, and what queries of
 * uploaded tables had put on disk. `stopped` ends it between two directories.
 */
export async function sweepSourceFiles(
  reader: Reader,
  clock: Clock,
  directory: string,
  stopped: AbortSignal,
): Promise<void> {
  for (const organizationId of await namesIn(directory)) {
    for (const name of await namesIn(join(directory, organizationId))) {
      if (stopped.aborted) return;
      const path = join(directory, organizationId, name);
      if (name === temporaryName) await sweepSpilled(clock, path);
      else await sweepSource(reader, clock, path, name);
    }
  }
}

async function sweepSource(reader: Reader, clock: Clock, path: string, dataSourceId: string): Promise<void> {
  // Listed first: what comes after that is of no concern here, and what was there has its row by now, or is young.
  const names = await namesIn(path);
  const kept = new Set(await selectFiles(reader, dataSourceId));
  const before = clock() - leftAloneMs;
  for (const name of names) {
    if (!kept.has(name) && (await isOlder(join(path, name), before)))
      await rm(join(path, name), { recursive: true, force: true });
  }
  // Fails for a directory with something in it, as is meant.
  if (names.length === 0 && (await isOlder(path, before))) await rmdir(path).catch(() => undefined);
}

/** Removes what queries of a process that was killed had put on disk; directories may be those of workers that live on. */
export async function sweepSpilled(clock: Clock, path: string): Promise<void> {
  const before = clock() - spillLeftAloneMs;
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await isOlder(file, before))) await rm(file, { force: true });
  }
}

async function isOlder(path: string, before: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < before;
}

const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);
