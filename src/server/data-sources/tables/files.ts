import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns where queries put on disk what does not fit into memory, unless their source has a place of its own. */
export const queryDirectory = (dataDirectory: string): string => join(dataDirectory, 'query-temp');

/** Returns where the files of a source lie. Every part is an id that the server made. */
export const sourceDirectory = (directory: string, organizationId: string, dataSourceId: string): string =>
  join(directory, organizationId, dataSourceId);

/** Returns where queries of an organization put what does not fit into memory. */
export const temporaryDirectory = (directory: string, organizationId: string): string =>
  join(directory, organizationId, temporaryName);

/** The name of directories that are the query engine's. */
export const temporaryName = 'temp';

/** The name of the directory for files that belong to no table, until they are deleted. */
export const quarantineName = 'quarantine';

/** Returns a name for a file that is like no other, so that none is ever written twice. */
export const newFileName = (ending: 'upload' | 'duckdb'): string =>
  `${randomBytes(16).toString('hex')}.${ending}`;

/** Puts a new file on disk, its name in the directory too: what is acknowledged is there after a loss of power. */
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

/** So long a query that was told of a file may take to open it. */
const removedAfterMs = 120_000;

/** The files of uploaded tables. */
export interface SourceFiles {
  /** Where those of all organizations lie. */
  readonly directory: string;
  /** Removes a file that no table has any more, a while later: queries that have begun may be about to open it. */
  removeLater(path: string): void;
  /** Leaves files that are still to be removed to the maintenance after the next start. */
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
