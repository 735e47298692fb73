import type { Arguments, CommandUsage } from '../../cli/usage/usage.ts';
import type { Clock } from '../base/clock.ts';
import type { SecretBox } from '../base/credentials/secret-box.ts';
import type { Settings } from '../settings/settings.ts';
import type { Database } from '../storage/database.ts';

/** Dependencies of a command. No session is required, since the operator has access to the data directory. */
export interface CommandDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The URL that people use, for links. */
  readonly publicUrl: string;
  /** Reads standard input to its end. */
  readInput(): Promise<Buffer>;
}

/** The settings of the server, for commands that may find its database missing, old or damaged. */
export interface CommandPlace {
  readonly settings: Pick<
    Settings,
    'databaseUrl' | 'dataDirectory' | 'secretKeys' | 'tablesUrl' | 'querySandbox'
  >;
  /** The environment variables, for programs that a command starts. */
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly clock: Clock;
  /** Opens the database, whose schema has to be the one of this program. Throws a `StartError` if there is none. */
  openExisting(): Promise<OpenedPlace>;
  /** Does the same, and creates the database if there is none. */
  open(): Promise<OpenedPlace>;
}

export type OpenedPlace = CommandDependencies & { close(): Promise<void> };

/** What a command prints on standard output. */
export interface Report {
  readonly text: string;
  /** The same as JSON, for `--json`. */
  readonly data: object;
  /** 1 if something is wrong, 3 if a dry run found something that would change; by default, 0. */
  readonly exitCode?: 0 | 1 | 3;
}

/** One command of the operator. `run` throws `AtriumError`, `StartError` or `UsageError`. */
export type Command = CommandUsage &
  (
    | { readonly run: (dependencies: CommandDependencies, values: Arguments) => Promise<Report> }
    | { readonly runAt: (place: CommandPlace, values: Arguments) => Promise<Report> }
  );
