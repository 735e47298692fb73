import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPlace } from '../../../src/server/commands/command.ts';
import { runCommand, type CommandOutcome } from '../../../src/server/commands/run-command.ts';
import { openDatabase } from '../../../src/server/storage/open-database.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { runOn } from './commands.ts';
import { makeDataDirectory } from './data-directory.ts';
import {
  createTestPlace,
  startTestServer,
  type Engine,
  type TestPlace,
  type TestServer,
} from './test-server.ts';

/** Returns a path for a backup that is removed at the end. */
export function newBackupPath(owner: Owner): string {
  const parent = makeDataDirectory();
  atEndOf(owner, () => rmSync(parent, { recursive: true, force: true }));
  return join(parent, `backup-${randomUUID()}`);
}

/** Backs up a test server; fails unless that succeeds. */
export async function backUp(owner: Owner, server: TestServer, ...options: string[]): Promise<string> {
  const directory = newBackupPath(owner);
  const outcome = await runOn(server, ['backup', directory, ...options]);
  assert.equal(outcome.exitCode, 0, outcome.errorOutput + outcome.output);
  return directory;
}

const refuseToOpen = () => Promise.reject(new Error('The database was opened.'));

/** Runs a command in a place whose database isn't open. */
export const runAt = (
  { databaseUrl, dataDirectory }: Omit<TestPlace, 'drop'>,
  words: readonly string[],
  secretKeys?: readonly [string, ...string[]],
): Promise<CommandOutcome> => {
  const place: CommandPlace = {
    settings: { databaseUrl, dataDirectory, secretKeys, tablesUrl: undefined, querySandbox: 'auto' },
    environment: process.env,
    version: '0.0.0-test',
    clock: Date.now,
    open: refuseToOpen,
    openExisting: refuseToOpen,
  };
  return runCommand(words, '0.0.0-test', () => place);
};

/** Restores a backup into a new place, and starts a server there. */
export async function startRestored(owner: Owner, engine: Engine, backup: string): Promise<TestServer> {
  const place = await createTestPlace(engine);
  const restored = await runAt(place, ['restore', backup]);
  assert.equal(restored.exitCode, 0, restored.errorOutput);
  return startTestServer(owner, engine, {}, { ...place, database: await openDatabase(place) });
}
