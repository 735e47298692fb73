import { t } from '#shared/language/messages.ts';

/** Shown for a widget whose config has nothing that its kind can show. */
export const invalidContentMessage = t('This widget has nothing to show.');
