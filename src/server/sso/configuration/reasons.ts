import type { SsoDomain } from '#contract/sso/domains.ts';
import type { SsoPolicy, SsoStatus } from '#contract/sso/policy.ts';
import { daysMs } from '../../base/clock.ts';
import type { StoredSsoConfiguration } from './store.ts';
import { isEntraAddress, isSharedTenant, isTenantGuid } from '../protocol/entra.ts';

const warnBeforeMs = daysMs(30);

/** Something that is not as it must be: a stable code, words for people, and what to do. */
export type Reason = SsoStatus['reasons'][number];

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
  const isShared = tenantId !== undefined && isSharedTenant(tenantId);
  const isEntra = isDiscoveryUrlDerived || isEntraAddress(discoveryUrl);
  if (isShared || (tenantId === undefined && isEntra)) {
    reasons.push({
      code: 'tenant_required',
      message: isShared
        ? `The tenant ${tenantId} is open to people of any organization.`
        : 'Entra ID is used without a tenant, so people of any organization could sign in.',
      remedy: 'Set the directory (tenant) ID of your own tenant. For AD FS, set the discovery address.',
    });
  } else if (tenantId !== undefined && !isTenantGuid(tenantId)) {
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

/** Returns what an administrator should see to of the domains. `toMend` are those whose record is missing. */
export function findDomainWarnings(domains: readonly SsoDomain[], toMend: readonly SsoDomain[]): Reason[] {
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

/** Returns what is to be said of the day on which the client secret expires; from 30 days before. */
export function findSecretWarnings(secretExpiresAt: SsoPolicy['secretExpiresAt'], now: number): Reason[] {
  const expiresAt = secretExpiresAt === undefined ? Number.NaN : Date.parse(secretExpiresAt);
  if (expiresAt <= now) {
    return [
      {
        code: 'secret_expired',
        message: `The client secret has expired on ${secretExpiresAt ?? ''}.`,
        remedy: 'Make a new secret at the identity provider, store it here, and set its expiry.',
      },
    ];
  }
  if (expiresAt > now + warnBeforeMs || Number.isNaN(expiresAt)) return [];
  const days = Math.ceil((expiresAt - now) / daysMs(1));
  return [
    {
      code: 'secret_expires_soon',
      message: `The client secret expires in ${days} ${days === 1 ? 'day' : 'days'}.`,
      remedy: 'Make a new secret beside the old one, store it here, then remove the old one.',
    },
  ];
}
