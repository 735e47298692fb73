import type { testEvent, WebhookEvent } from '#shared/webhook-events.ts';
import { newId } from '../base/ids.ts';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** Announced when there is something to deliver. */
export const deliveriesTopic = 'webhook-deliveries';

/** Something that happened in an organization. */
interface OrganizationEvent {
  readonly organizationId: string;
  readonly type: WebhookEvent;
  /** RFC 3339. */
  readonly at: string;
  /** The person who did it; absent if it was the server. */
  readonly actorId?: string | undefined;
  /**
   * Returns what receivers need to look it up: IDs and names, never contents, except for the logs, whose entries are sent whole.
   * Called only if there is a receiver.
   */
  readonly describe: () => object | Promise<object>;
  /** If it is set, a webhook is sent events of this type one after another, in the order of their positions. */
  readonly position?: number;
}

interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly body: string;
  readonly at: string;
  readonly position: number | null;
}

const receivers = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('organization_id', '=', p.organizationId)
    .where('enabled', '=', 1),
);

const insert = prepare((db, p: NewDelivery) =>
  db.insertInto('webhook_deliveries').values({
    id: p.id,
    webhook_id: p.webhookId,
    event: p.event,
    body: p.body,
    position: p.position,
    created_at: p.at,
    status: 'pending',
    next_attempt_at: p.at,
    holder: null,
    held_until: null,
    attempted_at: null,
    duration_ms: null,
    response_status: null,
    response: null,
    error: null,
  }),
);

/**
 * Stores what is to be sent to each webhook that wants an event, in the transaction in which it happens: nothing is sent for
 * what was rolled back, and what was committed is sent even if the process ends.
 */
export async function publishEvent(
  transaction: Transaction,
  { organizationId, type, at, actorId, describe, position }: OrganizationEvent,
): Promise<void> {
  const rows = await transaction.all(receivers, { organizationId });
  // Sound because only the store of webhooks writes the column.
  const wanting = rows.filter(({ events }) => (JSON.parse(events) as string[]).includes(type));
  if (wanting.length === 0) return;
  const data = { organizationId, ...(actorId !== undefined && { actorId }), ...(await describe()) };
  for (const { id } of wanting) await storeDelivery(transaction, { webhookId: id, type, at, data, position });
}

/** Stores an event to send to one webhook. Returns the ID of the delivery. */
export async function storeDelivery(
  transaction: Transaction,
  {
    webhookId,
    type,
    at,
    data,
    position,
  }: {
    webhookId: string;
    type: WebhookEvent | typeof testEvent;
    at: string;
    data: object;
    position?: number | undefined;
  },
): Promise<string> {
  const id = newId();
  const body = JSON.stringify({ type, timestamp: at, data });
  await transaction.run(insert, { id, webhookId, event: type, body, at, position: position ?? null });
  transaction.announce(deliveriesTopic);
  return id;
}
