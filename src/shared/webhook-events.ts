/** The events that a webhook can be sent. */
export const webhookEvents = [
  'dashboard.created',
  'dashboard.changed',
  'dashboard.deleted',
  'member.joined',
  'sso.failing',
  'log.audit',
  'log.access',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event that people send to try a webhook. */
export const testEvent = 'webhook.test';
