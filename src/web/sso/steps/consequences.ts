import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { verifiedDomains, listed } from '../status-message.ts';
import type { Sso } from '../queries.ts';

/** A change to an existing configuration. `move`: people sign in elsewhere afterwards. */
export type Change = 'turn off' | 'delete' | 'move' | { readonly removedDomain: string };

/** The person who makes a change, and how they signed in. */
export interface Actor {
  /** Whether their session was started through the directory, and so ends when it changes. */
  readonly signedInThroughDirectory: boolean;
  readonly hasPassword: boolean;
}

/** Returns sentences that describe what a change will do; none if nobody would notice it. */
export function consequencesOf(
  { connectionId, hasOthers, status, policy, configuration }: Sso,
  change: Change,
  actor: Actor,
): string[] {
  if (configuration === undefined) return [];
  const verified = verifiedDomains(status);
  const requirement = hasOthers ? requirementMayEnd : requirementEnds;
  if (typeof change === 'object') {
    const { removedDomain } = change;
    if (!verified.includes(removedDomain)) return [];
    const isLast = verified.length === 1;
    return [
      t('{removedDomain} is no longer verified, so another organization can verify it.', { removedDomain }),
      ...(configuration.enabled
        ? [
            isLast
              ? t('Nobody can sign in through the directory until another domain is verified.')
              : t('People in {removedDomain} can no longer sign in through the directory.', {
                  removedDomain,
                }),
          ]
        : []),
      ...(isLast && policy.requireSso ? [requirement] : []),
    ];
  }
  if (change !== 'delete' && !configuration.enabled) return [];
  const { sessionCount } = status;
  return [
    ...(configuration.enabled && change !== 'move' && verified.length > 0
      ? [t('People in {listed} can no longer sign in through the directory.', { listed: listed(verified) })]
      : []),
    ...(sessionCount > 0 ? [sessionsEnd(sessionCount, actor.signedInThroughDirectory)] : []),
    ...(actor.signedInThroughDirectory && !actor.hasPassword
      ? [t('You have no password. To sign in again, you need a recovery code.')]
      : []),
    ...(policy.requireSso ? [requirement] : []),
    ...(change === 'delete'
      ? [
          t(
            'The client secret and the verification of the domains are deleted. People, roles and dashboards stay.',
          ),
          ...(connectionId === undefined ? [] : [newAccounts]),
        ]
      : []),
  ];
}

/** Returns why a change would lock the actor out permanently; undefined if it wouldn't. */
export function lockOutReason({ status, role }: Sso, actor: Actor): string | undefined {
  if (!actor.signedInThroughDirectory || actor.hasPassword || status.ownRecoveryCodesLeft > 0)
    return undefined;
  return may(role, 'sso.recover')
    ? t(
        'You signed in through the directory and have no password. Create recovery codes first, or you couldn’t sign in again.',
      )
    : t(
        'You signed in through the directory and have no password, so you couldn’t sign in again. Ask an owner.',
      );
}

const newAccounts = t(
  'If you add the directory again, its people get new accounts. Turn it off instead if you want to continue later.',
);

const requirementMayEnd = t(
  'If no owner can sign in through another directory, single sign-on is no longer required, and members who have a password can sign in with it again.',
);

const requirementEnds = t(
  'Single sign-on is no longer required. Members who have a password can sign in with it again.',
);

const sessionsEnd = (count: number, isOwn: boolean): string =>
  isOwn
    ? t(
        '{count, plural, one {# session started through the directory ends, including yours.} other {# sessions started through the directory end, including yours.}}',
        { count },
      )
    : t(
        '{count, plural, one {# session started through the directory ends.} other {# sessions started through the directory end.}}',
        { count },
      );
