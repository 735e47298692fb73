import { runCommand, type CommandOutcome } from '../../../src/server/commands/run-command.ts';
import type { TestServer } from './test-server.ts';

/** Runs a command line on the database of a test server, with a text as its standard input. */
export const runOn = (
  { database, secretBox }: Pick<TestServer, 'database' | 'secretBox'>,
  words: readonly string[],
  { input = '', clock = Date.now } = {},
): Promise<CommandOutcome> =>
  runCommand(words, '0.0.0-test', async () => ({
    database,
    secretBox,
    publicUrl: 'https://atrium.example',
    clock,
    readInput: async () => Buffer.from(input),
    close: async () => {},
  }));
