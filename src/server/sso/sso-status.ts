import type { SsoPolicy, SsoStatus } from '#contract/sso-policy.ts';
import type { SsoDomain } from '#contract/sso-domains.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, type Clock } from '../base/clock.ts';
import { notFound } from '../base/errors.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { requireRole } from '../organizations/members.ts';
import type { Reader } from '../storage/database.ts';
import { openClientSecret } from './client-secrets.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { countRecoveryCodes } from './recovery-code-store.ts';
import { describeDomains, findDomainsToMend, findProvenDomains } from './sso-domains.ts';
import { findSsoConfiguration, type StoredSsoConfiguration } from './sso-configuration-store.ts';
import { isTenantGuid } from './sso-identity.ts';
import { findOutcomes, isFailing } from './sso-outcome-store.ts';
import { getStoredSsoPolicy } from './sso-policy-store.ts';

const warnBeforeMs = daysMs(30);
/** A configuration may name as many domains as fit into a body; the list of domains tells all of them. */
const mostShown = 100;

/** Something that is not as it must be: a stable code, words for people, and what to do. */
export type Reason = SsoStatus['reasons'][number];

/** Returns the address to register at the identity provider: of each configuration its own. */
export const redirectUriOf = (publicUrl: string, configurationId: string): string =>
  `${publicUrl}/api/sso/callback/${configurationId}`;

/** Tells whether sign-in through the directory works, and if not why and what to do. Owner or admin. */
export async function getSsoStatus(
  {
    database: reader,
    clock,
    secretBox,
    publicUrl,
  }: { database: Reader; clock: Clock; secretBox: SecretBox; publicUrl: string },
  actor: Actor,
  organizationId: string,
): Promise<SsoStatus> {
  await requireRole(reader, actor, organizationId, 'admin');
  const configuration = await findSsoConfiguration(reader, organizationId);
  if (configuration === undefined) throw notFound();
  const { emailDomains } = configuration;
  const domains = await describeDomains(reader, organizationId, emailDomains.slice(0, mostShown));
  const policy = await getStoredSsoPolicy(reader, organizationId);
  const outcomes = await findOutcomes(reader, organizationId);
  const provenDomains = await findProvenDomains(reader, organizationId, emailDomains);
  const blocking = [
    ...findBlockingReasons(configuration, provenDomains),
    ...findSecretReasons(secretBox, configuration),
  ];
  const failure = outcomes?.failure;
  const reasons = [
    ...blocking,
    ...(failure && isFailing(outcomes) && !blocking.some(({ code }) => code === failure.code)
      ? [toReason(failure)]
      : []),
    ...(configuration.ownerApproved ? [] : [ownerNotApproved]),
    ...findDomainWarnings(domains, await findDomainsToMend(reader, organizationId)),
    ...findSecretWarnings(policy.secretExpiresAt, clock()),
  ];
  return {
    state: stateOf(configuration.enabled, blocking.length > 0, isFailing(outcomes)),
    reasons,
    redirectUri: redirectUriOf(publicUrl, configuration.id),
    domains,
    domainCount: emailDomains.length,
    recoveryCodesLeft: await countRecoveryCodes(reader, organizationId),
    ...(outcomes?.succeededAt && {
      lastSuccess: { at: outcomes.succeededAt, message: outcomes.success ?? '' },
    }),
    ...(outcomes?.failedAt && { lastFailure: { at: outcomes.failedAt, message: failure?.message ?? '' } }),
  };
}

function findSecretReasons(secretBox: SecretBox, configuration: StoredSsoConfiguration): Reason[] {
  try {
    openClientSecret(secretBox, configuration);
    return [];
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    return [toReason(error)];
  }
}

const ownerNotApproved: Reason = {
  code: 'owner_not_approved',
  message:
    'An admin chose this identity provider, so it makes nobody an owner and is not taken at its word about them.',
  remedy: 'Have an owner save the configuration once.',
};

const toReason = ({ code, message, remedy }: Reason): Reason => ({ code, message, remedy });

function stateOf(enabled: boolean, isBlocked: boolean, fails: boolean): SsoStatus['state'] {
  if (!enabled) return 'off';
  if (isBlocked) return 'blocked';
  return fails ? 'failing' : 'ready';
}

