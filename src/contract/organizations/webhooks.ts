import { Type, type Static } from 'typebox';
import { testEvent, webhookEvents, type WebhookEvent } from '#shared/webhook-events.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { Id, page, PageQuery, Timestamp } from '../values.ts';

const EventType = Type.Unsafe<WebhookEvent>({ type: 'string', enum: [...webhookEvents] });

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'With https. It must not resolve to a private address, unless the operator allows its host',
  examples: ['https://hooks.example.com/atrium'],
});
const Events = Type.Array(EventType, {
  minItems: 1,
  maxItems: webhookEvents.length,
  uniqueItems: true,
  description: 'The events that are sent to it',
});

/** A URL that is sent events of an organization. */
export const Webhook = Type.Object({
  id: Id,
  url: Type.String(),
  events: Type.Array(EventType, { description: 'The events that are sent to it' }),
  enabled: Type.Boolean(),
  disabledReason: Type.Optional(
    Type.Union([Type.Literal('gone'), Type.Literal('failing')], {
      description:
        'Why the server has disabled it: `gone` if it responded with 410, `failing` if all attempts of 5 days have failed',
    }),
  ),
  failingSince: Type.Optional({
    ...Timestamp,
    description: 'The first failed attempt since the last one that succeeded',
  }),
  previousSecretEndsAt: Type.Optional({
    ...Timestamp,
    description: 'Until then, the secret before the last rotation signs, too',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Webhook = Static<typeof Webhook>;

export const WebhookInput = Type.Object({ url: Url, events: Events });
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookChange = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  enabled: Type.Optional(
    Type.Boolean({ description: 'While it is disabled, no events are sent or stored for it' }),
  ),
});
export type WebhookChange = Static<typeof WebhookChange>;

export const NewWebhook = Type.Object({
  ...Webhook.properties,
  secret: Type.String({
    description: '`whsec_` and the base64 of 32 random bytes. It is returned only here',
  }),
});
export type NewWebhook = Static<typeof NewWebhook>;

/** An event that was or is to be sent to a webhook. */
export const WebhookDelivery = Type.Object({
  id: { ...Id, description: 'The header `webhook-id` of every attempt' },
  event: Type.Unsafe<WebhookEvent | typeof testEvent>({
    type: 'string',
    enum: [...webhookEvents, testEvent],
  }),
  body: Type.String({ description: 'The JSON that is sent' }),
  createdAt: Timestamp,
  status: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attemptCount: Type.Integer({ minimum: 0, description: 'How often it was sent' }),
  nextAttemptAt: Type.Optional(Timestamp),
  attemptedAt: Type.Optional({ ...Timestamp, description: 'When the last attempt ended' }),
  durationMs: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the last attempt' })),
  responseStatus: Type.Optional(Type.Integer({ description: 'The status of the last response' })),
  response: Type.Optional(Type.String({ description: 'The first 1 KiB of the last response' })),
  error: Type.Optional(Type.String({ description: 'Why the last attempt failed' })),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const Params = Type.Object({ orgId: Type.String(), webhookId: Type.String() });
const list = {
  tag: 'Webhooks',
  access: 'session',
  path: '/api/organizations/{orgId}/webhooks',
  params: Type.Object({ orgId: Type.String() }),
  problems: ['forbidden', 'not_found'],
} as const;
const one = { ...list, path: '/api/organizations/{orgId}/webhooks/{webhookId}', params: Params } as const;

export const listWebhooks = defineRoute({
  ...list,
  id: 'listWebhooks',
  summary: 'List the webhooks of an organization',
  description: 'Owner or admin. There are at most 20.',
  method: 'GET',
  status: 200,
  reply: Type.Object({ items: Type.Array(Webhook) }),
});

export const createWebhook = defineRoute({
  ...list,
  id: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Owner or admin. Requests are signed as in Standard Webhooks. The secret is returned only once, so that a repetition with the same ' +
    '`Idempotency-Key` is refused.',
  method: 'POST',
  headers: IdempotencyKey,
  body: WebhookInput,
  status: 201,
  reply: NewWebhook,
  problems: ['forbidden', 'not_found', 'too_many_webhooks', ...idempotencyProblems],
});

export const changeWebhook = defineRoute({
  ...one,
  id: 'changeWebhook',
  summary: 'Change, disable or enable a webhook',
  description: 'Owner or admin. Properties that you omit stay as they are.',
  method: 'PATCH',
  body: WebhookChange,
  status: 200,
  reply: Webhook,
});

export const deleteWebhook = defineRoute({
  ...one,
  id: 'deleteWebhook',
  summary: 'Delete a webhook and its deliveries',
  description: 'Owner or admin.',
  method: 'DELETE',
  status: 204,
});

export const rotateWebhookSecret = defineRoute({
  ...one,
  id: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook',
  description:
    'Owner or admin. For 24 hours, requests are signed with the old and the new secret. The new one is returned only once.',
  method: 'POST',
  path: '/api/organizations/{orgId}/webhooks/{webhookId}/rotate-secret',
  status: 200,
  reply: NewWebhook,
});

export const testWebhook = defineRoute({
  ...one,
  id: 'testWebhook',
  summary: 'Send a test event to a webhook',
  description:
    'Owner or admin. Its type is `webhook.test`. It is sent within seconds: look at the deliveries.',
  method: 'POST',
  path: '/api/organizations/{orgId}/webhooks/{webhookId}/test',
  status: 200,
  reply: WebhookDelivery,
});

export const listDeliveries = defineRoute({
  ...one,
  id: 'listWebhookDeliveries',
  summary: 'List what was or is to be sent to a webhook',
  description: 'Owner or admin. The newest first; deliveries are deleted after 30 days.',
  method: 'GET',
  path: '/api/organizations/{orgId}/webhooks/{webhookId}/deliveries',
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(WebhookDelivery),
});

export const retryDelivery = defineRoute({
  ...one,
  id: 'retryWebhookDelivery',
  summary: 'Send an event to a webhook again',
  description: 'Owner or admin. It keeps its ID, so that receivers recognize it.',
  method: 'POST',
  path: '/api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
  params: Type.Object({ ...Params.properties, deliveryId: Type.String() }),
  status: 200,
  reply: WebhookDelivery,
});
