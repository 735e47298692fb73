import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readFacts, syncPath, type FileFacts } from '../../storage/file-facts.ts';

/** Returns the directory for intermediate results of queries whose source has no directory of its own. */
export const queryDirectory = (dataDirectory: string): string => join(dataDirectory, 'query-temp');

/** Returns the directory of a source's files. Safe as a path, because the server generates the ids. */
export const sourceDirectory = (directory: string, organizationId: string, dataSourceId: string): string =>
  join(directory, organizationId, dataSourceId);

/** Returns the directory for intermediate results of an organization's queries that don't fit into memory. */
export const temporaryDirectory = (directory: string, organizationId: string): string =>
  join(directory, organizationId, temporaryName);

/** The name of each organization's directory that belongs to the query engine. */
export const temporaryName = 'temp';

/** The name of each organization's directory with files that aren't tables yet. */
export const uploadsName = 'uploads';

/** The name of the directory for files that belong to no table, before they are deleted. */
export const quarantineName = 'quarantine';

/** Returns a unique file name, so that no file is ever overwritten. */
export const newFileName = (ending: 'upload' | 'duckdb'): string =>
  `${randomBytes(16).toString('hex')}.${ending}`;

/**
 * Flushes a new file and its directory entry to disk, so that it survives a power loss. Returns its size and checksum.
 */
export async function persist(path: string, directory: string): Promise<FileFacts> {
  for (const each of [path, directory]) await syncPath(each);
  return readFacts(path);
}

/** How long a query may take to open a file that it has looked up. */
const removedAfterMs = 120_000;

/** The files of uploaded tables. No file is removed while a backup holds the files. */
export interface SourceFiles {
  /** The directory with the files of all organizations. */
  readonly directory: string;
  /** Removes a file that no longer belongs to a table, after a delay, since running queries may be about to open it. */
  removeLater(path: string): void;
  /** Removes the directory of a data source that no longer exists. */
  removeDirectory(path: string): Promise<void>;
  /** Cancels pending removals. Maintenance removes these files after the next start. */
  close(): void;
}

export function createSourceFiles(
  { directory, isHeld }: { readonly directory: string; readonly isHeld: () => Promise<boolean> },
  onFailure: (error: unknown) => void,
  remove: (path: string) => Promise<void> = (path) => rm(path, { recursive: true, force: true }),
): SourceFiles {
  /** Leaves the file for a later sweep if a backup may be about to copy it. */
  const removeUnlessHeld = async (path: string) => {
    if (!(await isHeld())) await remove(path);
  };
  const timers = new Set<NodeJS.Timeout>();
  return {
    directory,
    removeLater(path) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        removeUnlessHeld(path).catch(onFailure);
      }, removedAfterMs).unref();
      timers.add(timer);
    },
    removeDirectory: removeUnlessHeld,
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
