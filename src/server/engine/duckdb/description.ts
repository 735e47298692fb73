import type { SourceDescription } from '../source-description.ts';

/** Uploaded tables: each is the table `data` in its own DuckDB database file. */
export interface FilesSource extends SourceDescription {
  readonly tables: readonly { readonly name: string; readonly file: string }[];
  /** The names of tables that were deleted, but can be restored. */
  readonly deletedTables?: readonly string[];
  /** The organization's directory for intermediate results that don't fit into memory. */
  readonly tempDirectory: string;
}
