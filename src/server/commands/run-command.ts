import { parseArgs } from 'node:util';
import { AtriumError } from '../base/errors.ts';
import {
  parserOptions,
  UsageError,
  usageOf,
  type Arguments,
  type Command,
  type CommandNeeds,
} from './command.ts';
import { domainVouch } from './domain-vouch.ts';
import { organizationCreate } from './organization-create.ts';
import { secretsRotate } from './secrets-rotate.ts';
import { ssoUnlock } from './sso-unlock.ts';
import { sessionCreate } from './session-create.ts';
import { userCreate } from './user-create.ts';

const commands: readonly Command[] = [
  userCreate,
  organizationCreate,
  sessionCreate,
  secretsRotate,
  domainVouch,
  ssoUnlock,
];

export interface CommandOutcome {
  readonly exitCode: 0 | 1 | 2;
  readonly output: string;
  readonly errorOutput: string;
}

/**
 * Runs one command line. `open` is called only when there is something to do. The exit code is 1 when the command
 * failed, and 2 when it was called the wrong way.
 */
export async function runCommand(
  words: readonly string[],
  open: () => Promise<CommandNeeds & { close(): Promise<void> }>,
): Promise<CommandOutcome> {
  const command = commands.find(({ name }) => name === words.slice(0, 2).join(' '));
  if (command === undefined)
    return words.length === 0 || asked(words)
      ? done(overview())
      : misused(`There is no such command.\n\n${overview()}`);
  const rest = words.slice(2);
  if (asked(rest)) return done(usageOf(command));
  try {
    const values = parse(command, rest);
    const needs = await open();
    try {
      return done(await command.run(needs, values));
    } finally {
      await needs.close();
    }
  } catch (error) {
    if (error instanceof UsageError) return misused(`${error.message}\n\n${usageOf(command)}`);
    if (error instanceof AtriumError) return { exitCode: 1, output: '', errorOutput: wordsOf(error) };
    throw error;
  }
}

function parse(command: Command, words: readonly string[]): Arguments {
  let values: Arguments;
  try {
    // Sound because every option but `help`, which was answered already, is declared as a string.
    values = parseArgs({ args: [...words], options: parserOptions(command) }).values as Arguments;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const missing = command.options.filter(({ name, required }) => required && !values[name]);
  if (missing.length > 0)
    throw new UsageError(missing.map(({ name }) => `--${name} is required.`).join('\n'));
  return values;
}

const asked = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

const done = (output: string): CommandOutcome => ({ exitCode: 0, output, errorOutput: '' });

const misused = (errorOutput: string): CommandOutcome => ({ exitCode: 2, output: '', errorOutput });

const wordsOf = ({ message, faults = [] }: AtriumError): string =>
  faults.length === 0
    ? message
    : faults.map((fault) => `${fault.pointer.slice(1)} ${fault.message}`).join('\n');

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'npm run atrium -- COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width + 2)}${summary.split('\n')[0] ?? ''}`),
    '',
    'COMMAND --help tells its options. The settings are those of the server.',
  ].join('\n');
}
