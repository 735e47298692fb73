import { t } from '#shared/language/messages.ts';
import { at, type ActionText } from './details.ts';

/** The texts of what happens to the data-access log. */
export const accessLogTexts = {
  'access_log.retention_changed': {
    label: t('Data-access log retention changed'),
    did: (details) =>
      t('changed the retention of the data-access log from {before} to {after} days', {
        before: at(details, 'before'),
        after: at(details, 'after'),
      }),
  },
} as const satisfies Record<string, ActionText>;
