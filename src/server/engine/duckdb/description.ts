import type { SourceDescription } from '../source-description.ts';

/** A table whose file can't be read. */
export interface UnavailableTable {
  readonly name: string;
  /** The error message of a query; undefined if the file is damaged or missing. */
  readonly fault: string | undefined;
}

/** Uploaded tables: each is the table `data` in its own DuckDB database file. */
export interface FilesSource extends SourceDescription {
  readonly tables: readonly { readonly name: string; readonly file: string }[];
  /** The names of tables that were deleted, but can be restored. */
  readonly deletedTables?: readonly string[];
  /** Tables that are not opened, because their files can't be read. */
  readonly unavailableTables?: readonly UnavailableTable[];
  /** The directory for intermediate results that don't fit into memory; by default, that of the query engine. */
  readonly tempDirectory?: string;
}
