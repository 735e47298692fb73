import type { ParseArgsConfig } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Database } from '../storage/database.ts';

/** What a command may use: the operator has access to the data directory, so no session is asked for. */
export interface CommandNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The address people use, for links. */
  readonly publicUrl: string;
}

export type Arguments = Readonly<Record<string, string | undefined>>;

/** One command of `npm run atrium --`. */
export interface Command {
  /** As typed, such as `user create`. */
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name without an option before it, such as a directory; it is required. */
  readonly argument?: { readonly name: string; readonly placeholder: string; readonly help: string };
  readonly options: readonly CommandOption[];
  /** Returns what to print on standard output. Throws `AtriumError` or `UsageError`. */
  run(needs: CommandNeeds, values: Arguments): Promise<string>;
}

export interface CommandOption {
  readonly name: string;
  /** Empty for an option that takes no value: when it is there, its value is `true`. */
  readonly placeholder: string;
  readonly help: string;
  readonly required: boolean;
}

/** A command that is called the wrong way. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns the value of a required option, which the parser has made sure of. */
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

/** Returns how a command is called, for people. */
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
    row('--help', 'shows this'),
  ].join('\n');
}

const flagOf = (name: string, placeholder: string): string => `--${name} ${placeholder}`.trimEnd();
