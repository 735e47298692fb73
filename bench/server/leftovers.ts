import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const children = new Set<ChildProcess>();
const directories = new Set<string>();

/** Returns a new empty directory, which is removed when this program ends. */
export function makeTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  directories.add(directory);
  return directory;
}

/** Removes a temporary directory before this program ends. */
export function removeTemporaryDirectory(directory: string): void {
  // Retried because a process that was just ended may still hold its files for a moment.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  directories.delete(directory);
}

/** Ends a child process with this program at the latest. Returns the child. */
export function endWithThisProgram<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/**
 * Ensures that the end of this program, even by Ctrl-C or an uncaught error, ends the children and removes the
 * temporary directories.
 */
export function cleanUpAtExit(): void {
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    for (const directory of directories) removeTemporaryDirectory(directory);
  });
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
    process.once(signal, () => process.exit(code));
  }
}
