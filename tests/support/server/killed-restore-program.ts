import { restoreBackup } from '../../../src/server/backup/restore/restore.ts';
import { openServer } from '../../../src/server/storage/open-database.ts';
import type { KilledRestore } from './killed-restore.ts';

// Sound because `restoreUntilKilled` wrote it.
const { backup, place, killAfter } = JSON.parse(process.argv[2] ?? '') as KilledRestore;
const { databaseUrl, dataDirectory } = place;
await restoreBackup(backup, {
  dataDirectory,
  openServer: databaseUrl === undefined ? undefined : () => openServer(databaseUrl),
  secretKeys: undefined,
  // What it reads is tested with other backups, and it takes longer than all else.
  tableCheck: { findFaults: async () => [] },
  onStep: (step) => {
    if (step === killAfter) process.kill(process.pid, 'SIGKILL');
  },
});
