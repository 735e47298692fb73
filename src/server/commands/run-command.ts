import { printable, printableLines } from '../../cli/usage/printable.ts';
import {
  asksForHelp,
  findCommand,
  overviewOf,
  parseArguments,
  UsageError,
  usageOf,
  type Arguments,
} from '../../cli/usage/usage.ts';
import { AtriumError, StartError } from '../base/errors.ts';
import { operatorCommand, serverCommand } from '../base/program.ts';
import type { Command, CommandPlace, Report } from './command.ts';
import { auditVerify } from './audit/verify.ts';
import { dashboardsExport } from './dashboards/export.ts';
import { dashboardsImport } from './dashboards/import.ts';
import { domainVerify } from './domain-verify.ts';
import { modelsExport } from './models/export.ts';
import { modelsImport } from './models/import.ts';
import { operatorGrant, operatorList, operatorRevoke } from './operators.ts';
import { allowAddresses } from './allow-addresses.ts';
import { liftSecondFactorCommand } from './lift-second-factor.ts';
import { organizationCreate } from './organization-create.ts';
import { organizationExport } from './organization-export.ts';
import { secretsDiscard } from './secrets-discard.ts';
import { secretsRotate } from './secrets-rotate.ts';
import { serverBackup } from './server/backup.ts';
import { serverMigrate } from './server/migrate.ts';
import { serverRestore } from './server/restore.ts';
import { serverVerify } from './server/verify.ts';
import { organizationDelete, organizationDeleted, organizationRestore } from './organization-deletion.ts';
import { ssoUnlock } from './sso-unlock.ts';
import { sessionCreate } from './users/session-create.ts';
import { userDelete } from './users/delete.ts';
import { userCreate } from './users/create.ts';
import { userDisable, userEnable } from './users/disable.ts';
import { userList } from './users/list.ts';
import { userResetPassword } from './users/reset-password.ts';
import { userResetSecondFactor } from './users/reset-second-factor.ts';

const commands: readonly Command[] = [
  userCreate,
  userList,
  userResetPassword,
  userResetSecondFactor,
  userDisable,
  userEnable,
  userDelete,
  organizationCreate,
  organizationExport,
  allowAddresses,
  liftSecondFactorCommand,
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
  auditVerify,
  domainVerify,
  organizationDelete,
  organizationRestore,
  organizationDeleted,
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
  const command = findCommand(commands, words);
  if (command === undefined)
    return words.length === 0 || asksForHelp(words)
      ? done(overview())
      : misused(`Unknown command.\n\n${overview()}`);
  const rest = words.slice(command.name.split(' ').length);
  if (asksForHelp(rest)) return done(usageOf(operatorCommand, command));
  try {
    const values = parseArguments(command, rest);
    const { text, data, exitCode = 0 } = await run(command, getPlace(), values);
    const output = values['json'] === undefined ? text : JSON.stringify(data);
    return { exitCode, output, errorOutput: '' };
  } catch (error) {
    if (error instanceof UsageError)
      return misused(`${error.message}\n\n${usageOf(operatorCommand, command)}`);
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

const done = (output: string): CommandOutcome => ({ exitCode: 0, output, errorOutput: '' });

const misused = (errorOutput: string): CommandOutcome => ({ exitCode: 2, output: '', errorOutput });

const messageOf = ({ message, faults = [] }: AtriumError): string =>
  faults.length === 0
    ? message
    : faults.map((fault) => [fault.pointer.slice(1), fault.message].map(printable).join(' ')).join('\n');

const overview = (): string =>
  overviewOf(operatorCommand, commands, [
    'COMMAND --help shows its options, and --version the version. Commands use the settings of the server.',
    `${serverCommand} runs the server.`,
  ]);
