import type { Token, TokenState } from '#contract/credentials/tokens.ts';
import { daysMs, timestamp } from '../base/clock.ts';
import { absoluteMs } from '../sessions/sessions.ts';
import type { CheckedToken, StoredToken } from './store.ts';

/** Returns when a token ends, by itself or by the policy of its organization. */
export const endOf = ({
  createdAt,
  expiresAt,
  maxDays,
}: Pick<CheckedToken, 'createdAt' | 'expiresAt' | 'maxDays'>): number =>
  Math.min(Date.parse(expiresAt), Date.parse(createdAt) + daysMs(maxDays));

/** Returns whether a token meets a requirement of SSO. */
export const satisfiesSso = ({ isServiceAccount, directorySignInAt }: CheckedToken, now: number): boolean =>
  // A service account is the act of an admin. A person is vouched for by the directory, as long as a session through it could last.
  isServiceAccount || (directorySignInAt !== null && now - Date.parse(directorySignInAt) < absoluteMs);

/** Returns whether a token works, or why it doesn't. */
function stateOf(token: CheckedToken, now: number): TokenState {
  if (now >= endOf(token)) return 'expired';
  if (token.suspendedAt !== null) return 'suspended';
  if (token.disabledAt !== null) return 'disabled';
  if (!token.isServiceAccount && !token.personalTokens) return 'not_permitted';
  if (satisfiesSso(token, now)) return 'active';
  if (token.requireSso) return 'sso_required';
  return token.lacksSecondFactor ? 'second_factor_missing' : 'active';
}

/** Returns whether a token authenticates requests, even if its organization then refuses them until the person signs in differently. */
export const isValid = (token: CheckedToken, now: number): boolean =>
  ['active', 'sso_required', 'second_factor_missing'].includes(stateOf(token, now));

/** Whether nothing ends a token but a restore, after which nobody has confirmed it yet. */
export const isSuspended = (token: CheckedToken, now: number): boolean => stateOf(token, now) === 'suspended';

/** What programs with a suspended token get. Only who has its text learns this, since the server stores a hash. */
export const suspendedText =
  'The server was restored from a backup, so the credential is suspended. It works again as soon as somebody confirms that it was not ' +
  'revoked since: an owner of the organization, or the person that it acts as.';

/** Returns a token as the API shows it. */
export const toToken = (token: StoredToken, now: number): Token => {
  const { id, name, organizationId, userId, type, scopes, createdAt, createdBy } = token;
  const { lastUsedAt, lastUsedAddress } = token;
  if (type === 'access') throw new Error('Access tokens are not listed.');
  return {
    id,
    name,
    organizationId,
    userId,
    type,
    scopes,
    state: stateOf(token, now),
    createdAt,
    createdBy,
    expiresAt: timestamp(endOf(token)),
    ...(lastUsedAt !== null && { lastUsedAt }),
    ...(lastUsedAddress !== null && { lastUsedAddress }),
  };
};
