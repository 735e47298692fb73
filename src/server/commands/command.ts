import type { ParseArgsConfig } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { operatorCommand } from '../base/program.ts';
import type { SecretBox } from '../base/secret-box.ts';
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

export type Arguments = Readonly<Record<string, string | undefined>>;

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

/** How a command is called. */
export interface CommandUsage {
  /** The words of the command, such as `user create`. */
  readonly name: string;
  readonly summary: string;
  /** The positional argument, such as a directory; required unless `isOptional`. */
  readonly argument?: {
    readonly name: string;
    readonly placeholder: string;
    readonly help: string;
    readonly isOptional?: boolean;
  };
  readonly options: readonly CommandOption[];
}

export interface CommandOption {
  readonly name: string;
  /** Empty for an option without a value; if it is set, its value is `true`. */
  readonly placeholder: string;
  readonly help: string;
  readonly required: boolean;
  /** Whether it can be given several times; its value then has a line for each. */
  readonly isRepeatable?: boolean;
}

/** A command was called incorrectly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns the value of a required option, which the parser has checked. */
export function required(values: Arguments, name: string): string {
  const value = values[name];
  if (value === undefined) throw new UsageError(`--${name} is required.`);
  return value;
}

/**
 * Returns a text on one line without control characters, so that a name can't control the operator's terminal; longer
 * ones are shortened to 200 characters.
 */
export function printable(text: string): string {
  const line = text.replaceAll(/\p{Other}+/gu, ' ');
  return line.length <= 200 ? line : `${line.slice(0, 199).toWellFormed()}…`;
}

/** Returns a text of several lines without other control characters, some of which control a terminal. */
export const printableLines = (text: string): string => text.replaceAll(/(?![\n\t])\p{Control}/gu, ' ');

/** The options that every command has. */
const json: CommandOption = {
  name: 'json',
  placeholder: '',
  help: 'prints the result as JSON',
  required: false,
};

export const parserOptions = (command: CommandUsage): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    [...command.options, json].map(
      ({ name, placeholder, isRepeatable = false }) =>
        [name, { type: placeholder === '' ? 'boolean' : 'string', multiple: isRepeatable }] as const,
    ),
  );

/** Returns the help text of a command. */
export function usageOf(command: CommandUsage): string {
  const options = [...command.options, json];
  const width = Math.max(
    ...options.map(({ name, placeholder }) => flagOf(name, placeholder).length),
    '--help'.length,
  );
  const row = (flag: string, help: string) => `  ${flag.padEnd(width + 2)}${help}`;
  return [
    `${operatorCommand} ${[command.name, command.argument?.placeholder, '[options]'].filter(Boolean).join(' ')}`,
    '',
    command.summary,
    '',
    ...(command.argument ? [row(command.argument.placeholder, command.argument.help)] : []),
    ...options.map(({ name, placeholder, help, required: isRequired }) =>
      row(flagOf(name, placeholder), isRequired ? `${help} (required)` : help),
    ),
    row('--help', 'shows this help'),
  ].join('\n');
}

const flagOf = (name: string, placeholder: string): string => `--${name} ${placeholder}`.trimEnd();
