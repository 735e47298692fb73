import type { SsoCheck } from '#contract/sso/sign-in.ts';
import { normalizeEmail } from '../../base/texts/email-address.ts';
import type { IdentityKey } from './store.ts';
import { isActiveDirectory } from '../configuration/providers.ts';
import { isEmailDenied, isTrue, type Claims } from '../protocol/claims.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';

/** What the claims of a checked ID token say about a person. */
export interface SsoIdentity {
  readonly key: IdentityKey | undefined;
  /** Normalized; undefined if there is none. Used only to admit and to show people, never to identify them. */
  readonly email: string | undefined;
  /** Whether the directory confirms the address. Only then is an account searched for that could be linked. */
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
}

/**
 * Returns the identity in a token: `oid` if the configuration names a tenant of Entra, `sub` for AD FS. Of several
 * addresses it uses the first in a proven domain; those that the directory confirms come first.
 */
export function readIdentity(
  configuration: StoredSsoConfiguration,
  provenDomains: readonly string[],
  claims: Claims,
): SsoIdentity {
  const subject = textOf(configuration.tenantId === undefined ? claims['sub'] : claims['oid']);
  const issuer = textOf(claims['iss'], maxIssuerLength);
  const addresses = readAddresses(configuration, claims);
  const address = addresses.find(({ email }) => provenDomains.includes(domainOf(email))) ?? addresses[0];
  return {
    key: subject && issuer ? { configurationId: configuration.id, issuer, subject } : undefined,
    email: address?.email,
    isEmailVerified: address?.isVerified === true,
    name: textOf(claims['name']),
  };
}

interface Address {
  readonly email: string;
  readonly isVerified: boolean;
}

/**
 * Returns the addresses of a person, those that the directory confirms first. The user principal name is set by the
 * tenant's administrators, in a domain of the tenant. Entra fills `email` with whatever the profile says, unless
 * `xms_edov` says that the owner of the domain was verified. At AD FS both come from Active Directory, and
 * `email_verified` is not sent; a provider that sends it as anything but true lets people choose their address, and
 * perhaps their name as well. At any other provider, an address counts only if `email_verified` is true.
 */
export function readAddresses({ tenantId, provider }: StoredSsoConfiguration, claims: Claims): Address[] {
  // Where the provider may let people enter any address, only what it confirms counts, and names are no addresses.
  if (!isActiveDirectory(provider))
    return isTrue(claims['email_verified']) ? verified(emailOf(claims['email'])) : [];
  const [email, preferred, upn] = ['email', 'preferred_username', 'upn'].map((name) => emailOf(claims[name]));
  const isDenied = isEmailDenied(claims);
  if (tenantId === undefined) {
    return isDenied ? [] : [...verified(email), ...verified(upn), ...unverified(preferred)];
  }
  const address = isGuest(claims) ? unverified : verified;
  const principal = [...address(preferred), ...address(upn)];
  if (isDenied) return principal;
  return isTrue(claims['xms_edov']) || claims['xms_edov'] === 1
    ? [...verified(email), ...principal]
    : [...principal, ...unverified(email)];
}

const verified = (email: string | undefined): Address[] =>
  email === undefined ? [] : [{ email, isVerified: true }];

const unverified = (email: string | undefined): Address[] =>
  email === undefined ? [] : [{ email, isVerified: false }];

/** A guest's principal name is an address in their home tenant, which this tenant doesn't control. */
const isGuest = ({ acct, idp, iss }: Claims): boolean => acct === 1 || (idp !== undefined && idp !== iss);

/** Returns the domain of a normalized address. */
export const domainOf = (email: string): string => email.split('@')[1] ?? '';

/**
 * Returns the checks that must pass for a person to sign in. `provenDomains` are the configuration's domains that the
 * organization has verified.
 */
