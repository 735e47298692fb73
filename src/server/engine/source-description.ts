import type { QueryLimits } from './limits.ts';
import type { OpenedSource } from './opened-source.ts';

/** What a source calls the types of parameters. */
export interface ParameterTypes {
  readonly text: string;
  readonly whole: string;
  /** Returns the type of a number that is not whole or not exact as a double, from its text. */
  readonly fractional: (number: string) => string;
}

/** How sources of one kind are queried. The engine knows no kinds: each source brings its own. */
export interface SourceEngine {
  /** The folder beside this file whose `engine.ts` exports it as `engine`: that is how a worker loads it. */
  readonly folder: string;
  readonly types: ParameterTypes;
  /** For sources that are files of this machine. Workers of all other sources have access to the network. */
  readonly files?: SourceFiles;
  /** Called in a worker. Returns the source of a description of this engine. `directory` is the worker's own. */
  open(source: SourceData, directory: string, limits: QueryLimits): Promise<OpenedSource>;
}

/** Each is called with a description of its own engine. */
interface SourceFiles {
  /** Returns the files that a worker may read. */
  paths(source: SourceDescription): readonly string[];
  /** Returns the description with the paths by which the worker opens the files. */
  withPaths(source: SourceDescription, pathOf: (path: string) => string): SourceDescription;
  /** Returns the organization's directory for what does not fit into memory while a query runs. */
  tempDirectory(source: SourceDescription): string;
}

/** Everything that a worker needs to reach a source, besides what is in the members of each engine's own descriptions. */
export interface SourceDescription {
  readonly engine: SourceEngine;
}

/** A description without its engine: plain data, as it is sent to a worker. */
export type SourceData = object;

/** A file to import as a table: everything that the worker which imports it needs to reach. */
export interface ImportedFile {
  readonly engine: undefined;
  readonly file: string;
  /** A directory of the organization, on the disk of its tables. */
  readonly tempDirectory: string;
}

/** What a worker serves for its whole life. */
export type WorkerSource = SourceDescription | ImportedFile;
