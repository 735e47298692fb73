import assert from 'node:assert/strict';
import { join } from 'node:path';
import { seededRandom } from '../support/seeded-random.ts';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
} from '../support/server/server-process.ts';
import { emptyLedger, verify, writeUntilBroken } from './dashboard-client.ts';
import { injectFault } from './injected-faults.ts';
import type { Scenario } from './scenario.ts';

const roundCount = 3;

/** The kinds of broken disks, each with the system calls that fail and their error. */
const diskErrors = [
  { name: 'flush', calls: 'fsync,fdatasync', error: 'EIO' },
  { name: 'read', calls: 'pread64', error: 'EIO' },
  { name: 'write', calls: 'pwrite64', error: 'EIO' },
  { name: 'read-only', calls: 'pwrite64,ftruncate', error: 'EROFS' },
  { name: 'full', calls: 'pwrite64', error: 'ENOSPC' },
] as const;

/**
 * The disk fails while dashboards are created. Each request must get a response, reads must still work, no acknowledged write
 * may be lost, and writes must work again when the disk does, without a restart.
 */
export const diskErrorScenarios: readonly Scenario[] = diskErrors.map(({ name, calls, error }) => ({
  name: `disk-${name}`,
  fault: `${error} from ${calls.replace(',', ' and ')} on the database's files (SQLite)`,
  programs: ['strace'],
  run: async (owner, seed) => {
    const random = seededRandom(seed);
    const place = await freshPlace(owner, 'SQLite');
    const environment = { ...place, ...ownerSettings };
    const server = await startServerProcess(owner, { environment });
    const account = await signInOwner(server);
    const ledger = emptyLedger();
    for (const name of ['again', 'refused']) ledger.sent.set(name, { name, widgets: [] });
    const paths = ['', '-wal'].map((end) => join(place.ATRIUM_DATA_DIR, `atrium.sqlite${end}`));
    for (let round = 1; round <= roundCount; round += 1) {
      let isBroken = false;
      let acknowledgedCount = 0;
      let breaking: Promise<{ stop(): Promise<void> }> | undefined;
      await writeUntilBroken(account, ledger, random, {
        isKilled: () => isBroken,
        onAcknowledged: () => {
          acknowledgedCount += 1;
          if (acknowledgedCount < 100 || breaking !== undefined) return;
          // Set before strace has attached, since a write may fail before the promise resolves.
          isBroken = true;
          breaking = injectFault(server.processId, { calls, error, paths });
        },
      });
      const fault = await breaking;
      assert.ok(fault !== undefined);
      if (calls === 'pread64') {
        // SQLite can still read and write the pages that it has in memory.
        const { status } = await send(account, 'GET /api/dashboards?limit=200');
        assert.ok([200, 503].includes(status), String(status));
      } else {
        const refused = await send(account, 'POST /api/dashboards', { body: { name: 'refused' } });
        assert.equal(refused.status, 503, JSON.stringify(refused.body));
        await verify(account, ledger);
      }
      await fault.stop();
      await until('dashboards are created again', async () => {
        const { status } = await send(account, 'POST /api/dashboards', {
          body: { name: 'again', widgets: [] },
        });
        return status === 201 ? true : undefined;
      });
      await until('the server is ready', async () => {
        const { status } = await send(account, 'GET /api/health/ready');
        return status === 200 ? true : undefined;
      });
    }
    await server.end('SIGKILL');
    const revived = await startServerProcess(owner, { environment });
    await verify({ ...account, url: revived.url }, ledger, { everything: true });
    return {
      result:
        calls === 'pread64'
          ? `${roundCount} times: requests that could not read their data returned 503, and everything worked again when the disk did`
          : `${roundCount} times: writes returned 503, reads still worked, and writes worked again when the disk did`,
      acknowledgedCount: ledger.acknowledged.size,
    };
  },
}));
