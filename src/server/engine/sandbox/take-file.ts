import { chownSync, lstatSync, renameSync, rmSync } from 'node:fs';

/**
 * Moves a file that a worker created out of the worker's directory. Throws, and leaves nothing behind, unless it is a plain
 * file with one name: a worker that runs hostile code could have put a link there.
 */
export function takeFile(created: string, path: string): void {
  renameSync(created, path);
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.nlink !== 1)
      throw new Error('The file that the worker created is not a plain file.');
    if (process.getuid?.() === 0) chownSync(path, 0, 0);
  } catch (error) {
    rmSync(path, { force: true, recursive: true });
    throw error;
  }
}
