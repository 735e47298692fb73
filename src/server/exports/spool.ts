import { mkdirSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { LimitKey } from '../base/tenant.ts';
import { makeWorkerDirectory } from '../engine/sandbox/worker-directories.ts';
import { createMemoryBudget, type MemoryBudget } from '../results/memory-budget.ts';
import { exportsBusy } from './slots.ts';
import { tooLarge } from './worker/run.ts';

/** The disk space for the results of exports that are in progress. */
export type SpoolSpace = Pick<MemoryBudget, 'take'>;

const stepBytes = 1024 * 1024;

/** Returns the space of a server. Nobody can take more of it than they leave free. */
export const createSpoolSpace = (maxBytes = 1024 ** 3): SpoolSpace => createMemoryBudget(maxBytes);

interface SpoolOptions {
  readonly space: SpoolSpace;
  /** Whose export it is. */
  readonly key: LimitKey;
  /** Where the file is, which has no name once it is open, so that nothing is left even if the server is killed. */
  readonly directory: string;
  /** The maximum size of all lines. */
  readonly maxBytes: number;
}

/**
 * Stores all lines in a file, and then calls `use` with them, so that what uses them doesn't wait for queries. Throws `export_too_large` if
 * there is too much, and `exports_busy` if others need the space.
 */
export async function withSpooled<Result>(
  { space, key, directory, maxBytes }: SpoolOptions,
  lines: AsyncIterable<string | Uint8Array>,
  use: (lines: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const releases: (() => void)[] = [];
  const file = await openUnnamed(directory);
  try {
    let bytes = 0;
    for await (const line of lines) {
      bytes += Buffer.byteLength(line);
      if (bytes > maxBytes) throw tooLarge('data');
      while (bytes > releases.length * stepBytes) {
        const release = space.take(key, stepBytes);
        if (release === undefined) throw exportsBusy();
        releases.push(release);
      }
      await file.appendFile(line);
    }
    // Sound because a stream without an encoding yields bytes.
    return await use(file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Uint8Array>);
  } finally {
    for (const release of releases) release();
    await file.close();
  }
}

async function openUnnamed(parent: string): Promise<FileHandle> {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const directory = makeWorkerDirectory(parent);
  try {
    return await open(join(directory, 'results'), 'wx+', 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