/**
 * Returns what keeps a stored configuration from being used, whether it is enabled or not. `provenDomains` are those
 * of its domains that the organization has proven.
 */
export function findBlockingReasons(
  configuration: StoredSsoConfiguration,
  provenDomains: readonly string[],
): Reason[] {
  const reasons = findProtocolReasons(configuration);
  if (provenDomains.length === 0) {
    reasons.push({
      code: 'no_proven_domain',
      message: 'No domain of the configuration is proven, so nobody is routed here or admitted.',
      remedy: 'Publish the TXT record of a domain, then have it verified.',
    });
  }
  return reasons;
}

/** Returns what keeps a stored configuration from talking to its identity provider at all. */
export function findProtocolReasons(configuration: StoredSsoConfiguration): Reason[] {
  const reasons: Reason[] = [];
  const { tenantId, discoveryUrl, isDiscoveryUrlDerived, clientSecret } = configuration;
  if (tenantId === undefined && isDiscoveryUrlDerived) {
    reasons.push({
      code: 'tenant_required',
      message: 'Neither a tenant nor a discovery address is given, so anybody’s tenant would do.',
      remedy: 'For Entra ID set the directory (tenant) ID; for AD FS the discovery address.',
    });
  }
  if (tenantId !== undefined && !isTenantGuid(tenantId)) {
    reasons.push({
      code: 'tenant_not_guid',
      message: 'The tenant is no GUID.',
      remedy: 'Copy the directory (tenant) ID from the overview of the app registration in Entra.',
    });
  }
  if (
    !/^https?:\/\/[^\s?#]+\/\.well-known\/openid-configuration$/.test(discoveryUrl) ||
    URL.parse(discoveryUrl) === null
  ) {
    reasons.push({
      code: 'discovery_url_invalid',
      message: 'The discovery address is not of the form https://…/.well-known/openid-configuration.',
      remedy: 'At AD FS it is https://{host}/adfs/.well-known/openid-configuration.',
    });
  }
  if (clientSecret === undefined) {
    reasons.push({
      code: 'secret_missing',
      message:
        'No client secret is stored. One that was there was dropped if provider, client, tenant or address changed.',
      remedy: 'Store the client secret again.',
    });
  }
  return reasons;
}

function findDomainWarnings(domains: readonly SsoDomain[], toMend: readonly SsoDomain[]): Reason[] {
  const missing = toMend.map(({ domain, reason }) => ({
    code: 'domain_record_missing',
    message: `${domain}: ${reason ?? ''}`,
    remedy: 'Publish the TXT record again.',
  }));
  const unproven = domains.flatMap(({ domain, state, reason }) => {
    if (state === 'proven') return [];
    if (state === 'unusable')
      return [
        {
          code: 'domain_unusable',
          message: `${domain}: ${reason ?? ''}`,
          remedy: 'Take it off the configuration.',
        },
      ];
    return [
      {
        code: 'domain_unproven',
        message: `${domain} is not proven: nobody of it is routed here or admitted.`,
        remedy: 'Publish its TXT record, then have it verified.',
      },
    ];
  });
  return [...missing, ...unproven];
}

function findSecretWarnings(secretExpiresAt: SsoPolicy['secretExpiresAt'], now: number): Reason[] {
  const expiresAt = secretExpiresAt === undefined ? Number.NaN : Date.parse(secretExpiresAt);
  if (expiresAt <= now) {
    return [
      {
        code: 'secret_expired',
        message: `The client secret has expired on ${secretExpiresAt ?? ''}.`,
        remedy: 'Make a new secret in Entra, store it here, and set its expiry.',
      },
    ];
  }
  if (expiresAt > now + warnBeforeMs || Number.isNaN(expiresAt)) return [];
  const days = Math.ceil((expiresAt - now) / daysMs(1));
  return [
    {
      code: 'secret_expires_soon',
      message: `The client secret expires in ${days} ${days === 1 ? 'day' : 'days'}.`,
      remedy: 'Make a new secret in Entra beside the old one, store it here, then remove the old one.',
    },
  ];
}
