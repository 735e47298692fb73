import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../base/errors.ts';
import { databaseFile, lockDataDirectory, requireDatabaseFile } from '../../storage/data-directory.ts';
import {
  knownSchemaVersion,
  migrate,
  readSchemaVersion,
  tryPendingSteps,
  type TriedStep,
} from '../../storage/migrations/migrations.ts';
import { openDatabase, openUnchanged } from '../../storage/open-database.ts';
import { copySqlite } from '../../storage/sqlite/snapshot.ts';
import type { Command, CommandPlace, Report } from '../command.ts';

type Settings = CommandPlace['settings'];

export const serverMigrate: Command = {
  name: 'migrate',
  summary:
    'Upgrades the schema of the database to this version of the program. The server does the same when it starts.\n' +
    'An embedded database is upgraded only while no server runs on it.',
  options: [
    {
      name: 'dry-run',
      placeholder: '',
      help: 'only lists the steps and how long each takes; tries them on a copy of the embedded database, or on PostgreSQL in a transaction that is undone, which locks the tables that change',
      required: false,
    },
  ],
  async runAt({ settings }, values) {
    return values['dry-run'] === undefined ? run(settings) : dryRun(settings);
  },
};

async function run(settings: Settings): Promise<Report> {
  if (settings.databaseUrl === undefined) lockDataDirectory(settings.dataDirectory);
  const opened = await openUnchanged(settings);
  const from = await readSchemaVersion(opened);
  await opened.close();
  const database = await openDatabase(settings);
  await database.close();
  return {
    text:
      from < knownSchemaVersion
        ? `upgraded the schema from version ${from} to ${knownSchemaVersion}`
        : `the schema has version ${from}: nothing to do`,
    data: { from, to: Math.max(from, knownSchemaVersion) },
  };
}

async function dryRun(settings: Settings): Promise<Report> {
  const steps = await (settings.databaseUrl === undefined ? tryOnCopy(settings) : tryOn(settings));
  const lines = steps.map(({ name, durationMs }) => `${name} (${seconds(durationMs)})`);
  const totalMs = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    text:
      steps.length === 0
        ? 'nothing to do'
        : [
            ...lines,
            `${steps.length === 1 ? '1 step' : `${steps.length} steps`}, about ${seconds(totalMs)}`,
          ].join('\n'),
    data: { steps, totalMs },
    exitCode: steps.length === 0 ? 0 : 3,
  };
}

const seconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(2)} s`;

/** Tries the steps on a copy beside the database, which needs as much space, since a trial would lock the database. */
async function tryOnCopy(settings: Settings): Promise<readonly TriedStep[]> {
  const file = databaseFile(settings.dataDirectory);
  requireDatabaseFile(settings.dataDirectory);
  const { size } = await stat(file);
  const { bavail, bsize } = await statfs(settings.dataDirectory);
  // The changes need space as well.
  if (bavail * bsize < 2 * size)
    throw new StartError(`There is no space for a copy of the database in ${settings.dataDirectory}.`);
  const directory = join(settings.dataDirectory, `migration-trial-${randomUUID()}`);
  try {
    await mkdir(directory, { mode: 0o700 });
    await copySqlite(file, databaseFile(directory));
    return await tryOn({ ...settings, dataDirectory: directory });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function tryOn(settings: Settings): Promise<readonly TriedStep[]> {
  const database = await openUnchanged(settings);
  try {
    const version = await readSchemaVersion(database);
    if (version === 0)
      throw new StartError('The database is empty: the first start of the server creates the schema.');
    // Only checks that this program can use the database.
    if (version > knownSchemaVersion) await migrate(database);
    return await tryPendingSteps(database);
  } finally {
    await database.close();
  }
}
