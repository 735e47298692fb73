import type { SourceDescription } from '../source-description.ts';

/** Tables that were uploaded: each is the table `data` in a DuckDB database file of its own. */
export interface FilesSource extends SourceDescription {
  readonly tables: readonly { readonly name: string; readonly file: string }[];
  /** The organization's own, for what does not fit into memory while a query runs. */
  readonly tempDirectory: string;
}
