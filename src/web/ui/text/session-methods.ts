import type { SessionMethod } from '#contract/accounts/sessions.ts';

/** How people sign in, as the end of “signed in …”. */
export const sessionMethods: Readonly<Record<SessionMethod, string>> = {
  password: 'with a password',
  set_up: 'by setting up the server',
  invitation: 'with an invitation',
  operator: 'with a session created by the operator',
  sso: 'through single sign-on',
  recovery_code: 'with a recovery code',
};
