import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { atEndOf } from '../support/endings.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  temporaryDirectory,
  until,
} from '../support/server/server-process.ts';
import { emptyLedger, verify, writeUntilBroken } from './dashboard-client.ts';
import type { Scenario } from './scenario.ts';

const mebibyte = 1024 * 1024;

/** The disk of the data directory fills up, and then has space again. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  fault: 'The disk of the data directory is full (SQLite)',
  programs: ['mount', 'umount'],
  needsRoot: true,
  run: async (owner, seed) => {
    const disk = temporaryDirectory(owner);
    requireSuccess('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', disk]);
    atEndOf(owner, () => requireSuccess('umount', ['--lazy', disk]));
    const reserve = join(disk, 'reserve');
    writeFileSync(reserve, Buffer.alloc(4 * mebibyte));
    const environment = { ...ownerSettings, ATRIUM_DATA_DIR: join(disk, 'data') };
    const server = await startServerProcess(owner, { environment });
    const account = await signInOwner(server);
    const ledger = emptyLedger();
    await writeUntilBroken(account, ledger, seededRandom(seed), {
      isKilled: () => true,
      onAcknowledged: () => undefined,
    });
    await verify(account, ledger, { everything: true });
    const ready = await send(account, 'GET /api/health/ready');
    rmSync(reserve);
    await until('dashboards are created again', async () => {
      const { status } = await send(account, 'POST /api/dashboards', {
        body: { name: 'again', widgets: [] },
      });
      return status === 201 ? true : undefined;
    });
    ledger.sent.set('again', { name: 'again', widgets: [] });
    await verify(account, ledger, { everything: true });
    return {
      result: `reads still worked, readiness returned ${ready.status}, and writes worked again as soon as there was space`,
      acknowledgedCount: ledger.acknowledged.size,
    };
  },
};

/** More connections and files than the process may open. */
export const descriptors: Scenario = {
  name: 'descriptors',
  fault: "The process can't open more files (EMFILE)",
  programs: ['prlimit'],
  run: async (owner) => {
    const environment = { ...(await freshPlace(owner, 'SQLite')), ...ownerSettings };
    const server = await startServerProcess(owner, { environment });
    const account = await signInOwner(server);
    const limit = globSync(`/proc/${server.processId}/fd/*`).length + 10;
    requireSuccess('prlimit', ['--pid', String(server.processId), `--nofile=${limit}`]);
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    for (let count = 0; count < 100; count += 1) {
      sockets.push(connect(Number(port), hostname).on('error', () => undefined));
    }
    await until('the process has no descriptor left', () =>
      globSync(`/proc/${server.processId}/fd/*`).length >= limit - 1 ? true : undefined,
    );
    for (const socket of sockets) socket.destroy();
    const { status } = await until('the server responds again', () =>
      send(account, 'POST /api/dashboards', { body: { name: 'again' } }).catch(() => undefined),
    );
    assert.equal(status, 201);
    assert.equal(server.exit(), undefined);
    return {
      result:
        '100 connections when only 10 more files could be opened: the server kept running and responded once they were closed',
      acknowledgedCount: 1,
    };
  },
};

/** The clock of the machine jumps ahead and back. */
export const clockJumps: Scenario = {
  name: 'clock',
  fault: 'The clock jumps an hour ahead, two hours back, and a month ahead (SQLite)',
  programs: ['faketime'],
  run: async (owner, seed) => {
    const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? '';
    assert.ok(existsSync(library), 'libfaketime is not at its path on Debian');
    const place = await freshPlace(owner, 'SQLite');
    const offsetFile = join(temporaryDirectory(owner), 'offset');
    writeFileSync(offsetFile, '+0');
    const environment = {
      ...place,
      ...ownerSettings,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const server = await startServerProcess(owner, { environment });
    let account = await signInOwner(server);
    const ledger = emptyLedger();
    const random = seededRandom(seed);
    for (const [offset, expectedStatus] of [
      ['+0', 200],
      ['+1h', 200],
      ['-1h', 200],
      ['+30d', 401],
      ['+0', 200],
    ] as const) {
      writeFileSync(offsetFile, offset);
      const { status } = await send(account, 'GET /api/organizations');
      assert.equal(status, expectedStatus, `after a jump to ${offset}`);
      if (status === 401) account = await signInOwner(server);
      const wanted = ledger.acknowledged.size + 200;
      await writeUntilBroken(account, ledger, random, {
        isKilled: () => false,
        onAcknowledged: () => undefined,
        isEnough: () => ledger.acknowledged.size >= wanted,
      });
      await verify(account, ledger, { everything: true });
      assert.equal((await send(account, 'GET /api/health/ready')).status, 200);
    }
    return {
      result: 'writes, reads and lists worked before and after each jump; expired sessions were refused',
      acknowledgedCount: ledger.acknowledged.size,
    };
  },
};

function requireSuccess(program: string, programArguments: readonly string[]): void {
  const { status, stderr } = spawnSync(program, programArguments, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}
