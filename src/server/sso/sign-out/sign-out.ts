import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { toRelyingParty, type SsoSignInDependencies } from '../sign-in/attempts.ts';
import { findSsoConfigurationById } from '../configuration/store.ts';
import { findProtocolReasons } from '../configuration/reasons.ts';
import type { DirectorySignOut } from './id-tokens.ts';

/**
 * Returns where a browser signs out at the identity provider of a session (OpenID Connect RP-Initiated Logout 1.0), or
 * undefined if the provider does not support that or does not respond. With the ID token of the session, the provider knows which
 * of its sessions to end and does not ask.
 */
export async function findLogoutUrl(
  dependencies: SsoSignInDependencies,
  { configurationId, idToken }: DirectorySignOut,
): Promise<string | undefined> {
  const { database, providers, publicUrl } = dependencies;
  const configuration = await findSsoConfigurationById(database, configurationId);
  if (configuration === undefined || findProtocolReasons(configuration).length > 0) return undefined;
  try {
    return await providers.endSessionUrl(toRelyingParty(dependencies, configuration), {
      postLogoutRedirectUri: `${publicUrl}/`,
      idToken,
    });
  } catch (error) {
    // The session here has ended; the provider's own session can't be ended.
    if (error instanceof SignInRefusal) return undefined;
    throw error;
  }
}
