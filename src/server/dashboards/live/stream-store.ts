import { sql } from 'kysely';
import type { EditingPerson } from '#contract/dashboards/events.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A stream of events that a person has open. */
export interface OpenStream {
  readonly id: string;
  readonly dashboardId: string;
  readonly userId: string;
}

const insert = prepare((db, p: OpenStream & { expiresAt: string }) =>
  db
    .insertInto('dashboard_streams')
    .columns(['id', 'dashboard_id', 'user_id', 'expires_at'])
    // Nothing if the dashboard was deleted in the meantime.
    .expression(
      db
        .selectFrom('dashboards')
        .select([
          sql<string>`cast(${p.id} as text)`.as('id'),
          'dashboards.id as dashboard_id',
          sql<string>`cast(${p.userId} as text)`.as('user_id'),
          sql<string>`cast(${p.expiresAt} as text)`.as('expires_at'),
        ])
        .where('dashboards.id', '=', p.dashboardId),
    ),
);

export const insertStream = (
  transaction: Transaction,
  stream: OpenStream & { expiresAt: string },
): Promise<number> => transaction.run(insert, stream);

const extend = prepare((db, p: { ids: readonly string[]; expiresAt: string }) =>
  db.updateTable('dashboard_streams').set({ expires_at: p.expiresAt }).where('id', 'in', p.ids),
);

export const extendStreams = (
  transaction: Transaction,
  streams: { ids: readonly string[]; expiresAt: string },
): Promise<number> => transaction.run(extend, streams);

const remove = prepare((db, p: { ids: readonly string[] }) =>
  db.deleteFrom('dashboard_streams').where('id', 'in', p.ids),
);

export const deleteStreams = (transaction: Transaction, ids: readonly string[]): Promise<number> =>
  transaction.run(remove, { ids });

const removeExpired = prepare((db, p: { now: string }) =>
  db.deleteFrom('dashboard_streams').where('expires_at', '<=', p.now),
);

export const deleteExpiredStreams = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });

const viewers = prepare((db, p: { dashboardIds: readonly string[]; now: string }) =>
  db
    .selectFrom('dashboard_streams')
    .innerJoin('users', 'users.id', 'dashboard_streams.user_id')
    .select(['dashboard_streams.dashboard_id as dashboardId', 'users.id as userId', 'users.name'])
    .where('dashboard_streams.dashboard_id', 'in', p.dashboardIds)
    .where('dashboard_streams.expires_at', '>', p.now)
    // Once for each person, who may have it open in several windows.
    .groupBy(['dashboard_streams.dashboard_id', 'users.id', 'users.name'])
    .orderBy('users.id'),
);

/** Returns the people who have each dashboard open, by its ID; absent if nobody has. */
export async function findViewers(
  reader: Reader,
  dashboardIds: readonly string[],
  now: string,
): Promise<Map<string, EditingPerson[]>> {
  const rows = await reader.all(viewers, { dashboardIds, now });
  const byDashboard = Map.groupBy(rows, ({ dashboardId }) => dashboardId);
  return new Map(
    [...byDashboard].map(([id, people]) => [id, people.map(({ userId, name }) => ({ userId, name }))]),
  );
}
