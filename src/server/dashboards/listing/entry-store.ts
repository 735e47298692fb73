import { sql } from 'kysely';
import { newId } from '../../base/ids.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { matchingKeys, type FullTextRange } from '../../storage/full-text.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** What the index needs of a dashboard; texts are cut off, since nobody searches further. */
export interface IndexedDashboard {
  readonly dashboardId: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly name: string;
  readonly description: string | null;
  /** The JSON text of its `Widget[]`. */
  readonly widgets: string;
  readonly updatedAt: string;
  readonly folderId: string | null;
}

/** The entry of a dashboard in the index. */
export interface IndexEntry {
  readonly key: number;
  readonly dashboardId: string;
  /** The ID of the organization or, for a personal dashboard, of the user. */
  readonly scope: string;
  readonly userId: string;
  readonly sortName: string;
  readonly updatedAt: string;
  readonly wordsHash: string;
  /** Empty if it is in no folder. */
  readonly folderId: string;
}

const queue = prepare((db, p: { id: string; dashboardId: string }) =>
  db.insertInto('dashboard_queue').values({ id: p.id, dashboard_id: p.dashboardId }),
);

/** Queues a dashboard to be indexed again, in the transaction that creates, changes, deletes or restores it. */
export const queueForIndex = (transaction: Transaction, dashboardId: string): Promise<number> =>
  transaction.run(queue, { id: newId(), dashboardId });

const queueMatching = prepare((db, p: FullTextRange & { change: string }, engine) =>
  db
    .insertInto('dashboard_queue')
    .columns(['id', 'dashboard_id'])
    .expression(
      db
        .selectFrom(matchingKeys(engine, p).as('found'))
        .innerJoin('dashboard_entries', 'dashboard_entries.key', 'found.key')
        .select([sql<string>`dashboard_id || ${p.change}`.as('id'), 'dashboard_id']),
    ),
);

/** Queues the dashboards that a search finds to be indexed again. */
export const queueFound = (transaction: Transaction, search: FullTextRange): Promise<number> =>
  transaction.run(queueMatching, { ...search, change: `:${newId()}` });

const queueScope = prepare((db, p: { scope: string; change: string }) =>
  db
    .insertInto('dashboard_queue')
    .columns(['id', 'dashboard_id'])
    .expression(
      db
        .selectFrom('dashboard_entries')
        .select([sql<string>`dashboard_id || ${p.change}`.as('id'), 'dashboard_id'])
        .where('scope', '=', p.scope),
    ),
);

/** Queues all dashboards of an organization to be indexed again. */
export const queueAllOf = (transaction: Transaction, organizationId: string): Promise<number> =>
  transaction.run(queueScope, { scope: organizationId, change: `:${newId()}` });

/** After the ids of changes, which start with a hexadecimal digit, and at the start of those of a rebuild. */
const firstOfRebuild = 'rebuild:';
/** After the ids of everything in the queue. */
const endOfQueue = 'z';

const anyQueued = prepare((db) =>
  db.selectFrom('dashboard_queue').select('id').where('id', '<', firstOfRebuild).limit(1),
);

/** Whether changes are queued. The index has an older entry of each dashboard that is only queued by a rebuild. */
export const hasQueued = async (reader: Reader): Promise<boolean> =>
  (await reader.first(anyQueued, {})) !== undefined;

const anyOfRebuild = prepare((db) =>
  db.selectFrom('dashboard_queue').select('id').where('id', '>=', firstOfRebuild).limit(1),
);

/** Whether a rebuild has queued dashboards. */
export const hasQueuedRebuild = async (reader: Reader): Promise<boolean> =>
  (await reader.first(anyOfRebuild, {})) !== undefined;

const queued = prepare((db, p: { limit: number; end: string }) =>
  db
    .selectFrom('dashboard_queue')
    .select(['id', 'dashboard_id as dashboardId'])
    .where('id', '<', p.end)
    .orderBy('id')
    .limit(p.limit)
    .forUpdate(),
);

