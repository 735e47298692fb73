import { buffer } from 'node:stream/consumers';
import packageJson from '../../package.json' with { type: 'json' };
import { StartError } from './base/errors.ts';
import type { CommandPlace, OpenedPlace } from './commands/command.ts';
import { runCommand } from './commands/run-command.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { openSecretBox } from './root-keys.ts';
import { openDatabase, type OpenOptions } from './storage/open-database.ts';

/** The command line of the operator, `atrium server`. */
function getPlace(): CommandPlace {
  const settings = readSettings(process.env);
  return {
    settings,
    environment: process.env,
    version: packageJson.version,
    clock: Date.now,
    openExisting: () => open(settings, { creates: false }),
    open: () => open(settings),
  };
}

async function open(
  settings: Settings,
  { creates = true }: Pick<OpenOptions, 'creates'> = {},
): Promise<OpenedPlace> {
  const database = await openDatabase(settings, { upgrades: false, creates });
  try {
    const secretBox = await openSecretBox(database, settings);
    const { publicUrl } = settings;
    return {
      database,
      secretBox,
      publicUrl,
      clock: Date.now,
      readInput: () => buffer(process.stdin),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

try {
  const { exitCode, output, errorOutput } = await runCommand(
    process.argv.slice(3),
    packageJson.version,
    getPlace,
  );
  if (output !== '') process.stdout.write(`${output}\n`);
  if (errorOutput !== '') process.stderr.write(`${errorOutput}\n`);
  process.exitCode = exitCode;
} catch (error) {
  process.stderr.write(
    error instanceof StartError
      ? `${error.message}\n`
      : `${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = 1;
}
