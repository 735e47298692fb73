import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** A stored webhook. Its secrets are sealed. */
export interface StoredWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  /** The JSON list of its events. */
  readonly events: string;
  /** Null if it was discarded with a lost root key. */
  readonly secret: string | null;
  readonly previousSecret: string | null;
  readonly previousSecretEndsAt: string | null;
  readonly enabled: number;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
  readonly failureCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const columns = [
  'id',
  'organization_id as organizationId',
  'url',
  'events',
  'secret',
  'previous_secret as previousSecret',
  'previous_secret_ends_at as previousSecretEndsAt',
  'enabled',
  'disabled_reason as disabledReason',
  'failing_since as failingSince',
  'failure_count as failureCount',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

const ofOrganization = prepare((db, p: { organizationId: string }) =>
  db.selectFrom('webhooks').select(columns).where('organization_id', '=', p.organizationId).orderBy('id'),
);

export const selectWebhooks = (reader: Reader, organizationId: string): Promise<StoredWebhook[]> =>
  reader.all(ofOrganization, { organizationId });

const one = prepare((db, p: { organizationId: string; id: string }) =>
  db
    .selectFrom('webhooks')
    .select(columns)
    .where('organization_id', '=', p.organizationId)
    .where('id', '=', p.id),
);

/** Returns a webhook of an organization, or undefined. */
export const findWebhook = (
  reader: Reader,
  key: { readonly organizationId: string; readonly id: string },
): Promise<StoredWebhook | undefined> => reader.first(one, key);

const locked = prepare((db, p: { id: string }) =>
  db.selectFrom('webhooks').select(columns).where('id', '=', p.id).forUpdate(),
);

/** Returns a webhook of any organization, or undefined. On PostgreSQL, others who want to change it wait. */
export const lockWebhook = (transaction: Transaction, id: string): Promise<StoredWebhook | undefined> =>
  transaction.first(locked, { id });

const insert = prepare((db, p: StoredWebhook) =>
  db.insertInto('webhooks').values({
    id: p.id,
    organization_id: p.organizationId,
    url: p.url,
    events: p.events,
    secret: p.secret,
    previous_secret: p.previousSecret,
    previous_secret_ends_at: p.previousSecretEndsAt,
    enabled: p.enabled,
    disabled_reason: p.disabledReason,
    failing_since: p.failingSince,
    failure_count: p.failureCount,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
  }),
);

export const insertWebhook = (transaction: Transaction, webhook: StoredWebhook): Promise<number> =>
  transaction.run(insert, webhook);

const update = prepare((db, p: StoredWebhook) =>
  db
    .updateTable('webhooks')
    .set({
      url: p.url,
      events: p.events,
      secret: p.secret,
      previous_secret: p.previousSecret,
      previous_secret_ends_at: p.previousSecretEndsAt,
      enabled: p.enabled,
      disabled_reason: p.disabledReason,
      failing_since: p.failingSince,
      failure_count: p.failureCount,
      updated_at: p.updatedAt,
    })
    .where('id', '=', p.id),
);

/** Replaces a webhook that this transaction has locked. */
export const updateWebhook = (transaction: Transaction, webhook: StoredWebhook): Promise<number> =>
  transaction.run(update, webhook);

const remove = prepare((db, p: { id: string }) => db.deleteFrom('webhooks').where('id', '=', p.id));

export const deleteWebhookRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const sealed = prepare((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'secret', 'previous_secret as previousSecret'])
    .where((where) => where.or([where('secret', 'is not', null), where('previous_secret', 'is not', null)])),
);

/** Returns the sealed secrets of all webhooks. */
export const selectSealedSecrets = (
  reader: Reader,
): Promise<{ id: string; secret: string | null; previousSecret: string | null }[]> => reader.all(sealed, {});
