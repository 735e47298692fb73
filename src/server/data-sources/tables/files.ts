import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Flushes a new file and its directory entry to disk, so that it survives a power loss. */
export async function persist(path: string, directory: string): Promise<void> {
  for (const each of [path, directory]) {
    const handle = await open(each, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** How long a query may take to open a file that it has looked up. */
const removedAfterMs = 120_000;

/** The files of uploaded tables. */
export interface SourceFiles {
  /** The directory with the files of all organizations. */
  readonly directory: string;
  /** Removes a file that no longer belongs to a table, after a delay, since running queries may be about to open it. */
  removeLater(path: string): void;
  /** Cancels pending removals. Maintenance removes these files after the next start. */
  close(): void;
}

export function createSourceFiles(
  directory: string,
  onFailure: (error: unknown) => void,
  remove: (path: string) => Promise<void> = (path) => rm(path, { force: true }),
): SourceFiles {
  const timers = new Set<NodeJS.Timeout>();
  return {
    directory,
    removeLater(path) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        remove(path).catch(onFailure);
      }, removedAfterMs).unref();
      timers.add(timer);
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
