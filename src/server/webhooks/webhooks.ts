import type {
  WebhookDelivery,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookInput,
} from '#contract/organizations/webhooks.ts';
import { testEvent, type WebhookEvent } from '#shared/webhook-events.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { hoursMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import type { SecretBox } from '../base/credentials/secret-box.ts';
import { deliveriesTopic, storeDelivery } from '../events/events.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import {
  abandonDeliveries,
  findDelivery,
  selectDeliveries,
  sendAgain,
  type StoredDelivery,
} from './delivery-store.ts';
import { newSecret, webhookSecretPurpose } from './secrets.ts';
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  lockWebhook,
  selectWebhooks,
  updateWebhook,
  type StoredWebhook,
} from './store.ts';

const maxWebhooks = 20;
/** How long the previous secret signs, too, after a rotation. */
const previousSecretMs = hoursMs(24);

export interface WebhookDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** Returns why a URL can never be sent to, or undefined. */
  readonly findUrlFault: (url: string, organizationId: string) => string | undefined;
}

interface WebhookKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Lists the webhooks of an organization. Owner or admin. */
export async function listWebhooks(
  { database, clock }: WebhookDependencies,
  actor: Actor,
  organizationId: string,
): Promise<Webhook[]> {
  await requirePermission(database, actor, organizationId, 'webhook.manage');
  return (await selectWebhooks(database, organizationId)).map((stored) => toWebhook(stored, clock));
}

/** Creates a webhook in a transaction. Owner or admin. Throws `too_many_webhooks`, and `invalid_body` for a URL that can't be used. */
export async function createWebhook(
  transaction: Transaction,
  { clock, secretBox, findUrlFault }: Omit<WebhookDependencies, 'database'>,
  actor: Actor,
  organizationId: string,
  { url, events }: WebhookInput,
): Promise<NewWebhook> {
  await requirePermissionToChange(transaction, actor, organizationId, 'webhook.manage');
  requireUrl(findUrlFault, url, organizationId);
  if ((await selectWebhooks(transaction, organizationId)).length >= maxWebhooks) {
    throw new AtriumError(
      'too_many_webhooks',
      `An organization can have up to ${maxWebhooks} webhooks. Delete one that is no longer used.`,
    );
  }
  const secret = newSecret();
  const now = timestamp(clock());
  const stored: StoredWebhook = {
    id: newId(),
    organizationId,
    url,
    events: JSON.stringify(events),
    secret: secretBox.seal(organizationId, webhookSecretPurpose, secret),
    previousSecret: null,
    previousSecretEndsAt: null,
    enabled: 1,
    disabledReason: null,
    failingSince: null,
    failureCount: 0,
    createdAt: now,
    updatedAt: now,
  };
  await insertWebhook(transaction, stored);
  await audit(transaction, clock, actor, 'webhook.created', stored);
  return { ...toWebhook(stored, clock), secret };
}

/** Returns a webhook. Owner or admin. Throws `not_found`. */
export async function getWebhook(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  { organizationId, id }: WebhookKey,
): Promise<Webhook> {
  await requirePermission(reader, actor, organizationId, 'webhook.manage');
  const found = await findWebhook(reader, { organizationId, id });
  if (found === undefined) throw notFound();
  return toWebhook(found, clock);
}

/** Changes a webhook; enabling it forgets its failures. Owner or admin. */
export function changeWebhook(
  { database, clock, findUrlFault }: WebhookDependencies,
  actor: Actor,
  key: WebhookKey,
  { url, events, enabled }: WebhookChange,
): Promise<Webhook> {
  return database.write(async (transaction) => {
    const before = await requireWebhookToChange(transaction, actor, key);
    if (url !== undefined) requireUrl(findUrlFault, url, key.organizationId);
    const isEnabled = enabled ?? before.enabled === 1;
    const isNew = isEnabled && (before.enabled === 0 || (url !== undefined && url !== before.url));
    const stored: StoredWebhook = {
      ...before,
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: JSON.stringify(events) }),
      enabled: Number(isEnabled),
      ...(isNew && { disabledReason: null, failingSince: null, failureCount: 0 }),
      updatedAt: timestamp(clock()),
    };
    await updateWebhook(transaction, stored);
    if (!isEnabled) await abandonDeliveries(transaction, stored.id, 'The webhook was disabled.');
    await audit(transaction, clock, actor, 'webhook.changed', stored, { enabled: isEnabled });
    return toWebhook(stored, clock);
  });
}

/** Deletes a webhook and its deliveries. Owner or admin. */
export async function deleteWebhook(
  { database, clock }: WebhookDependencies,
  actor: Actor,
  key: WebhookKey,
): Promise<void> {
  await database.write(async (transaction) => {
    const stored = await requireWebhookToChange(transaction, actor, key);
    await deleteWebhookRow(transaction, stored.id);
    await audit(transaction, clock, actor, 'webhook.deleted', stored);
  });
}

