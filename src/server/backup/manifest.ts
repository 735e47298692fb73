import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { StartError } from '../base/errors.ts';
import { syncPath, type FileFacts } from '../storage/file-facts.ts';
import type { Engine } from '../storage/prepared-query.ts';
import { isManifest } from './manifest-shape.ts';

/** A file of a backup. */
export interface BackupFile extends FileFacts {
  /** Relative to the backup, with `/`. */
  readonly path: string;
  /** What a file of a table has to contain. */
  readonly table?: { readonly name: string; readonly rowCount: number; readonly columns: readonly Column[] };
}

/**
 * How the database is stored: as an SQLite file, as files of rows, or as the output of the operator's own command, such as
 * `pg_dump`.
 */
export type DatabaseFormat = 'sqlite' | 'rows' | 'dump';

/** Describes a complete backup. It is the last file that is written. */
export interface Manifest {
  readonly format: 1;
  readonly atriumVersion: string;
  readonly schemaVersion: number;
  readonly instanceId: string;
  readonly engine: Engine;
  readonly database: DatabaseFormat;
  readonly createdAt: string;
  /** `absent`: the server has its key from `ATRIUM_SECRET_KEY`. */
  readonly secretKey: 'included' | 'left out' | 'absent';
  /** The number of rows of each table, in an order in which they can be inserted. */
  readonly rowCounts: Readonly<Record<string, number>>;
  readonly files: readonly BackupFile[];
  /** What was missing or damaged in the server when the backup was made. */
  readonly faults: readonly string[];
}

const manifestFile = (directory: string): string => join(directory, 'manifest.json');

/** The file with the id of the database in a backup that is not complete yet. */
export const incompleteFile = (directory: string): string => join(directory, 'incomplete');

/** Writes the manifest atomically, and flushes it. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const draft = `${manifestFile(directory)}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, manifestFile(directory));
    await syncPath(directory);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Returns the manifest of a backup. Throws a `StartError` if the directory isn't a complete backup. */
export async function readManifest(directory: string): Promise<Manifest> {
  if (!existsSync(manifestFile(directory))) {
    throw new StartError(
      existsSync(directory)
        ? `${directory} is not a complete backup: it has no manifest.json. Use another backup.`
        : `${directory} does not exist.`,
    );
  }
  const manifest = parse(await readFile(manifestFile(directory), 'utf8'));
  if (manifest !== undefined) return manifest;
  throw new StartError(
    `${manifestFile(directory)} cannot be read: it is damaged, or a newer version of Atrium wrote it.`,
  );
}

function parse(text: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    // Sound because of the check.
    return isManifest(manifest) ? (manifest as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
