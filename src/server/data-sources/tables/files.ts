import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { minutesMs } from '../../base/clock.ts';
import { readFacts, syncPath, type FileFacts } from '../../storage/file-facts.ts';
import type { StorageError } from './s3/errors.ts';

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

/** How long a query may take to open a file that it has looked up. */
export const openWithinMs = minutesMs(2);

/** The path of a file, with the size and checksum that the database has of it, if any. */
export interface WantedFile {
  readonly path: string;
  readonly sizeBytes?: number | undefined;
  readonly sha256?: string | null | undefined;
}

/** Files on other servers. Their paths are those of copies in a local cache. */
export interface RemoteFiles {
  /** The directory of the cache. */
  readonly directory: string;
  /** Stores a finished file, of which the local copy stays. Throws `unavailable`. */
  store(path: string, facts: FileFacts): Promise<void>;
  /** Makes sure that the files exist at their paths for the next two minutes. Returns why any of them does not. */
  fetch(files: readonly WantedFile[]): Promise<ReadonlyMap<string, StorageError>>;
  /** Does the same for one file. Throws `unavailable`. */
  require(file: WantedFile): Promise<void>;
  /** Deletes a file and its copy. If the storage fails, a sweep deletes it later. */
  remove(path: string): Promise<void>;
  /** Deletes all files of a data source. */
  removeDirectory(path: string): Promise<void>;
  close(): void;
}

/**
 * The files of uploaded tables: in a directory, or on S3-compatible storage with copies in a directory. No file of a table
 * that was deleted is removed while a backup, or an export of its organization, holds the files.
 */
export interface SourceFiles {
  /** The directory with the files of all organizations, or with their copies. */
  readonly directory: string;
  /** Undefined if the files themselves are in the directory. */
  readonly remote: RemoteFiles | undefined;
  /**
   * Makes sure that a finished file survives a power loss, and can be opened by every replica. Returns its size and checksum.
   * To be called before a row refers to it. Throws `unavailable`.
   */
  store(path: string): Promise<FileFacts>;
  /** Removes a file to which no row has referred. */
  remove(path: string): Promise<void>;
  /** Removes a file that no longer belongs to a table, after a delay, since running queries may be about to open it. */
  removeLater(path: string): void;
  /** Removes the directory of a data source that no longer exists. */
  removeDirectory(path: string): Promise<void>;
  /** Cancels pending removals. Maintenance removes these files after the next start. */
  close(): void;
}

const removeLocal = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

export function createSourceFiles(
  {
    directory,
    remote,
    isHeld,
  }: Pick<SourceFiles, 'directory' | 'remote'> & {
    readonly isHeld: (organizationId: string) => Promise<boolean>;
  },
  onFailure: (error: unknown) => void,
  remove: (path: string) => Promise<void> = remote?.remove ?? removeLocal,
): SourceFiles {
  /** Leaves the files for a later sweep if a backup or an export of the organization may be about to copy them. */
  const unlessHeld = (work: (path: string) => Promise<void>) => async (path: string) => {
    const [organizationId = ''] = relative(directory, path).split(sep);
    if (!(await isHeld(organizationId))) await work(path);
  };
  const removeUnlessHeld = unlessHeld(remove);
  const timers = new Set<NodeJS.Timeout>();
  return {
    directory,
    remote,
    async store(path) {
      for (const each of [path, dirname(path)]) await syncPath(each);
      const facts = await readFacts(path);
      await remote?.store(path, facts);
      return facts;
    },
    remove,
    removeLater(path) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        removeUnlessHeld(path).catch(onFailure);
      }, openWithinMs).unref();
      timers.add(timer);
    },
    removeDirectory: unlessHeld(remote?.removeDirectory ?? removeLocal),
    close() {
      for (const timer of timers) clearTimeout(timer);
      remote?.close();
    },
  };
}
