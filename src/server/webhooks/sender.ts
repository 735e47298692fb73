import { randomUUID } from 'node:crypto';
import { testEvent } from '#shared/webhook-events.ts';
import { recordAudit } from '../audit/audit.ts';
import { createClaimedWorkRunner } from '../base/claimed-work.ts';
import { daysMs, hoursMs, minutesMs, timestamp, type Clock } from '../base/clock.ts';
import type { SecretBox } from '../base/credentials/secret-box.ts';
import { deliveriesTopic } from '../events/events.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Database, Transaction } from '../storage/database.ts';
import {
  abandonDeliveries,
  deleteOldDeliveries,
  endAttempt,
  selectWaitingWebhooks,
  takeDeliveries,
  type Due,
  type StoredDelivery,
} from './delivery-store.ts';
import { openSecrets } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import { lockWebhook, updateWebhook, type StoredWebhook } from './store.ts';

/** How long after each failed attempt the next one is made. The event has failed after the last one. */
const retryAfterMs = [
  5_000,
  minutesMs(5),
  minutesMs(30),
  hoursMs(2),
  hoursMs(5),
  hoursMs(10),
  hoursMs(10),
] as const;
/** The longest wait, and a little more, since the clocks of processes differ. */
const longestWaitMs = hoursMs(11);

/** An attempt takes a few seconds. If its process ends, another one makes it again after the lease. */
const leaseMs = minutesMs(1);

/** A slow receiver delays only its own events. */
const maxPerWebhook = 2;
const maxPerOrganization = 12;
const maxInFlight = 50;

/** A webhook is disabled after failures only for this long, and at least this many: the clock may have jumped. */
const failingForMs = daysMs(5);
const failuresToDisable = 8;

const maxResponseBytes = 1_024;
const deliveryDays = 30;

/** Announcements can get lost, and retries are not announced. */
const pollMs = 5_000;

interface SenderDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly outgoing: Pick<Outgoing, 'fetchShown'>;
  /** Called for the first of several failures to use the database. */
  readonly onFailure: (error: unknown) => void;
}

export interface WebhookSender {
  /** Sends what is due, and resolves once nothing is. */
  sendDue(): Promise<void>;
  /** Sends what is due now and from now on. */
  start(): void;
  /** Begins no more attempts, and waits for running ones. */
  stop(): Promise<void>;
}

/** Returns what sends the events of all organizations. Of several processes, one makes each attempt. */
export function createWebhookSender(dependencies: SenderDependencies): WebhookSender {
  const { database, clock, onFailure } = dependencies;
  const runner = createClaimedWorkRunner({
    findWaiting: () => selectWaitingWebhooks(database, dueAt(clock())),
    take: async (webhookId, limit) => {
      const holder = randomUUID();
      const now = clock();
      const claim = { due: dueAt(now), webhookId, limit, holder, until: timestamp(now + leaseMs) };
      const { deliveries, webhook } = await database.write(async (transaction) => ({
        deliveries: await takeDeliveries(transaction, claim),
        webhook: await lockWebhook(transaction, webhookId),
      }));
      if (webhook === undefined) return [];
      return deliveries.map((delivery) => () => makeAttempt(dependencies, webhook, delivery, holder));
    },
    maxPerKey: maxPerWebhook,
    maxPerOrganization,
    maxInFlight,
    pollMs,
    onFailure,
  });
  let stopListening: (() => void) | undefined;
  return {
    sendDue: runner.runDue,
    start() {
      runner.start();
      stopListening = database.onAnnounced({
        announced: (id) => {
          if (id === deliveriesTopic) runner.wake();
        },
        // Polling finds what is due.
        failed: () => undefined,
      });
      runner.wake();
    },
    async stop() {
      stopListening?.();
      await runner.stop();
    },
  };
}

const dueAt = (now: number): Due => ({
  now: timestamp(now),
  latestAttempt: timestamp(now + longestWaitMs),
  latestLease: timestamp(now + 2 * leaseMs),
});

