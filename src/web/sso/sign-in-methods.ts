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
      who: verified.length > 0 ? `People in ${listed(verified)}` : 'People in verified domains',
      how: 'through the directory',
      isOpen: status.state === 'ready' || status.state === 'failing',
      ...(status.state === 'off' && { why: 'single sign-on is off' }),
      ...(status.state === 'blocked' && { why: 'the configuration is not complete' }),
      ...(status.state === 'failing' && { why: 'the directory refused the last sign-in' }),
    },
    {
      who: 'Members who have a password',
      how: 'with a password',
      isOpen: !policy.requireSso,
      ...(policy.requireSso && { why: 'single sign-on is required' }),
    },
    {
      who: 'Owners',
      how: 'with a recovery code, each valid once',
      isOpen: left > 0,
      why: left > 0 ? `${left} left` : 'none were created, or all are used',
    },
    {
      who: 'The operator of the server',
      how: 'can allow passwords again: atrium sso unlock',
      isOpen: true,
    },
  ];
}
