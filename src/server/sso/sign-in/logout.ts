import type { Actor } from '../../base/actor.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { toRelyingParty, type SsoSignInNeeds } from './attempts.ts';
import { findSsoConfiguration } from '../configuration/store.ts';
import { findProtocolReasons } from '../configuration/reasons.ts';

/**
 * Returns where a browser signs out at the identity provider that a session came through (OpenID Connect RP-Initiated
 * Logout 1.0), or undefined when it came another way, or the provider offers nothing or does not answer.
 */
export async function findLogoutUrl(
  { database, secretBox, providers, publicUrl }: SsoSignInNeeds,
  actor: Actor,
): Promise<string | undefined> {
  const { credential, scope } = actor;
  if (credential.method !== 'sso' || scope === 'all') return undefined;
  const configuration = await findSsoConfiguration(database, scope.organizationId);
  if (configuration === undefined || findProtocolReasons(configuration).length > 0) return undefined;
  try {
    return await providers.endSessionUrl(
      toRelyingParty(secretBox, publicUrl, configuration),
      `${publicUrl}/`,
    );
  } catch (error) {
    // The session here has ended; the provider's own is beyond reach.
    if (error instanceof SignInRefusal) return undefined;
    throw error;
  }
}
