import { withTableCheck } from '../../backup/verify/table-check.ts';
import { verifyBackup } from '../../backup/verify/backup.ts';
import { verifyServer } from '../../backup/verify/server.ts';
import { printableLines } from '../../../cli/usage/printable.ts';
import { UsageError } from '../../../cli/usage/usage.ts';
import type { Command, CommandPlace } from '../command.ts';

export const serverVerify: Command = {
  name: 'verify',
  summary:
    'Reads and opens everything in a backup or, without DIR, in the data directory of the server, which may be running.\n' +
    'Checks checksums, the database, numbers of rows, uploaded tables and secrets, and lists every fault.',
  arguments: [{ name: 'directory', placeholder: '[DIR]', help: 'the backup', isOptional: true }],
  options: [
    {
      name: 'rate',
      placeholder: 'MIB',
      help: 'reads at most this many mebibytes of uploaded tables per second; only without DIR',
      required: false,
    },
  ],
  async runAt(place, values) {
    const { directory, rate } = values;
    const { faults, notes } =
      directory === undefined
        ? await verifyLive(place, toRate(rate))
        : await verifyBackupAt(directory, place.settings);
    const what = directory ?? place.settings.dataDirectory;
    const lines = [
      ...faults.map((fault) => `fault: ${fault}`),
      ...notes,
      faults.length === 0
        ? `${what}: no faults`
        : `${what}: ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}`,
    ];
    return {
      text: printableLines(lines.join('\n')),
      data: { directory: what, faults, notes },
      exitCode: faults.length === 0 ? 0 : 1,
    };
  },
};

async function verifyBackupAt(directory: string, { secretKeys, querySandbox }: CommandPlace['settings']) {
  const { manifest, faults, notes } = await withTableCheck(querySandbox, (tableCheck) =>
    verifyBackup(directory, secretKeys, tableCheck),
  );
  return {
    faults: [...faults, ...manifest.faults.map((fault) => `when the backup was made, ${fault}`)],
    notes,
  };
}

async function verifyLive(place: CommandPlace, bytesPerSecond: number) {
  const { dataDirectory, tablesUrl, querySandbox } = place.settings;
  const hasLocalTables = tablesUrl === undefined;
  const { database, secretBox, close } = await place.openExisting();
  try {
    return await withTableCheck(querySandbox, (tableCheck) =>
      verifyServer({ database, secretBox, dataDirectory, hasLocalTables, tableCheck, bytesPerSecond }),
    );
  } finally {
    await close();
  }
}

function toRate(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UsageError('--rate must be a whole number of mebibytes, at least 1.');
  return Number(text) * 1024 ** 2;
}
