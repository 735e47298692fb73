import { parseArgs, type ParseArgsConfig } from 'node:util';

/** How a command is called. */
export interface CommandUsage {
  /** The words of the command, such as `user create`. */
  readonly name: string;
  readonly summary: string;
  /** The positional arguments, such as a directory, in their order; by default, there is none. */
  readonly arguments?: readonly CommandArgument[];
  readonly options: readonly CommandOption[];
}

export interface CommandArgument {
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
  /** Whether it can be left out. Only the last one can. */
  readonly isOptional?: boolean;
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

export type Arguments = Readonly<Record<string, string | undefined>>;

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

/** The option that every command has. */
const json: CommandOption = {
  name: 'json',
  placeholder: '',
  help: 'prints the result as JSON',
  required: false,
};

/** Returns the options of a command with those that every command has. */
export const optionsOf = ({ options }: CommandUsage): readonly CommandOption[] => [...options, json];

const parserOptions = (command: CommandUsage): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    optionsOf(command).map(
      ({ name, placeholder, isRepeatable = false }) =>
        [name, { type: placeholder === '' ? 'boolean' : 'string', multiple: isRepeatable }] as const,
    ),
  );

/** Returns the values of arguments and options by their names. Throws a `UsageError` that names all that are missing. */
export function parseArguments(command: CommandUsage, words: readonly string[]): Arguments {
  const { values, positionals } = parseWords(command, words);
  const allowed = command.arguments ?? [];
  const missing = [
    ...allowed
      .filter(({ isOptional }, index) => isOptional !== true && !positionals[index])
      .map(({ placeholder }) => placeholder),
    ...command.options
      .filter(({ name, required: isRequired }) => isRequired && !values[name])
      .map(({ name }) => `--${name}`),
  ];
  if (missing.length > 0) throw new UsageError(missing.map((name) => `${name} is required.`).join('\n'));
  if (positionals.length > allowed.length)
    throw new UsageError(
      allowed.length === 1
        ? `Only one ${allowed[0]?.placeholder ?? ''} is allowed.`
        : `Only ${allowed.map(({ placeholder }) => placeholder).join(' and ')} are allowed.`,
    );
  const named = allowed.map(({ name }, index) => [name, positionals[index]] as const);
  return { ...values, ...Object.fromEntries(named) };
}

function parseWords(
  command: CommandUsage,
  words: readonly string[],
): { values: Arguments; positionals: readonly string[] } {
  try {
    const options = parserOptions(command);
    const allowPositionals = command.arguments !== undefined;
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals });
    const texts = Object.entries(values).map(
      ([name, value]) => [name, Array.isArray(value) ? value.join('\n') : String(value)] as const,
    );
    return { values: Object.fromEntries(texts), positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export const asksForHelp = (words: readonly string[]): boolean =>
  words.includes('--help') || words.includes('-h');

/** Returns the command that the first words name; undefined if there is none. */
export const findCommand = <Command extends Pick<CommandUsage, 'name'>>(
  commands: readonly Command[],
  words: readonly string[],
): Command | undefined =>
  commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));

/** Returns the help text of a command. `program` is what comes before its words. */
export function usageOf(program: string, command: CommandUsage): string {
  const options = optionsOf(command);
  const positional = command.arguments ?? [];
  const width = Math.max(
    ...options.map(({ name, placeholder }) => flagOf(name, placeholder).length),
    ...positional.map(({ placeholder }) => placeholder.length),
    '--help'.length,
  );
  const row = (flag: string, help: string) => `  ${flag.padEnd(width + 2)}${help}`;
  return [
    [program, command.name, ...positional.map(({ placeholder }) => placeholder), '[options]'].join(' '),
    '',
    command.summary,
    '',
    ...positional.map(({ placeholder, help }) => row(placeholder, help)),
    ...options.map(({ name, placeholder, help, required: isRequired }) =>
      row(flagOf(name, placeholder), isRequired ? `${help} (required)` : help),
    ),
    row('--help', 'shows this help'),
  ].join('\n');
}

const flagOf = (name: string, placeholder: string): string => `--${name} ${placeholder}`.trimEnd();

/** Returns the list of commands, with `notes` after it. */
export function overviewOf(
  program: string,
  commands: readonly CommandUsage[],
  notes: readonly string[],
): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${program} COMMAND [options]`,
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width + 2)}${summary.split('\n')[0] ?? ''}`),
    '',
    ...notes,
  ].join('\n');
}
