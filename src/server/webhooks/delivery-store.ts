import { sql } from 'kysely';
import type { Waiting } from '../base/claimed-work.ts';
import type { FirstRows, PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { exceptDeleted } from '../organizations/deleted.ts';
import { prepare } from '../storage/prepared-query.ts';

/** A stored delivery. */
export interface StoredDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly body: string;
  readonly createdAt: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly nextAttemptAt: string | null;
  readonly attemptedAt: string | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

const columns = [
  'id',
  'webhook_id as webhookId',
  'event',
  'body',
  'created_at as createdAt',
  'status',
  'attempt_count as attemptCount',
  'next_attempt_at as nextAttemptAt',
  'attempted_at as attemptedAt',
  'duration_ms as durationMs',
  'response_status as responseStatus',
  'response',
  'error',
] as const;

const list = prepare((db, p: { webhookId: string; before: string | undefined; limit: number }) => {
  const deliveries = db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .where('webhook_id', '=', p.webhookId)
    .orderBy('id', 'desc')
    .limit(p.limit);
  return p.before === undefined ? deliveries : deliveries.where('id', '<', p.before);
});

/** Returns the deliveries of a webhook in a page, the newest first. */
export const selectDeliveries = (
  reader: Reader,
  webhookId: string,
  { after, limit }: PageRequest,
): Promise<FirstRows<StoredDelivery>> => reader.page(list, { webhookId, before: after, limit });

const one = prepare((db, p: { webhookId: string; id: string }) =>
  db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .where('webhook_id', '=', p.webhookId)
    .where('id', '=', p.id),
);

export const findDelivery = (
  reader: Reader,
  key: { readonly webhookId: string; readonly id: string },
): Promise<StoredDelivery | undefined> => reader.first(one, key);

const again = prepare((db, p: { id: string; at: string }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', next_attempt_at: p.at })
    .where('id', '=', p.id),
);

export const sendAgain = (transaction: Transaction, due: { id: string; at: string }): Promise<number> =>
  transaction.run(again, due);

const abandon = prepare((db, p: { webhookId: string; error: string }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, error: p.error })
    .where('webhook_id', '=', p.webhookId)
    .where('status', '=', 'pending'),
);

/** Ends what is pending of a webhook that was disabled. */
export const abandonDeliveries = (
  transaction: Transaction,
  webhookId: string,
  error: string,
): Promise<number> => transaction.run(abandon, { webhookId, error });

/**
 * The times between which something is not due: a time that is too far in the future was stored before the clock was set
 * back.
 */
export interface Due {
  readonly now: string;
  readonly latestAttempt: string;
  readonly latestLease: string;
}

const isDue = (p: Due) => sql<boolean>`(next_attempt_at <= ${p.now} or next_attempt_at > ${p.latestAttempt})`;
const isFree = (p: Due) =>
  sql<boolean>`(held_until is null or held_until <= ${p.now} or held_until > ${p.latestLease})`;

/** Whether nothing that must be sent before it is still pending. */
const isFirst = sql<boolean>`(position is null or not exists (
  select 1 from webhook_deliveries as earlier
  where earlier.webhook_id = webhook_deliveries.webhook_id and earlier.status = 'pending'
    and earlier.event = webhook_deliveries.event and earlier.position < webhook_deliveries.position
))`;

const waiting = prepare((db, p: Due) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhook_id as key', 'webhooks.organization_id as organizationId'])
    .distinct()
    // What is pending is sent if the organization is restored.
    .where(exceptDeleted('webhooks.organization_id'))
    .where('status', '=', 'pending')
    .where(isDue(p))
    .where(isFree(p))
    .where(isFirst),
);

/** Returns the webhooks that something is due for. */
export const selectWaitingWebhooks = (reader: Reader, due: Due): Promise<Waiting[]> =>
  reader.all(waiting, due);

const dueOf = prepare((db, p: Due & { webhookId: string; limit: number }) =>
  db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .where('webhook_id', '=', p.webhookId)
    .where('status', '=', 'pending')
    .where(isDue(p))
    .where(isFree(p))
    .where(isFirst)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(p.limit),
);

/** The conditions are checked again, since on PostgreSQL another process may have taken it since it was read. */
const take = prepare((db, p: Due & { id: string; holder: string; until: string }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ holder: p.holder, held_until: p.until })
    .where('id', '=', p.id)
    .where('status', '=', 'pending')
    .where(isDue(p))
    .where(isFree(p)),
);

/** Takes up to `limit` due deliveries of a webhook, so that no other process attempts them until a time. */
export async function takeDeliveries(
  transaction: Transaction,
  { due, ...p }: { due: Due; webhookId: string; limit: number; holder: string; until: string },
): Promise<StoredDelivery[]> {
  const taken: StoredDelivery[] = [];
  const found = await transaction.all(dueOf, { ...due, webhookId: p.webhookId, limit: p.limit });
  for (const delivery of found) {
    const { holder, until } = p;
    if ((await transaction.run(take, { ...due, id: delivery.id, holder, until })) === 1) taken.push(delivery);
  }
  return taken;
}

/** How an attempt has ended. */
export interface AttemptEnd {
  readonly id: string;
  readonly holder: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly nextAttemptAt: string | null;
  readonly attemptedAt: string;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

const end = prepare((db, p: AttemptEnd) =>
  db
    .updateTable('webhook_deliveries')
    .set({
      holder: null,
      held_until: null,
      status: p.status,
      attempt_count: p.attemptCount,
      next_attempt_at: p.nextAttemptAt,
      attempted_at: p.attemptedAt,
      duration_ms: p.durationMs,
      response_status: p.responseStatus,
      response: p.response,
      error: p.error,
    })
    .where('id', '=', p.id)
    .where('holder', '=', p.holder),
);

/** Stores how an attempt has ended; returns false if another process has taken the delivery since. */
export const endAttempt = async (transaction: Transaction, ended: AttemptEnd): Promise<boolean> =>
  (await transaction.run(end, ended)) === 1;

const removeOld = prepare((db, p: { before: string }) =>
  db.deleteFrom('webhook_deliveries').where('created_at', '<', p.before).where('status', '<>', 'pending'),
);

export const deleteOldDeliveries = (transaction: Transaction, before: string): Promise<number> =>
  transaction.run(removeOld, { before });