export function checkIdentity(
  configuration: StoredSsoConfiguration,
  provenDomains: readonly string[],
  claims: Claims,
): SsoCheck[] {
  const { key, email } = readIdentity(configuration, provenDomains, claims);
  const domain = email === undefined ? undefined : domainOf(email);
  const isProven = domain !== undefined && provenDomains.includes(domain);
  return [
    ...checkTenant(configuration, claims),
    ...checkHostedDomain(configuration, provenDomains, claims),
    check(
      'identity',
      key !== undefined,
      key === undefined
        ? `The token has no usable ${configuration.tenantId === undefined ? 'sub' : 'oid'}.`
        : `The person’s ID is ${key.subject}.`,
      {
        remedy: 'The identity provider must send the claim oid (Entra) or sub (AD FS).',
      },
    ),
    check(
      'email',
      email !== undefined,
      email === undefined
        ? claims['email_verified'] === undefined
          ? isActiveDirectory(configuration.provider) || claims['email'] === undefined
            ? 'No claim contains an email address.'
            : 'The identity provider does not say whether the email address is verified.'
          : 'The identity provider says that the email address is not verified.'
        : `The email address is ${email}.`,
      {
        remedy:
          'Send the email claim: in Entra under Token configuration > Add optional claim, in AD FS with a claim ' +
          'rule. Or ' +
          'use the email address as the user principal name of the account. If email_verified is false, have the ' +
          'person ' +
          'verify the address at the identity provider.',
      },
    ),
    check(
      'domain',
      isProven,
      domain === undefined
        ? 'There is no email address, so its domain can’t be checked.'
        : isProven
          ? `The domain is ${domain}.`
          : `The domain is ${domain}, which the organization has not verified.`,
      {
        remedy: 'Add the domain to the configuration and verify it. People with other domains can’t sign in.',
      },
    ),
  ];
}

/** A token with `tid` is from Entra, whatever the discovery URL. Without a configured tenant, any tenant would pass. */
function checkTenant({ tenantId }: StoredSsoConfiguration, claims: Claims): SsoCheck[] {
  const tenant = textOf(claims['tid']);
  if (tenantId === undefined) {
    if (claims['tid'] === undefined) return [];
    return [
      {
        code: 'tenant_required',
        passed: false,
        message: 'The token is from Entra ID, but the configuration names no tenant.',
        remedy: 'Set the directory (tenant) ID in the configuration.',
      },
    ];
  }
  return [
    check(
      'tenant',
      tenant?.toLowerCase() === tenantId.toLowerCase(),
      `The token is from the tenant ${tenant ?? '(none)'}.`,
      { remedy: 'Correct the tenant in the configuration, or sign in with an account from that tenant.' },
    ),
  ];
}

/** Google's one issuer signs in every Google account, also one that a person created with an address of your domain. */
const googleIssuers: ReadonlySet<unknown> = new Set(['https://accounts.google.com', 'accounts.google.com']);

/** `hd` is the domain of the Google Workspace that manages the account; other accounts have none. */
function checkHostedDomain(
  { tenantId }: StoredSsoConfiguration,
  provenDomains: readonly string[],
  { hd, iss }: Claims,
): SsoCheck[] {
  if (tenantId !== undefined || (hd === undefined && !googleIssuers.has(iss))) return [];
  const passed = typeof hd === 'string' && provenDomains.includes(hd.toLowerCase());
  return [
    check(
      'hosted_domain',
      passed,
      typeof hd === 'string'
        ? `The account belongs to the Google Workspace of ${hd.slice(0, maxTextLength)}.`
        : 'The account is a personal Google account, which no organization manages.',
      {
        remedy:
          'Sign in with an account of your Google Workspace. Its primary domain must be verified for this directory.',
      },
    ),
  ];
}

/** Returns the code of the refusal for a check that failed. */
export const refusalCode = ({ code }: SsoCheck): string =>
  code === 'tenant_required' ? code : `${code}_refused`;

const check = (code: string, passed: boolean, message: string, { remedy }: { remedy: string }): SsoCheck => ({
  code,
  passed,
  message,
  ...(!passed && { remedy }),
});

/**
 * `sub` has at most 255 characters (OpenID Connect Core 1.0, section 2); the same limit applies to the other stored
 * texts.
 */
const maxTextLength = 255;
const maxIssuerLength = 1_000;

/**
 * Returns a text without control characters and half characters: databases refuse those, or treat two such texts as
 * equal.
 */
const textOf = (claim: unknown, maxLength = maxTextLength): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(claim)
    ? claim
    : undefined;

const emailOf = (claim: unknown): string | undefined => normalizeEmail(textOf(claim) ?? '');

/** Returns the claims that an administrator may see: none that could be replayed. */
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
