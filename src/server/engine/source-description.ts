import type { QueryLimits } from './limits.ts';
import type { OpenedSource } from './opened-source.ts';
import type { Destination } from './sandbox/sandbox.ts';

/** The names of parameter types in the SQL of a source. */
export interface ParameterTypes {
  readonly text: string;
  readonly whole: string;
  /** Returns the type of a number, from its text, that isn't a safe integer. */
  readonly fractional: (number: string) => string;
}

/** Runs the queries of one kind of source. The query engine itself knows no kinds: each source description has its own. */
export interface SourceEngine {
  /** The folder next to this file whose `engine.ts` exports this object as `engine`, so that a worker can load it. */
  readonly folder: string;
  readonly types: ParameterTypes;
  /** For sources that are files on this machine. */
  readonly files?: SourceFiles;
  /** For sources that are servers. */
  readonly server?: SourceServer;
  /** Opens a source in a worker. `source` is a description for this engine; `directory` is the worker's own. */
  open(source: SourceData, directory: string, limits: QueryLimits): Promise<OpenedSource>;
}

/** Each method is called with a description for its own engine. */
interface SourceFiles {
  /** Returns the files that a worker may read. */
  paths(source: SourceDescription): readonly string[];
  /** Returns the description with the paths by which the worker opens the files. */
  withPaths(source: SourceDescription, pathOf: (path: string) => string): SourceDescription;
  /** Returns the directory for intermediate results that don't fit into memory; undefined if any will do. */
  tempDirectory(source: SourceDescription): string | undefined;
}

/** Each method is called with a description for its own engine. */
interface SourceServer {
  /** Returns where a worker has to connect to. */
  destination(source: SourceDescription): Destination;
  /** Returns the description for a worker that reaches its destination only through the socket at `path`. */
  withForwarder(source: SourceDescription, path: string): SourceDescription;
}

/** Everything that a worker needs to query a source. Each engine adds its own properties. */
export interface SourceDescription {
  readonly engine: SourceEngine;
}

/** A description without its engine: plain data that is sent to a worker. */
export type SourceData = object;

/** A file to import as a table, with everything that its worker has to access. */
export interface ImportedFile {
  readonly engine: undefined;
  readonly file: string;
  /** A directory of the organization, on the same disk as its tables. */
  readonly tempDirectory: string;
}

/** The source, or the file to import, that a worker is bound to. */
export type WorkerSource = SourceDescription | ImportedFile;
