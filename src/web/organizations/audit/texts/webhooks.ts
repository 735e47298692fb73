import { t } from '#shared/language/messages.ts';
import { at, type ActionText } from './details.ts';

/** The texts of what happens to webhooks. */
export const webhookTexts = {
  'webhook.created': {
    label: t('Webhook created'),
    did: (details) => t('created a webhook to {origin}', { origin: at(details, 'origin') }),
  },
  'webhook.changed': {
    label: t('Webhook changed'),
    did: (details) => t('changed a webhook to {origin}', { origin: at(details, 'origin') }),
  },
  'webhook.deleted': {
    label: t('Webhook deleted'),
    did: (details) => t('deleted a webhook to {origin}', { origin: at(details, 'origin') }),
  },
  'webhook.disabled': {
    label: t('Webhook disabled'),
    sentence: (details) =>
      at(details, 'reason') === 'gone'
        ? t('The webhook to {origin} was disabled: it responded with 410.', { origin: at(details, 'origin') })
        : t('The webhook to {origin} was disabled after five days of failures.', {
            origin: at(details, 'origin'),
          }),
  },
  'webhook.secret_rotated': {
    label: t('Webhook secret rotated'),
    did: (details) => t('rotated the secret of a webhook to {origin}', { origin: at(details, 'origin') }),
  },
} as const satisfies Record<string, ActionText>;
