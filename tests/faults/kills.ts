import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, type PostgresServer } from '../support/storage/postgres.ts';
import type { Owner } from '../support/endings.ts';
import {
  freshPlace,
  launchServer,
  ownerSettings,
  rootKey,
  send,
  signInOwner,
  startServerProcess,
  until,
  type Account,
  type Environment,
  type ServerProcess,
} from '../support/server/server-process.ts';
import type { Engine } from '../support/server/test-server.ts';
import { emptyLedger, verify, writeUntilBroken, type Ledger } from './dashboard-client.ts';
import { seededRandom, type SeededRandom } from '../support/seeded-random.ts';
import type { Scenario } from './scenario.ts';

const fullKillCount = Number(process.env['ATRIUM_TEST_KILLS'] ?? 24);

function killsOn(engine: Engine, name: string, fault: string): Scenario {
  return {
    name,
    fault,
    run: async (owner, seed) => {
      const acknowledgedCount = await surviveKills(owner, {
        engine,
        killCount: fullKillCount,
        seed,
        report: console.log,
      });
      return {
        acknowledgedCount,
        result: `${fullKillCount} kills; after each, every acknowledged write was there and complete`,
      };
    },
  };
}

export const killsOfSqlite: Scenario = killsOn(
  'SQLite',
  'kills-sqlite',
  'SIGKILL of Atrium during writes (SQLite)',
);
export const killsOfPostgres: Scenario = killsOn(
  'PostgreSQL',
  'kills-postgresql',
  'SIGKILL of Atrium and PostgreSQL alternately during writes',
);

export interface CrashTrial {
  readonly engine: Engine;
  readonly killCount: number;
  readonly seed: number;
  report(line: string): void;
}

interface Scene {
  readonly owner: Owner;
  readonly environment: Environment;
  readonly postgres: PostgresServer | undefined;
  readonly random: SeededRandom;
  readonly ledger: Ledger;
}

/**
 * Kills a server with SIGKILL repeatedly while a client creates dashboards as fast as it can, and restarts it on the same data.
 * Throws unless, after each start, every dashboard that was acknowledged with 201 exists and none is incomplete. On PostgreSQL,
 * kills Atrium and PostgreSQL alternately. Returns the number of acknowledged writes.
 */
export async function surviveKills(
  test: Owner,
  { engine, killCount, seed, report }: CrashTrial,
): Promise<number> {
  report(`${engine}: seed ${seed}`);
  const random = seededRandom(seed);
  const postgres = engine === 'PostgreSQL' ? await startPostgres({ durable: true }) : undefined;
  if (postgres !== undefined) test.after(() => postgres.stop());
  const scene: Scene = {
    owner: test,
    environment: {
      ...(await freshPlace(test, 'SQLite')),
      ...(postgres && {
        DATABASE_URL: postgres.url,
        ATRIUM_SECRET_KEY: rootKey,
      }),
      ...ownerSettings,
    },
    postgres,
    random,
    ledger: emptyLedger(),
  };
  await killWhileStarting(scene);
  let server = await startServerProcess(test, scene);
  let account = await signInOwner(server);
  for (let round = 1; round <= killCount; round += 1) {
    const killsDatabase = scene.postgres !== undefined && round % 2 === 0;
    const acknowledgedBefore = scene.ledger.acknowledged.size;
    await writeUntilKill(scene, server, account, killsDatabase);
    if (!killsDatabase) {
      if (random.integer(1, 4) === 1) await killWhileStarting(scene);
      server = await startServerProcess(test, scene);
      account = { ...account, url: server.url };
    }
    const readCount = await verify(account, scene.ledger);
    const acknowledgedCount = scene.ledger.acknowledged.size - acknowledgedBefore;
    const victim = killsDatabase ? 'PostgreSQL' : 'Atrium';
    report(`${engine}: kill ${round} of ${victim}: ${acknowledgedCount} acknowledged, ${readCount} complete`);
    assert.ok(acknowledgedCount > 0, 'nothing was acknowledged, so nothing was tested');
  }
  const readCount = await verify(account, scene.ledger, { everything: true });
  const { acknowledged, sent } = scene.ledger;
  report(`${engine}: ${sent.size} sent, ${acknowledged.size} acknowledged, ${readCount} complete in the end`);
  assert.equal((await server.end('SIGTERM')).code, 0);
  return acknowledged.size;
}

/** Writes until a random moment, then kills the server or its database. Restarts the database. */
async function writeUntilKill(
  scene: Scene,
  server: ServerProcess,
  account: Account,
  killsDatabase: boolean,
): Promise<void> {
  const { ledger, random, postgres } = scene;
  const responsesUntilKill = random.integer(1, 600);
  const furtherDelayMs = random.integer(0, 20);
  let responses = 0;
  let isKilled = false;
  let killed: Promise<unknown> = Promise.resolve();
  const kill = async () => {
    await delay(furtherDelayMs);
    isKilled = true;
    if (killsDatabase && postgres !== undefined) process.kill(postgres.processId, 'SIGKILL');
    else await server.end('SIGKILL');
  };
  const onAcknowledged = () => {
    responses += 1;
    if (responses === responsesUntilKill) killed = kill();
  };
  await writeUntilBroken(account, ledger, random, { isKilled: () => isKilled, onAcknowledged });
  await killed;
  if (!killsDatabase) return;
  await postgres?.restart();
  await until('Atrium is ready again', async () => {
    assert.ok(server.exit() === undefined, `Atrium ended with its database: ${server.errorOutput()}`);
    const { status } = await send(account, 'GET /api/health/ready');
    return status === 200 ? true : undefined;
  });
}

/** Kills a server at a random moment while it starts: before, during or after its migrations. */
async function killWhileStarting({ owner, environment, random }: Scene): Promise<void> {
  const server = launchServer(owner, { environment });
  await delay(random.integer(100, 800));
  const { signal, errorOutput } = await server.end('SIGKILL');
  assert.equal(signal, 'SIGKILL', `The server ended before it was killed: ${errorOutput}`);
}
