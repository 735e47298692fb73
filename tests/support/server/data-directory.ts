import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** On Linux, the files of this directory are in memory. */
const inMemory = '/dev/shm';
const sufficientBytes = 2 * 1024 ** 3;

/** Returns a new directory for the data of a server: in memory if possible, so that no commit waits for a disk. */
export function makeDataDirectory(): string {
  return mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), 'atrium-test-'));
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= sufficientBytes;
  } catch {
    return false;
  }
}
