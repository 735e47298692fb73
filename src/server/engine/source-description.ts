/** Tables that were uploaded: each is the table `data` in a DuckDB database file of its own. */
export interface FilesSource {
  readonly kind: 'files';
  readonly tables: readonly { readonly name: string; readonly file: string }[];
  /** The organization's own, where what does not fit into memory is put for as long as a query runs. */
  readonly tempDirectory: string;
}

export interface PostgresqlSource {
  readonly kind: 'postgresql';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: 'off' | 'require' | 'verify';
  /** Where `host` leads, checked by the caller: these alone are connected to, and no name is looked up again. */
  readonly addresses: readonly string[];
}

/** All that a worker needs to know to reach a source. */
export type SourceDescription = FilesSource | PostgresqlSource;

/** A file to import as a table: everything that the worker which imports it needs to reach. */
export interface ImportedFile {
  readonly kind: 'import';
  readonly file: string;
  /** A directory of the organization, on the disk of its tables. */
  readonly tempDirectory: string;
}

/** What a worker serves for its whole life. */
export type WorkerSource = SourceDescription | ImportedFile;
