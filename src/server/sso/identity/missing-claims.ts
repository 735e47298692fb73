import type { RoleMapping } from '#contract/sso/policy.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { isEmailDenied, type Claims } from '../protocol/claims.ts';
import { readAddresses } from './identity.ts';

/**
 * Returns the claims that a sign-in uses and an ID token lacks, which the provider may have only at its UserInfo
 * endpoint: the addresses, the name, and the claims that map to roles. Entra has no groups and roles there.
 */
export function findMissingClaims(
  configuration: StoredSsoConfiguration,
  roleMappings: readonly RoleMapping[],
  claims: Claims,
): string[] {
  const isEntra = configuration.tenantId !== undefined;
  const addresses = readAddresses(configuration, claims);
  const hasAddress = isEntra ? addresses.length > 0 : addresses.some(({ isVerified }) => isVerified);
  const mapped = isEntra ? [] : new Set(roleMappings.map(({ claim }) => claim));
  return [
    ...(hasAddress || isEmailDenied(claims) ? [] : ['email', 'email_verified', 'preferred_username', 'upn']),
    ...['name', ...mapped].filter((name) => claims[name] === undefined),
  ];
}
