import assert from 'node:assert/strict';
import {
  closeSync,
  constants,
  cpSync,
  ftruncateSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { seededRandom, type SeededRandom } from '../support/seeded-random.ts';
import {
  freshPlace,
  ownerSettings,
  signInOwner,
  startServerProcess,
  temporaryDirectory,
} from '../support/server/server-process.ts';
import { emptyLedger, verify, writeUntilBroken, type Ledger } from './dashboard-client.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { traceWrites, type FileCall } from './traced-writes.ts';

const writeCount = 400;
const cutCount = 12;
const sectorBytes = 512;

/**
 * Records every write and flush of a server that creates dashboards. For random moments, the files are reconstructed as if the
 * power had failed: with everything that was flushed and, of each later write, nothing, all of it, or some sectors. A server
 * that starts on these files must have every dashboard that was acknowledged before that moment.
 */
export const powerLoss: Scenario = {
  name: 'power-loss',
  fault: 'Power loss: unflushed writes are lost or partly written (SQLite)',
  programs: ['strace'],
  run: async (owner, seed) => {
    const random = seededRandom(seed);
    const place = await freshPlace(owner, 'SQLite');
    const environment = { ...place, ...ownerSettings };
    const directory = place.ATRIUM_DATA_DIR;
    const first = await startServerProcess(owner, { environment });
    await signInOwner(first);
    await first.end('SIGTERM');

    const server = await startServerProcess(owner, { environment });
    const account = await signInOwner(server);
    const files = temporaryDirectory(owner);
    const before = join(files, 'before');
    cpSync(directory, before, { recursive: true });
    const trace = await traceWrites(server.processId, directory, join(files, 'trace'));
    const ledger = emptyLedger();
    const acknowledgedAt: number[] = [];
    await writeUntilBroken(account, ledger, random, {
      isKilled: () => acknowledgedAt.length >= writeCount,
      onAcknowledged: () => {
        acknowledgedAt.push(Date.now());
        if (acknowledgedAt.length === writeCount) void server.end('SIGKILL');
      },
    });
    const calls = await trace.stop();
    const acknowledged = [...ledger.acknowledged.entries()].map(([id, dashboard], index) => ({
      id,
      dashboard,
      at: acknowledgedAt[index] ?? Number.POSITIVE_INFINITY,
    }));
    const start = acknowledgedAt[0] ?? 0;
    const end = acknowledgedAt.at(-1) ?? 0;
    let expectedCount = 0;
    for (let cut = 1; cut <= cutCount; cut += 1) {
      const at = start + ((end - start) * random.integer(0, 1_000_000)) / 1_000_000;
      const remains = join(files, `cut-${cut}`);
      cpSync(before, remains, { recursive: true });
      losePower(calls, at, { from: directory, to: remains }, random);
      const known = acknowledged.filter((entry) => entry.at < at);
      expectedCount += known.length;
      const remembered: Ledger = {
        ...emptyLedger(),
        sent: ledger.sent,
        acknowledged: new Map(known.map(({ id, dashboard }) => [id, dashboard])),
      };
      const revived = await startServerProcess(owner, {
        environment: { ...environment, ATRIUM_DATA_DIR: remains },
      });
      await verify({ ...account, url: revived.url }, remembered, { everything: true });
      await revived.end('SIGKILL');
    }
    assert.ok(expectedCount > 0, 'nothing was acknowledged before any of the cuts');
    return {
      result: `${cutCount} moments within ${writeCount} acknowledged writes; each restart found every write acknowledged before its moment`,
      acknowledgedCount: expectedCount,
    } satisfies Outcome;
  },
};

/** Changes the copied files to a state that the disk may have after a power failure at the moment `at`. */
function losePower(
  calls: readonly FileCall[],
  at: number,
  { from, to }: { readonly from: string; readonly to: string },
  random: SeededRandom,
): void {
  // The index of the write-ahead log is shared memory, which doesn't survive a crash.
  for (const name of readdirSync(to)) if (name.endsWith('-shm')) rmSync(join(to, name));
  const done = calls.filter((call) => call.startedAt < at && !call.path.endsWith('-shm'));
  const lastSync = new Map<string, number>();
  for (const call of done) {
    if (call.kind === 'sync' && call.endedAt < at) lastSync.set(call.path, call.startedAt);
  }
  for (const [path, ofFile] of Map.groupBy(done, (call) => call.path)) {
    const descriptor = openSync(join(to, path.slice(from.length)), constants.O_RDWR | constants.O_CREAT);
    for (const call of ofFile) {
      const isDurable = call.endedAt <= (lastSync.get(path) ?? 0);
      const fate = isDurable ? 'all' : random.pick(['all', 'nothing', 'some'] as const);
      if (call.kind === 'sync' || fate === 'nothing') continue;
      if (call.kind === 'truncate') ftruncateSync(descriptor, call.length);
      else if (fate === 'all') writeSync(descriptor, call.bytes, 0, call.bytes.length, call.offset);
      else writeSomeSectors(descriptor, call, random);
    }
    closeSync(descriptor);
  }
}

function writeSomeSectors(
  descriptor: number,
  { bytes, offset }: { readonly bytes: Buffer; readonly offset: number },
  random: SeededRandom,
): void {
  for (let from = 0; from < bytes.length; from += sectorBytes) {
    if (random.integer(0, 1) === 0) continue;
    writeSync(descriptor, bytes, from, Math.min(sectorBytes, bytes.length - from), offset + from);
  }
}