/** Replaces the secret. The previous one signs, too, for another 24 hours. Owner or admin. */
export function rotateSecret(
  { database, clock, secretBox }: WebhookDependencies,
  actor: Actor,
  key: WebhookKey,
): Promise<NewWebhook> {
  return database.write(async (transaction) => {
    const before = await requireWebhookToChange(transaction, actor, key);
    const secret = newSecret();
    const now = clock();
    // One that can't be decrypted can't sign.
    const isUsable = before.secret !== null && secretBox.hasKeyOf(before.secret);
    const stored: StoredWebhook = {
      ...before,
      secret: secretBox.seal(before.organizationId, webhookSecretPurpose, secret),
      previousSecret: isUsable ? before.secret : null,
      previousSecretEndsAt: isUsable ? timestamp(now + previousSecretMs) : null,
      updatedAt: timestamp(now),
    };
    await updateWebhook(transaction, stored);
    await audit(transaction, clock, actor, 'webhook.secret_rotated', stored);
    return { ...toWebhook(stored, clock), secret };
  });
}

/** Stores a test event to send. Owner or admin. */
export function sendTest(
  { database, clock }: WebhookDependencies,
  actor: Actor,
  key: WebhookKey,
): Promise<WebhookDelivery> {
  return database.write(async (transaction) => {
    const { id: webhookId, organizationId } = await requireWebhookToChange(transaction, actor, key);
    const at = timestamp(clock());
    const data = { organizationId, actorId: actor.userId };
    const id = await storeDelivery(transaction, { webhookId, type: testEvent, at, data });
    return getDelivery(transaction, { webhookId, id });
  });
}

/** Lists the deliveries of a webhook, the newest first. Owner or admin. */
export async function listDeliveries(
  { database }: WebhookDependencies,
  actor: Actor,
  key: WebhookKey,
  page: PageRequest,
): Promise<Page<WebhookDelivery>> {
  await requirePermission(database, actor, key.organizationId, 'webhook.manage');
  const webhook = await findWebhook(database, key);
  if (webhook === undefined) throw notFound();
  const rows = await selectDeliveries(database, webhook.id, page);
  return toPage(mapRows(rows, toDelivery), ({ id }) => id);
}

/** Makes a delivery due now, with the same ID. Owner or admin. */
export function retryDelivery(
  { database, clock }: WebhookDependencies,
  actor: Actor,
  { deliveryId, ...key }: WebhookKey & { readonly deliveryId: string },
): Promise<WebhookDelivery> {
  return database.write(async (transaction) => {
    const { id: webhookId } = await requireWebhookToChange(transaction, actor, key);
    await getDelivery(transaction, { webhookId, id: deliveryId });
    await sendAgain(transaction, { id: deliveryId, at: timestamp(clock()) });
    transaction.announce(deliveriesTopic);
    return getDelivery(transaction, { webhookId, id: deliveryId });
  });
}

async function getDelivery(reader: Reader, key: { webhookId: string; id: string }): Promise<WebhookDelivery> {
  const found = await findDelivery(reader, key);
  if (found === undefined) throw notFound();
  return toDelivery(found);
}

async function requireWebhookToChange(
  transaction: Transaction,
  actor: Actor,
  key: WebhookKey,
): Promise<StoredWebhook> {
  await requirePermissionToChange(transaction, actor, key.organizationId, 'webhook.manage');
  const webhook = await lockWebhook(transaction, key.id);
  if (webhook?.organizationId !== key.organizationId) throw notFound();
  return webhook;
}

function requireUrl(
  findUrlFault: WebhookDependencies['findUrlFault'],
  url: string,
  organizationId: string,
): void {
  const message = findUrlFault(url, organizationId);
  if (message !== undefined) throw invalidBody({ pointer: '/url', code: 'url', message });
}

/** Of the URL, only the origin is recorded: its path may contain a token. */
async function audit(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  action: AuditAction,
  { id, organizationId, url, events }: StoredWebhook,
  details: object = {},
): Promise<void> {
  await recordAudit(transaction, clock, {
    organizationId,
    action,
    actor,
    details: {
      webhookId: id,
      origin: new URL(url).origin,
      events: JSON.parse(events) as string[],
      ...details,
    },
  });
}

const toWebhook = (stored: StoredWebhook, clock: Clock): Webhook => {
  const { disabledReason, failingSince, previousSecret, previousSecretEndsAt } = stored;
  const isRotating =
    previousSecret !== null && previousSecretEndsAt !== null && previousSecretEndsAt > timestamp(clock());
  return {
    id: stored.id,
    url: stored.url,
    // Sound because only this file writes the columns.
    events: JSON.parse(stored.events) as WebhookEvent[],
    enabled: stored.enabled === 1,
    ...(disabledReason !== null && { disabledReason: disabledReason as 'gone' | 'failing' }),
    ...(failingSince !== null && { failingSince }),
    ...(isRotating && { previousSecretEndsAt }),
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
};

const toDelivery = (stored: StoredDelivery): WebhookDelivery => ({
  id: stored.id,
  // Sound because only this feature and the outbox write the columns.
  event: stored.event as WebhookDelivery['event'],
  body: stored.body,
  createdAt: stored.createdAt,
  status: stored.status as WebhookDelivery['status'],
  attemptCount: stored.attemptCount,
  ...(stored.nextAttemptAt !== null && { nextAttemptAt: stored.nextAttemptAt }),
  ...(stored.attemptedAt !== null && { attemptedAt: stored.attemptedAt }),
  ...(stored.durationMs !== null && { durationMs: stored.durationMs }),
  ...(stored.responseStatus !== null && { responseStatus: stored.responseStatus }),
  ...(stored.response !== null && { response: stored.response }),
  ...(stored.error !== null && { error: stored.error }),
});
