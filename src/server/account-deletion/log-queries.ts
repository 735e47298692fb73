import type { FirstRows } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface Page {
  readonly organizationIds: readonly string[];
  readonly after: string;
  readonly limit: number;
}

/** The part of an entry of the audit log that can have an address. */
export interface LoggedDetails {
  readonly id: string;
  readonly action: string;
  readonly actorId: string | null;
  readonly details: string;
}

const knowing = prepare((db, p: { userId: string; pattern: string }) =>
  db
    .selectFrom('audit_entries')
    .select('organization_id as id')
    .distinct()
    .where(({ or, eb }) => or([eb('actor_id', '=', p.userId), eb('details', 'like', p.pattern)]))
    .orderBy('organization_id'),
);

/** Returns the organizations in whose audit logs an account has done something, or something was done to it. */
export const selectOrganizationsKnowing = async (reader: Reader, userId: string): Promise<string[]> =>
  (await reader.all(knowing, { userId, pattern: `%"${userId}"%` })).map(({ id }) => id);

const audit = prepare((db, p: Page) =>
  db
    .selectFrom('audit_entries')
    .select(['id', 'action', 'actor_id as actorId', 'details'])
    .where('organization_id', 'in', p.organizationIds)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Returns entries of the audit logs of organizations, of which there is at least one, sorted by ID. */
export const selectDetails = (reader: Reader, page: Page): Promise<FirstRows<LoggedDetails>> =>
  reader.page(audit, page);

const removeDetails = prepare((db, p: { ids: readonly string[]; details: string }) =>
  db.updateTable('audit_entries').set({ details: p.details, details_salt: null }).where('id', 'in', p.ids),
);

/** Replaces the details of entries. Their chain stays valid, since it has only the hash. */
export const replaceDetails = (
  transaction: Transaction,
  replaced: { ids: readonly string[]; details: string },
): Promise<number> => transaction.run(removeDetails, replaced);

/** A delivery of a webhook. */
export interface SentBody {
  readonly id: string;
  readonly event: string;
  readonly body: string;
}

const deliveries = prepare((db, p: Page) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhook_deliveries.id', 'webhook_deliveries.event', 'webhook_deliveries.body'])
    .where('webhooks.organization_id', 'in', p.organizationIds)
    .where('webhook_deliveries.id', '>', p.after)
    .orderBy('webhook_deliveries.id')
    .limit(p.limit),
);

export const selectBodies = (reader: Reader, page: Page): Promise<FirstRows<SentBody>> =>
  reader.page(deliveries, page);

const setBody = prepare((db, p: { id: string; body: string }) =>
  db.updateTable('webhook_deliveries').set({ body: p.body, response: null }).where('id', '=', p.id),
);

/** Replaces what was sent, and removes the start of the response, which may repeat it. */
export const updateBody = (transaction: Transaction, body: { id: string; body: string }): Promise<number> =>
  transaction.run(setBody, body);
