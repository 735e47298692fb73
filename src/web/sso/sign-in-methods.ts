import { t } from '#shared/language/messages.ts';
import { listed, verifiedDomains } from './status-message.ts';
import type { Sso } from './queries.ts';

/** A way to sign in, and whether it is available now. */
export interface SignInMethod {
  readonly who: string;
  readonly how: string;
  readonly isOpen: boolean;
  readonly why?: string;
}

/** Returns all ways to sign in to the organization, available or not. */
export function signInMethods({ status, policy }: Pick<Sso, 'status' | 'policy'>): SignInMethod[] {
  const verified = verifiedDomains(status);
  const left = status.recoveryCodesLeft;
  return [
    {
      who:
        verified.length > 0
          ? t('People in {listed}', { listed: listed(verified) })
          : t('People in verified domains'),
      how: t('through the directory'),
      isOpen: status.state === 'ready' || status.state === 'failing',
      ...(status.state === 'off' && { why: t('single sign-on is off') }),
      ...(status.state === 'blocked' && { why: t('the configuration is not complete') }),
      ...(status.state === 'failing' && { why: t('the directory refused the last sign-in') }),
    },
    {
      who: t('Members who have a password'),
      how: t('with a password'),
      isOpen: !policy.requireSso,
      ...(policy.requireSso && { why: t('single sign-on is required') }),
    },
    {
      who: t('Owners'),
      how: t('with a recovery code, each valid once'),
      isOpen: left > 0,
      why: left > 0 ? t('{left} left', { left }) : t('none were created, or all are used'),
    },
    {
      who: t('The operator of the server'),
      how: t('can allow passwords again: atrium server sso unlock'),
      isOpen: true,
    },
  ];
}
