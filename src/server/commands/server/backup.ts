import { createBackup } from '../../backup/create.ts';
import { toPostgresVariables } from '../../base/database/variables.ts';
import { printableLines } from '../../../cli/usage/printable.ts';
import { required, UsageError } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';

export const serverBackup: Command = {
  name: 'backup',
  summary:
    'Backs up the database and the uploaded tables into a new directory, while the server runs.\n' +
    'Files of tables are linked if the directory is on the same file system, and copied otherwise. The backup contains\n' +
    'everything that was confirmed before it started.',
  arguments: [
    {
      name: 'directory',
      placeholder: 'DIR',
      help: 'a directory that is empty or does not exist (required)',
    },
  ],
  options: [
    {
      name: 'without-key',
      placeholder: '',
      help: 'leaves out the key that decrypts stored secrets; keep it in another safe place, since they are lost without it',
      required: false,
    },
    {
      name: 'dump',
      placeholder: 'COMMAND',
      help: 'PostgreSQL only: stores the output of this command instead of the rows, such as \'pg_dump --format=custom --snapshot="$ATRIUM_SNAPSHOT"\', which finds the database by variables such as PGHOST and PGPASSWORD',
      required: false,
    },
  ],
  async runAt(place, values) {
    const { settings, environment, version, clock } = place;
    const command = values['dump'];
    if (command !== undefined && settings.databaseUrl === undefined)
      throw new UsageError('--dump is only for PostgreSQL. The embedded database is copied as it is.');
    if (settings.tablesUrl !== undefined) {
      throw new UsageError(
        'Uploaded tables are on S3-compatible storage (ATRIUM_TABLES_URL), which this command does not back up. Back up ' +
          'the database with pg_dump, and turn on versions of the bucket: see docs/operation/s3.md.',
      );
    }
    const directory = required(values, 'directory');
    const { database, close } = await place.openExisting();
    try {
      const { dataDirectory } = settings;
      const dependencies = { database, clock, dataDirectory, version };
      const withKey = values['without-key'] === undefined;
      const manifest = await createBackup(dependencies, directory, {
        withKey,
        dumpCommand:
          command === undefined
            ? undefined
            : {
                command,
                environment: { ...environment, ...toPostgresVariables(settings.databaseUrl ?? '') },
              },
      });
      const { files, faults, createdAt, secretKey } = manifest;
      const tableCount = files.filter(({ table }) => table !== undefined).length;
      const lines = [
        `backed up to ${directory}: the database and ${tableCount} uploaded tables`,
        ...(secretKey === 'included' ? [] : [keyNotes[secretKey]]),
        ...faults.map((fault) => `fault: ${fault}`),
      ];
      const data = { directory, createdAt, tableCount, secretKey, faults };
      return { text: printableLines(lines.join('\n')), data, exitCode: faults.length === 0 ? 0 : 1 };
    } finally {
      await close();
    }
  },
};

const keyNotes = {
  'left out':
    'The key is not in this backup. Without it, passwords of data sources and client secrets of single sign-on cannot be decrypted: store the file secret-key separately.',
  absent: 'The key is not in this backup, since it is in ATRIUM_SECRET_KEY. Store it separately.',
};