const backlog = prepare((db, p: { limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('dashboard_queue')
        .select('id')
        .where('id', '<', firstOfRebuild)
        .limit(p.limit)
        .as('queued'),
    )
    .select((each) => each.fn.countAll<number | string>().as('count')),
);

const newestQueued = prepare((db) =>
  db
    .selectFrom('dashboard_queue')
    .select('id')
    .where('id', '<', firstOfRebuild)
    .orderBy('id', 'desc')
    .limit(1),
);

/** Returns how many changes are queued, up to `limit`, and the newest of them. */
export async function findBacklog(
  reader: Reader,
  limit: number,
): Promise<{ count: number; newestId: string | undefined }> {
  const count = Number((await reader.first(backlog, { limit }))?.count ?? 0);
  return { count, newestId: (await reader.first(newestQueued, {}))?.id };
}

/** A queued change. */
export interface QueuedChange {
  readonly id: string;
  readonly dashboardId: string;
}

/**
 * Returns the first queued changes, up to `limit`, and with `rebuilds` those of a rebuild after them. On PostgreSQL, other
 * replicas wait for the lock on them.
 */
export const lockQueued = (
  transaction: Transaction,
  limit: number,
  { rebuilds }: { readonly rebuilds: boolean },
): Promise<QueuedChange[]> => transaction.all(queued, { limit, end: rebuilds ? endOfQueue : firstOfRebuild });

const unqueue = prepare((db, p: { ids: readonly string[] }) =>
  db.deleteFrom('dashboard_queue').where('id', 'in', p.ids),
);

export const removeFromQueue = (transaction: Transaction, ids: readonly string[]): Promise<number> =>
  transaction.run(unqueue, { ids });

const source = prepare((db, p: { dashboardId: string }) =>
  db
    .selectFrom('dashboards')
    .select([
      'id as dashboardId',
      'user_id as userId',
      'organization_id as organizationId',
      sql<string>`substr(name, 1, 10000)`.as('name'),
      sql<string | null>`substr(description, 1, 10000)`.as('description'),
      'widgets',
      'updated_at as updatedAt',
      'folder_id as folderId',
    ])
    .where('id', '=', p.dashboardId)
    .where('deleted_at', 'is', null),
);

/** Returns what to index of a dashboard, or undefined if it was deleted. */
export const findToIndex = (reader: Reader, dashboardId: string): Promise<IndexedDashboard | undefined> =>
  reader.first(source, { dashboardId });

const entries = prepare((db, p: { dashboardIds: readonly string[] }) =>
  db
    .selectFrom('dashboard_entries')
    .select(['dashboard_id as dashboardId', 'key', 'words_hash as wordsHash'])
    .where('dashboard_id', 'in', p.dashboardIds)
    .orderBy('dashboard_id')
    .forUpdate(),
);

/** Returns the entries of dashboards by their IDs. On PostgreSQL, other replicas that index them wait. */
export async function lockIndexEntries(
  transaction: Transaction,
  dashboardIds: readonly string[],
): Promise<Map<string, { key: number; wordsHash: string }>> {
  const rows = await transaction.all(entries, { dashboardIds });
  return new Map(
    rows.map(({ dashboardId, key, wordsHash }) => [dashboardId, { key: Number(key), wordsHash }]),
  );
}

const insert = prepare((db, p: IndexEntry) =>
  db
    .insertInto('dashboard_entries')
    .values({
      key: p.key,
      dashboard_id: p.dashboardId,
      scope: p.scope,
      user_id: p.userId,
      sort_name: p.sortName,
      updated_at: p.updatedAt,
      words_hash: p.wordsHash,
      folder_id: p.folderId,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Returns whether the entry was inserted: the key was free, and the dashboard had no entry yet. */
export const insertIndexEntry = async (transaction: Transaction, added: IndexEntry): Promise<boolean> =>
  (await transaction.run(insert, added)) === 1;

const update = prepare((db, p: IndexEntry) =>
  db
    .updateTable('dashboard_entries')
    .set({
      scope: p.scope,
      user_id: p.userId,
      sort_name: p.sortName,
      updated_at: p.updatedAt,
      words_hash: p.wordsHash,
      folder_id: p.folderId,
    })
    .where('key', '=', p.key),
);

export const updateIndexEntry = (transaction: Transaction, changed: IndexEntry): Promise<number> =>
  transaction.run(update, changed);

const remove = prepare((db, p: { key: number }) =>
  db.deleteFrom('dashboard_entries').where('key', '=', p.key),
);

export const deleteIndexEntry = (transaction: Transaction, key: number): Promise<number> =>
  transaction.run(remove, { key });
