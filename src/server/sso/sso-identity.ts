import type { SsoCheck } from '#contract/sso-sign-in.ts';
import { normalizeEmail } from '../base/email-address.ts';
import type { IdentityKey } from './sso-identity-store.ts';
import type { Claims } from './identity-provider.ts';
import type { StoredSsoConfiguration } from './sso-configuration-store.ts';

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isTenantGuid = (tenantId: string): boolean => guid.test(tenantId);

/** What the claims of a checked ID token say of a person. */
export interface SsoIdentity {
  readonly key: IdentityKey | undefined;
  /** Normalized; undefined when no claim has an address. Only to admit and to show: never to recognize somebody. */
  readonly email: string | undefined;
  /** The address that the directory itself vouches for; undefined: none. Only by it an account is linked. */
  readonly ownEmail: string | undefined;
  readonly name: string | undefined;
}

/** Reads who somebody is: by `oid` when the configuration names a tenant of Entra, by `sub` at AD FS. */
export function readIdentity(configuration: StoredSsoConfiguration, claims: Claims): SsoIdentity {
  const subject = textOf(configuration.tenantId === undefined ? claims['sub'] : claims['oid']);
  const issuer = textOf(claims['iss'], longestIssuer);
  const key = subject && issuer ? { configurationId: configuration.id, issuer, subject } : undefined;
  const email = emailOf(claims['email']);
  const principal = emailOf(claims['preferred_username']) ?? emailOf(claims['upn']);
  // Entra fills `email` with whatever the profile says, unless it tells that the domain's owner was verified.
  const isEmailOwn =
    configuration.tenantId === undefined || claims['xms_edov'] === true || claims['xms_edov'] === 1;
  return {
    key,
    email: email ?? principal,
    ownEmail: isEmailOwn ? (email ?? principal) : principal,
    name: textOf(claims['name']),
  };
}

/**
 * Returns what must be so for a person to come in, each with whether it is. `provenDomains` are the configuration's
 * domains that the organization has proven.
 */
export function checkIdentity(
  configuration: StoredSsoConfiguration,
  provenDomains: readonly string[],
  claims: Claims,
): SsoCheck[] {
  const { key, email } = readIdentity(configuration, claims);
  const domain = email?.split('@')[1];
  const isProven = domain !== undefined && provenDomains.includes(domain);
  const tenant = textOf(claims['tid']);
  const isTenantRight = tenant?.toLowerCase() === configuration.tenantId?.toLowerCase();
  return [
    ...(configuration.tenantId === undefined
      ? []
      : [
          check('tenant', isTenantRight, `The token is of the tenant ${tenant ?? '(none)'}.`, {
            remedy: 'Correct the tenant of the configuration, or sign in with an account of it.',
          }),
        ]),
    check(
      'identity',
      key !== undefined,
      key === undefined
        ? `The token has no usable ${configuration.tenantId === undefined ? 'sub' : 'oid'}.`
        : `The person is ${key.subject}.`,
      {
        remedy: 'The identity provider must send the claim oid (Entra) or sub (AD FS).',
      },
    ),
    check(
      'email',
      email !== undefined,
      email === undefined ? 'No claim has an e-mail address.' : `The address is ${email}.`,
      {
        remedy:
          'Send the claim email: in Entra under Token configuration > Add optional claim, at AD FS by a claim rule; or ' +
          'give the account an address as its user principal name.',
      },
    ),
    check(
      'domain',
      isProven,
      domain === undefined
        ? 'Without an address there is no domain.'
        : isProven
          ? `The domain is ${domain}.`
          : `The domain is ${domain}, which the organization has not proven.`,
      { remedy: 'Add the domain to the configuration and prove it; people of other domains do not come in.' },
    ),
  ];
}

const check = (code: string, passed: boolean, message: string, { remedy }: { remedy: string }): SsoCheck => ({
  code,
  passed,
  message,
  ...(!passed && { remedy }),
});

/** `sub` has at most 255 characters (OpenID Connect Core 1.0, section 2); so have the others that are kept. */
const longestText = 255;
const longestIssuer = 1_000;

/** Not what controls, or is half a character: databases refuse it, or take two such texts for the same. */
const textOf = (claim: unknown, lengthAtMost = longestText): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= lengthAtMost && !/[\p{Cc}\p{Cs}]/u.test(claim)
    ? claim
    : undefined;

const emailOf = (claim: unknown): string | undefined => normalizeEmail(textOf(claim) ?? '');

/** What an administrator may see of a token: nothing that could be used again. */
export function shownClaims(claims: Claims): Record<string, unknown> {
  const hidden = new Set([
    'nonce',
    'at_hash',
    'c_hash',
    's_hash',
    'aio',
    'rh',
    'uti',
    'sid',
    'jti',
    'login_hint',
  ]);
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !hidden.has(name)));
}
