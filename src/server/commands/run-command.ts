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
import { operatorCommand, serverCommand } from '../base/program.js';
import type { Command, CommandPlace, Report } from './command.ts';

/** In the order of the overview. A command is loaded when it is called, since all of them together are most of the server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  'user create': async () => (await import('./users/create.ts')).userCreate,
  'user list': async () => (await import('./users/list.ts')).userList,
  'user reset-password': async () => (await import('./users/reset-password.ts')).userResetPassword,
  'user reset-second-factor': async () =>
    (await import('./users/reset-second-factor.ts')).userResetSecondFactor,
  'user disable': async () => (await import('./users/disable.ts')).userDisable,
  'user enable': async () => (await import('./users/disable.ts')).userEnable,
  'user delete': async () => (await import('./users/delete.ts')).userDelete,
  'organization create': async () => (await import('./organization-create.ts')).organizationCreate,
  'organization export': async () => (await import('./organization-export.ts')).organizationExport,
  'organization allow-addresses': async () => (await import('./allow-addresses.ts')).allowAddresses,
  'organization lift-second-factor': async () =>
    (await import('./lift-second-factor.ts')).liftSecondFactorCommand,
  'session create': async () => (await import('./users/session-create.ts')).sessionCreate,
  'operator grant': async () => (await import('./operators.ts')).operatorGrant,
  'operator revoke': async () => (await import('./operators.ts')).operatorRevoke,
  'operator list': async () => (await import('./operators.ts')).operatorList,
  backup: async () => (await import('./server/backup.ts')).serverBackup,
  verify: async () => (await import('./server/verify.ts')).serverVerify,
  restore: async () => (await import('./server/restore.ts')).serverRestore,
  migrate: async () => (await import('./server/migrate.ts')).serverMigrate,
  'secrets rotate': async () => (await import('./secrets-rotate.ts')).secretsRotate,
  'secrets discard': async () => (await import('./secrets-discard.ts')).secretsDiscard,
  'audit verify': async () => (await import('./audit/verify.ts')).auditVerify,
  'domain verify': async () => (await import('./domain-verify.ts')).domainVerify,
  'organization delete': async () => (await import('./organization-deletion.ts')).organizationDelete,
  'organization restore': async () => (await import('./organization-deletion.ts')).organizationRestore,
  'organization deleted': async () => (await import('./organization-deletion.ts')).organizationDeleted,
  'sso unlock': async () => (await import('./sso-unlock.ts')).ssoUnlock,
  'dashboards export': async () => (await import('./dashboards/export.ts')).dashboardsExport,
  'dashboards import': async () => (await import('./dashboards/import.ts')).dashboardsImport,
  'models export': async () => (await import('./models/export.ts')).modelsExport,
  'models import': async () => (await import('./models/import.ts')).modelsImport,
};

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
  const found = findCommand(
    Object.entries(commands).map(([name, load]) => ({ name, load })),
    words,
  );
  if (found === undefined)
    return words.length === 0 || asksForHelp(words)
      ? done(await overview())
      : misused(`Unknown command.\n\n${await overview()}`);
  const command = await found.load();
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

const overview = async (): Promise<string> =>
  overviewOf(operatorCommand, await Promise.all(Object.values(commands).map((load) => load())), [
    'COMMAND --help shows its options, and --version the version. Commands use the settings of the server.',
    `${serverCommand} runs the server.`,
  ]);
