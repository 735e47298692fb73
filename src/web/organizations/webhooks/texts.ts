import type { Webhook, WebhookDelivery } from '#contract/organizations/webhooks.ts';
import { t } from '#shared/language/messages.ts';

/** What people call the events that a webhook is sent. */
export const eventNames: Readonly<Record<WebhookDelivery['event'], string>> = {
  'dashboard.created': t('Dashboard created'),
  'dashboard.changed': t('Dashboard changed'),
  'dashboard.deleted': t('Dashboard moved to trash'),
  'member.joined': t('Member joined'),
  'sso.failing': t('Single sign-on fails'),
  'log.audit': t('Entries of the audit log'),
  'log.access': t('Entries of the data-access log'),
  'webhook.test': t('Test event'),
};

/** Returns the state of a webhook. */
export function stateOf({ enabled, disabledReason, failingSince }: Webhook): { text: string; color: string } {
  if (disabledReason === 'gone') return { text: t('Disabled: the URL responded with 410'), color: 'red' };
  if (disabledReason === 'failing') return { text: t('Disabled after five days of failures'), color: 'red' };
  if (!enabled) return { text: t('Disabled'), color: 'gray' };
  if (failingSince !== undefined) return { text: t('Failing'), color: 'orange' };
  return { text: t('Enabled'), color: 'teal' };
}

/** Returns how far a delivery is. */
export function progressOf({ status, attemptCount }: WebhookDelivery): { text: string; color: string } {
  if (status === 'delivered') return { text: t('Delivered'), color: 'teal' };
  if (status === 'failed') return { text: t('Failed'), color: 'red' };
  return attemptCount === 0
    ? { text: t('Waiting'), color: 'gray' }
    : { text: t('Will be tried again'), color: 'orange' };
}
