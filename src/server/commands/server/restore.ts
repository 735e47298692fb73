import { restoreBackup } from '../../backup/restore/restore.ts';
import { withTableCheck } from '../../backup/verify/table-check.ts';
import { openServer } from '../../storage/open-database.ts';
import { printableLines } from '../../../cli/usage/printable.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';

export const serverRestore: Command = {
  name: 'restore',
  summary:
    'Restores a backup into an empty data directory (ATRIUM_DATA_DIR), after it has verified the backup.\n' +
    'A PostgreSQL database (DATABASE_URL) has to be empty, too. Everyone has to sign in again, and owners have to confirm tokens.\n' +
    'If it fails or is killed, no server starts there. Run it again to complete it.',
  arguments: [{ name: 'directory', placeholder: 'DIR', help: 'the backup (required)' }],
  options: [],
  async runAt({ settings }, values) {
    const directory = required(values, 'directory');
    const { dataDirectory, databaseUrl, secretKeys, querySandbox } = settings;
    const open = databaseUrl === undefined ? undefined : () => openServer(databaseUrl);
    const { manifest, notes } = await withTableCheck(querySandbox, (tableCheck) =>
      restoreBackup(directory, { dataDirectory, openServer: open, secretKeys, tableCheck }),
    );
    const { createdAt, secretKey, faults } = manifest;
    const lines = [
      `restored the backup of ${createdAt} into ${dataDirectory}`,
      'Members, roles, passwords and second factors are as they were then: remove people who have left since, and reset passwords that were changed because someone else knew them.',
      'Tokens are suspended until an owner confirms them, webhooks are disabled, and invitations and links for displays have ended.',
      ...(secretKey === 'left out'
        ? ['Set ATRIUM_SECRET_KEY to the key, or put the file secret-key back, before you start the server.']
        : []),
      ...(secretKey === 'absent' ? ['Start the server with the same ATRIUM_SECRET_KEY as before.'] : []),
      ...faults.map((fault) => `fault when the backup was made: ${fault}`),
      ...notes,
    ];
    return {
      text: printableLines(lines.join('\n')),
      data: { directory, dataDirectory, createdAt, secretKey, faults, notes },
    };
  },
};
