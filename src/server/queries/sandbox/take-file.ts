import { chownSync, lstatSync, renameSync, rmSync } from 'node:fs';

/**
 * Moves a file that a worker has made out of the worker's directory, to be the server's own. Throws, and leaves nothing
 * behind, unless it is a plain file with one name: a worker that runs hostile code may have put a link in its place.
 */
export function takeFile(made: string, path: string): void {
  renameSync(made, path);
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.nlink !== 1) throw new Error('What the worker made is not a plain file.');
    if (process.getuid?.() === 0) chownSync(path, 0, 0);
  } catch (error) {
    rmSync(path, { force: true, recursive: true });
    throw error;
  }
}
