import { statfs } from 'node:fs/promises';
import type { DatabaseFault, HealthCheck } from '#contract/server.ts';
import { minutesMs, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { createReading } from '../../base/reading.ts';
import type { Database } from '../../storage/database.ts';
import { tryToWrite } from '../../storage/instance.ts';
import { findSchemaFault } from '../../storage/migrations/migrations.ts';

/** Dependencies of checking whether a server can serve. */
export interface HealthDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataDirectory: string;
  readonly isStopping: () => boolean;
  /** Whether the storage of uploaded tables works, as far as is known from its last use. */
  readonly isTableStorageReachable: () => boolean;
  /** Returns how many secrets are stored, and how many of them no root key decrypts. */
  readonly countSecrets: () => Promise<{ readonly count: number; readonly unreadableCount: number }>;
}

/** The result of a check without its name. */
type Finding = Omit<HealthCheck, 'name'>;

const ok: Finding = { status: 'ok' };
const degraded = (detail: string): Finding => ({ status: 'degraded', detail });
const failed = (detail: string): Finding => ({ status: 'failed', detail });

const freshMs = 10_000;
/** Proxies wait for a second or two. */
const deadlineMs = 500;
/** Below this, SQLite's log and a few saves may no longer fit. */
const minFreeBytes = 256 * 1024 ** 2;

/**
 * Returns the function that runs all checks. Anyone may call it, so what is expensive is read at most every ten seconds,
 * and nothing in a detail helps an attacker.
 */
export function createHealthChecks(dependencies: HealthDependencies): () => Promise<HealthCheck[]> {
  const { database, clock, dataDirectory, isStopping, isTableStorageReachable, countSecrets } = dependencies;
  // A write that fails becomes a fault of the database, which is reported until it is over.
  const readWrites = createReading(
    clock,
    freshMs,
    () =>
      tryToWrite(database).then(
        () => ok,
        (error: unknown) => degraded(detailOf(error, 'The database cannot be written.')),
      ),
    deadlineMs,
  );
  const readSchema = createReading(
    clock,
    freshMs,
    async () => {
      const fault = await findSchemaFault(database);
      return fault === undefined ? ok : failed(fault);
    },
    deadlineMs,
  );
  const readKey = createReading(
    clock,
    minutesMs(1),
    async () => {
      const { count, unreadableCount } = await countSecrets();
      if (unreadableCount === 0) return ok;
      return unreadableCount === count
        ? failed(
            'The root key decrypts none of the stored secrets. Set ATRIUM_SECRET_KEY to the correct key.',
          )
        : degraded(
            'The root key decrypts only some of the stored secrets. Add the other key, or enter them again.',
          );
    },
    deadlineMs,
  );
  const readDisk = createReading(
    clock,
    freshMs,
    async () => {
      const { bavail, bsize } = await statfs(dataDirectory);
      return bavail * bsize >= minFreeBytes ? ok : degraded('The disk is almost full. Free up space.');
    },
    deadlineMs,
  );

  return async () => {
    const [faults, writes, schema, key, disk] = await Promise.all([
      readFaults(database),
      readWrites(),
      readSchema(),
      readKey(),
      readDisk(),
    ]);
    const findings: Readonly<Record<HealthCheck['name'], Finding>> = {
      shutdown: isStopping() ? failed('The server is shutting down.') : ok,
      database: typeof faults === 'string' ? failed(faults) : findFault(faults, ['unreadable', 'read_only']),
      writes: pickWorse(
        writes ?? degraded('The database takes longer than half a second to write.'),
        typeof faults === 'string' ? ok : findFault(faults, ['not_writable'], degraded),
      ),
      schema: schema ?? unknown,
      permissions: typeof faults === 'string' ? ok : findFault(faults, ['not_permitted']),
      key: key ?? unknown,
      disk: disk ?? degraded('The disk of the data directory does not respond.'),
      tables: isTableStorageReachable()
        ? ok
        : degraded('The storage of uploaded tables is not available. The log has the cause.'),
    };
    return Object.entries(findings).map(([name, finding]) => ({
      // Sound because these are the names of the record above.
      name: name as HealthCheck['name'],
      ...finding,
    }));
  };
}

/** If the database doesn't respond, its own check reports that. */
const unknown = ok;

async function readFaults(database: Database): Promise<readonly DatabaseFault[] | string> {
  try {
    return await database.check();
  } catch (error) {
    return detailOf(error, 'The database does not respond.');
  }
}

function findFault(
  faults: readonly DatabaseFault[],
  codes: readonly DatabaseFault['code'][],
  toFinding = failed,
): Finding {
  const fault = faults.find(({ code }) => codes.includes(code));
  return fault === undefined ? ok : toFinding(fault.detail);
}

/** Prefers the fault, which says what to do. */
const pickWorse = (probe: Finding, fault: Finding): Finding => (fault.status === 'ok' ? probe : fault);

/** Only errors that are meant for clients are shown. */
const detailOf = (error: unknown, otherwise: string): string =>
  error instanceof AtriumError ? error.message : otherwise;
