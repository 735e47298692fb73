import { setTimeout as delay } from 'node:timers/promises';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** Copies the files of all tables, or those of one organization. */
export type FileUse = 'backup' | { readonly exportOf: string };

/** After a backup was killed, its lease ends this long after the last renewal. */
const leaseMs = 120_000;
const renewEveryMs = 15_000;

/** The ID of an export's lease begins with its organization, so that it concerns no other. */
const prefixOf = (organizationId: string): string => `${organizationId}/`;

const current = prepare((db, p: { now: string; pattern: string }) =>
  db
    .selectFrom('file_leases')
    .select('id')
    .where('expires_at', '>', p.now)
    .where(({ or, eb }) => or([eb('id', 'not like', '%/%'), eb('id', 'like', p.pattern)]))
    .limit(1),
);

/**
 * Whether a backup, or an export of the organization, may copy a file of its tables at the moment. To be called after the commit that removed the last row of a
 * file: a lease that starts later belongs to a backup whose copy of the database doesn't have that row either.
 */
export const areFilesHeld = async (reader: Reader, clock: Clock, organizationId: string): Promise<boolean> =>
  (await reader.first(current, { now: timestamp(clock()), pattern: `${prefixOf(organizationId)}%` })) !==
  undefined;

const insert = prepare((db, p: { id: string; expiresAt: string }) =>
  db.insertInto('file_leases').values({ id: p.id, expires_at: p.expiresAt }),
);
const renew = prepare((db, p: { id: string; now: string; expiresAt: string }) =>
  db
    .updateTable('file_leases')
    .set({ expires_at: p.expiresAt })
    .where('id', '=', p.id)
    .where('expires_at', '>', p.now),
);
const remove = prepare((db, p: { id: string; now: string }) =>
  db
    .deleteFrom('file_leases')
    .where((where) => where.or([where('id', '=', p.id), where('expires_at', '<', p.now)])),
);

/**
 * Runs `work` while no server removes a file of a table that it copies. Throws `unavailable` if the lease has expired before `work` ended,
 * for example because the computer slept: then files may be missing.
 */
export async function holdingFiles<Result>(
  database: Database,
  clock: Clock,
  use: FileUse,
  work: () => Promise<Result>,
): Promise<Result> {
  const id = use === 'backup' ? newId() : `${prefixOf(use.exportOf)}${newId()}`;
  const times = () => ({ now: timestamp(clock()), expiresAt: timestamp(clock() + leaseMs) });
  const renewLease = () => database.write((transaction) => transaction.run(renew, { id, ...times() }));
  await database.write((transaction) => transaction.run(insert, { id, ...times() }));
  const done = new AbortController();
  const renewing = (async () => {
    for (;;) {
      await delay(renewEveryMs, undefined, { signal: done.signal });
      // If this fails, the last renewal notices.
      await renewLease().catch(() => 0);
    }
  })().catch(() => undefined);
  try {
    const result = await work();
    if ((await renewLease()) === 0)
      throw new AtriumError(
        'unavailable',
        `The ${use === 'backup' ? use : 'export'} was interrupted for longer than two minutes, so files of tables may be missing. Start it again.`,
      );
    return result;
  } finally {
    done.abort();
    await renewing;
    const { now } = times();
    await database.write((transaction) => transaction.run(remove, { id, now })).catch(() => undefined);
  }
}
