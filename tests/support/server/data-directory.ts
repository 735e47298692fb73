import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** On Linux, the files of this directory are in memory. */
const inMemory = '/dev/shm';
const sufficientBytes = 2 * 1024 ** 3;

/** Returns a new directory for the data of a server: in memory if possible, so that no commit waits for a disk. */
export const makeDataDirectory = (): string => makeDirectoryInMemory('atrium-test-');

/** Returns a new directory in memory, or in the system's directory for temporary files if there is too little memory. */
export const makeDirectoryInMemory = (prefix: string): string =>
  mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), prefix));

function hasRoomInMemory(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= sufficientBytes;
  } catch {
    return false;
  }
}