/** What a receiver has returned, or why there is no response. */
interface Outcome {
  readonly isDelivered: boolean;
  readonly responseStatus: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

async function makeAttempt(
  dependencies: SenderDependencies,
  webhook: StoredWebhook,
  delivery: StoredDelivery,
  holder: string,
): Promise<void> {
  const { database, clock } = dependencies;
  const startedAt = performance.now();
  const outcome = await send(dependencies, webhook, delivery);
  const durationMs = Math.round(performance.now() - startedAt);
  await database.write(async (transaction) => {
    const { isDelivered, ...response } = outcome;
    const now = clock();
    // Before the delivery, in the order of everyone else who locks both.
    const current = await lockWebhook(transaction, webhook.id);
    if (current === undefined) return;
    const attemptCount = delivery.attemptCount + 1;
    const waitMs =
      isDelivered || delivery.event === testEvent || current.enabled === 0
        ? undefined
        : retryAfterMs[attemptCount - 1];
    const isMine = await endAttempt(transaction, {
      id: delivery.id,
      holder,
      status: isDelivered ? 'delivered' : waitMs === undefined ? 'failed' : 'pending',
      attemptCount,
      nextAttemptAt: waitMs === undefined ? null : timestamp(now + waitMs),
      attemptedAt: timestamp(now),
      durationMs,
      ...response,
    });
    if (isMine) await noteOutcome(transaction, clock, current, outcome);
  });
}

async function send(
  { clock, secretBox, outgoing }: SenderDependencies,
  webhook: StoredWebhook,
  { id, body }: StoredDelivery,
): Promise<Outcome> {
  const failed = (error: string): Outcome => ({
    isDelivered: false,
    responseStatus: null,
    response: null,
    error,
  });
  if (webhook.enabled === 0) return failed('The webhook is disabled.');
  let secrets: string[];
  try {
    secrets = openSecrets(secretBox, webhook, clock);
  } catch {
    return failed('The secret can’t be decrypted. Rotate the secret.');
  }
  try {
    const response = await outgoing.fetchShown(webhook.url, {
      organizationId: webhook.organizationId,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Atrium-Webhooks',
        ...signedHeaders(secrets, { id, body, nowMs: clock() }),
      },
      body,
    });
    return {
      isDelivered: response.ok,
      responseStatus: response.status,
      response: response.text === undefined ? null : startOf(response.text),
      error: response.ok ? null : `The response has the status ${response.status}.`,
    };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the first KiB of a text, without U+0000, which PostgreSQL can't store. */
const startOf = (text: string): string =>
  Buffer.from(text).subarray(0, maxResponseBytes).toString('utf8').replaceAll('\0', '\ufffd');

/** Notes whether a webhook works, and disables one that is gone or has failed for days. */
async function noteOutcome(
  transaction: Transaction,
  clock: Clock,
  webhook: StoredWebhook,
  { isDelivered, responseStatus }: Outcome,
): Promise<void> {
  if (isDelivered) {
    if (webhook.failingSince !== null)
      await updateWebhook(transaction, { ...webhook, failingSince: null, failureCount: 0 });
    return;
  }
  if (webhook.enabled === 0) return;
  const now = clock();
  // A time in the future was stored before the clock was set back.
  const isKnown = webhook.failingSince !== null && webhook.failingSince <= timestamp(now);
  const failingSince = isKnown ? webhook.failingSince : timestamp(now);
  const failureCount = webhook.failureCount + 1;
  const hasFailedLong =
    failureCount >= failuresToDisable && (failingSince ?? '') <= timestamp(now - failingForMs);
  const reason = responseStatus === 410 ? 'gone' : hasFailedLong ? 'failing' : undefined;
  const noted = { ...webhook, failingSince, failureCount };
  if (reason === undefined) {
    await updateWebhook(transaction, noted);
    return;
  }
  await updateWebhook(transaction, {
    ...noted,
    enabled: 0,
    disabledReason: reason,
    updatedAt: timestamp(now),
  });
  await abandonDeliveries(transaction, webhook.id, 'The webhook was disabled.');
  await recordAudit(transaction, clock, {
    organizationId: webhook.organizationId,
    action: 'webhook.disabled',
    details: { webhookId: webhook.id, origin: new URL(webhook.url).origin, reason },
  });
}

/** Deletes deliveries that are older than 30 days. */
export async function sweepDeliveries(database: Database, clock: Clock): Promise<void> {
  await database.writeSlowly((transaction) =>
    deleteOldDeliveries(transaction, timestamp(clock() - daysMs(deliveryDays))),
  );
}
