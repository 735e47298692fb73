import type { Actor } from '../../base/actor.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { toRelyingParty, type SsoSignInDependencies } from './attempts.ts';
import { findSsoConfiguration } from '../configuration/store.ts';
import { findProtocolReasons } from '../configuration/reasons.ts';

/**
 * Returns where a browser signs out at the identity provider of a session (OpenID Connect RP-Initiated Logout 1.0), or
 * undefined if the session was obtained another way, or the provider does not support that or does not respond.
 */
export async function findLogoutUrl(
  { database, secretBox, providers, publicUrl }: SsoSignInDependencies,
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
    // The session here has ended; the provider's own session can't be ended.
    if (error instanceof SignInRefusal) return undefined;
    throw error;
  }
}
