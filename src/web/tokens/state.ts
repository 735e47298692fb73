import type { Token } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { dueNotice } from '#shared/token-expiry.ts';

interface State {
  readonly text: string;
  readonly color: string;
  /** Why the token doesn't work, and what to do. */
  readonly reason?: string;
}

const soonMs = 7 * 86_400_000;

/** Whether a token works, and ends soon. */
export function expiresSoon(token: Token): boolean {
  const now = Date.now();
  const leftMs = Date.parse(token.expiresAt) - now;
  const works = ['active', 'sso_required', 'second_factor_missing'].includes(token.state) && leftMs > 0;
  return works && (leftMs < soonMs || dueNotice(token, now) !== undefined);
}

/** Returns the state of a token in words. `isMine`: whether the reader is the person that it acts as. */
export function stateOf(token: Token, { isMine }: { readonly isMine: boolean }): State {
  switch (token.state) {
    case 'active':
      return expiresSoon(token)
        ? { text: t('Expires soon'), color: 'orange' }
        : { text: t('Active'), color: 'teal' };
    case 'expired':
      return { text: t('Expired'), color: 'gray' };
    case 'suspended':
      return {
        text: t('Suspended'),
        color: 'orange',
        reason: isMine
          ? t(
              'The server was restored from a backup. The token works again as soon as you confirm that you haven’t revoked it since.',
            )
          : t(
              'The server was restored from a backup. The token works again as soon as an owner confirms that it wasn’t revoked since.',
            ),
      };
    case 'not_permitted':
      return {
        text: t('Not permitted'),
        color: 'red',
        reason: isMine
          ? t('The organization doesn’t permit personal tokens any more. Ask an admin for a service account.')
          : t('The organization doesn’t permit personal tokens.'),
      };
    case 'sso_required':
      return {
        text: t('Sign-in required'),
        color: 'orange',
        reason: isMine
          ? t(
              'The organization requires single sign-on. The token works again as soon as you sign in through its directory, for seven days.',
            )
          : t(
              'The organization requires single sign-on, and the person hasn’t signed in through its directory in the last seven days.',
            ),
      };
    case 'second_factor_missing':
      return {
        text: t('Second factor required'),
        color: 'orange',
        reason: isMine
          ? t(
              'The organization requires a second factor. The token works again as soon as you set one up in your account.',
            )
          : t('The organization requires a second factor, and the person hasn’t set one up.'),
      };
    case 'disabled':
      return {
        text: t('Account disabled'),
        color: 'red',
        reason: t('The operator of this server has disabled the account.'),
      };
  }
}
