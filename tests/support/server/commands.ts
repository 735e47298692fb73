import { runCommand, type CommandOutcome } from '../../../src/server/commands/run-command.ts';
import type { TestServer } from './test-server.ts';

type CommandServer = Pick<TestServer, 'database' | 'secretBox'> &
  Partial<Pick<TestServer, 'dataDirectory' | 'databaseUrl'>>;

/** Runs a command line on the database of a test server, with a text as its standard input. */
export const runOn = (
  { database, secretBox, dataDirectory = '', databaseUrl }: CommandServer,
  words: readonly string[],
  { input = '', clock = Date.now } = {},
): Promise<CommandOutcome> =>
  runCommand(words, '0.0.0-test', () => {
    const open = async () => ({
      database,
      secretBox,
      publicUrl: 'https://atrium.example',
      clock,
      readInput: async () => Buffer.from(input),
      close: async () => {},
    });
    return {
      settings: {
        databaseUrl,
        dataDirectory,
        secretKeys: undefined,
        tablesUrl: undefined,
        querySandbox: 'auto',
      },
      environment: process.env,
      version: '0.0.0-test',
      clock,
      open,
      openExisting: open,
    };
  });
