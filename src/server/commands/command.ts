import type { ParseArgsConfig } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Database } from '../storage/database.ts';

/** Dependencies of a command. No session is required, since the operator has access to the data directory. */
export interface CommandDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The URL that people use, for links. */
  readonly publicUrl: string;
}

export type Arguments = Readonly<Record<string, string | undefined>>;

/** One command of `npm run atrium --`. */
export interface Command {
  /** The words of the command, such as `user create`. */
  readonly name: string;
  readonly summary: string;
  /** The required positional argument, such as a directory. */
  readonly argument?: { readonly name: string; readonly placeholder: string; readonly help: string };
  readonly options: readonly CommandOption[];
  /** Returns what to print on standard output. Throws `AtriumError` or `UsageError`. */
  run(dependencies: CommandDependencies, values: Arguments): Promise<string>;
}

export interface CommandOption {
  readonly name: string;
  /** Empty for an option without a value; if it is set, its value is `true`. */
  readonly placeholder: string;
  readonly help: string;
  readonly required: boolean;
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

export const parserOptions = (command: Command): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    command.options.map(
      ({ name, placeholder }) => [name, { type: placeholder === '' ? 'boolean' : 'string' }] as const,
    ),
  );

/** Returns the help text of a command. */
export function usageOf(command: Command): string {
  const width = Math.max(
    ...command.options.map(({ name, placeholder }) => flagOf(name, placeholder).length),
    '--help'.length,
  );
  const row = (flag: string, help: string) => `  ${flag.padEnd(width + 2)}${help}`;
  return [
    `npm run atrium -- ${[command.name, command.argument?.placeholder, '[options]'].filter(Boolean).join(' ')}`,
    '',
    command.summary,
    '',
    ...(command.argument ? [row(command.argument.placeholder, command.argument.help)] : []),
    ...command.options.map(({ name, placeholder, help, required: isRequired }) =>
      row(flagOf(name, placeholder), isRequired ? `${help} (required)` : help),
    ),
    row('--help', 'shows this help'),
  ].join('\n');
}

const flagOf = (name: string, placeholder: string): string => `--${name} ${placeholder}`.trimEnd();
