import { parseArgs } from 'node:util';
import { AtriumError, StartError } from '../base/errors.ts';
import { operatorCommand, serverCommand } from '../base/program.ts';
import {
  parserOptions,
  printable,
  printableLines,
  UsageError,
  usageOf,
  type Arguments,
  type Command,
  type CommandPlace,
  type Report,
} from './command.ts';
import { dashboardsExport } from './dashboards/export.ts';
import { dashboardsImport } from './dashboards/import.ts';
import { domainVerify } from './domain-verify.ts';
import { modelsExport } from './models/export.ts';
import { modelsImport } from './models/import.ts';
import { operatorGrant, operatorList, operatorRevoke } from './operators.ts';
import { organizationCreate } from './organization-create.ts';
import { secretsDiscard } from './secrets-discard.ts';
import { secretsRotate } from './secrets-rotate.ts';
import { serverBackup } from './server/backup.ts';
import { serverMigrate } from './server/migrate.ts';
import { serverRestore } from './server/restore.ts';
import { serverVerify } from './server/verify.ts';
import { ssoUnlock } from './sso-unlock.ts';
import { sessionCreate } from './users/session-create.ts';
import { userCreate } from './users/create.ts';
import { userDisable, userEnable } from './users/disable.ts';
import { userList } from './users/list.ts';
import { userResetPassword } from './users/reset-password.ts';

const commands: readonly Command[] = [
  userCreate,
  userList,
  userResetPassword,
  userDisable,
  userEnable,
  organizationCreate,
  sessionCreate,
  operatorGrant,
  operatorRevoke,
  operatorList,
  serverBackup,
  serverVerify,
  serverRestore,
  serverMigrate,
  secretsRotate,
  secretsDiscard,
  domainVerify,
  ssoUnlock,
  dashboardsExport,
  dashboardsImport,
  modelsExport,
  modelsImport,
];

export interface CommandOutcome {
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly output: string;
  readonly errorOutput: string;
}

/**
 * Runs a command line. `getPlace` is called only to run a command. The exit code is 1 if the command failed, 2 if it was
 * called incorrectly, and 3 if a dry run found something that would change.
 */
export async function runCommand(
  words: readonly string[],
  version: string,
  getPlace: () => CommandPlace,
): Promise<CommandOutcome> {
  if (words[0] === '--version') return done(version);
  const command = commands.find(({ name }) => name === words.slice(0, 2).join(' '));
  if (command === undefined)
    return words.length === 0 || asksForHelp(words)
      ? done(overview())
      : misused(`Unknown command.\n\n${overview()}`);
  const rest = words.slice(2);
  if (asksForHelp(rest)) return done(usageOf(command));
  try {
    const values = parse(command, rest);
    const { text, data, exitCode = 0 } = await run(command, getPlace(), values);
    const output = values['json'] === undefined ? text : JSON.stringify(data);
    return { exitCode, output, errorOutput: '' };
  } catch (error) {
    if (error instanceof UsageError) return misused(`${error.message}\n\n${usageOf(command)}`);
    if (error instanceof StartError)
      return { exitCode: 1, output: '', errorOutput: printableLines(error.message) };
    if (error instanceof AtriumError) return { exitCode: 1, output: '', errorOutput: messageOf(error) };
    throw error;
  }
}

async function run(command: Command, place: CommandPlace, values: Arguments): Promise<Report> {
  if ('runAt' in command) return command.runAt(place, values);
  const dependencies = await place.open();
  try {
    return await command.run(dependencies, values);
  } finally {
    await dependencies.close();
  }
}

function parse(command: Command, words: readonly string[]): Arguments {
  const { values, positionals } = parseWords(command, words);
  const { argument } = command;
  const missing = [
    ...(argument !== undefined && argument.isOptional !== true && !positionals[0]
      ? [argument.placeholder]
      : []),
    ...command.options
      .filter(({ name, required }) => required && !values[name])
      .map(({ name }) => `--${name}`),
  ];
  if (missing.length > 0) throw new UsageError(missing.map((name) => `${name} is required.`).join('\n'));
  if (positionals.length > 1)
    throw new UsageError(`Only one ${argument?.placeholder ?? 'argument'} is allowed.`);
  return { ...values, ...(argument && { [argument.name]: positionals[0] }) };
}

function parseWords(
  command: Command,
  words: readonly string[],
): { values: Arguments; positionals: readonly string[] } {
  try {
    const options = parserOptions(command);
    const allowPositionals = command.argument !== undefined;
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals });
    const texts = Object.entries(values).map(
      ([name, value]) => [name, Array.isArray(value) ? value.join('\n') : String(value)] as const,
    );
    return { values: Object.fromEntries(texts), positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const asksForHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

const done = (output: string): CommandOutcome => ({ exitCode: 0, output, errorOutput: '' });

const misused = (errorOutput: string): CommandOutcome => ({ exitCode: 2, output: '', errorOutput });

const messageOf = ({ message, faults = [] }: AtriumError): string =>
  faults.length === 0
    ? message
    : faults.map((fault) => [fault.pointer.slice(1), fault.message].map(printable).join(' ')).join('\n');

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${operatorCommand} COMMAND [options]`,
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width + 2)}${summary.split('\n')[0] ?? ''}`),
    '',
    'COMMAND --help shows its options, and --version the version. Commands use the settings of the server.',
    `${serverCommand} runs the server.`,
  ].join('\n');
}
