import type { SessionMethod } from '#contract/accounts/sessions.ts';
import { t } from '#shared/language/messages.ts';

/** How people sign in, as the end of “signed in …”. */
export const sessionMethods: Readonly<Record<SessionMethod, string>> = {
  password: t('with a password'),
  passkey: t('with a passkey'),
  set_up: t('by setting up the server'),
  invitation: t('with an invitation'),
  operator: t('with a session created by the operator'),
  sso: t('through single sign-on'),
  recovery_code: t('with a recovery code'),
};
