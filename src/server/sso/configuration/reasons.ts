import type { SsoDomain } from '#contract/sso/domains.ts';
import type { SsoPolicy, SsoStatus } from '#contract/sso/policy.ts';
import { daysMs } from '../../base/clock.ts';
import type { StoredSsoConfiguration } from './store.ts';
import { isActiveDirectory } from './providers.ts';
import { isEntraUrl, isSharedTenant, isTenantGuid } from '../protocol/entra.ts';

/** How many days before a client secret expires owners are mailed, the most urgent first. */
export const secretNoticeDays = [7, 30, 60] as const;
/** How long before a secret or certificate expires the status warns, and the next certificate is created. */
export const warnBeforeMs = daysMs(Math.max(...secretNoticeDays));

/** A problem of a configuration: a stable code, a message, and what to do. */
export type Reason = SsoStatus['reasons'][number];

/**
 * Returns why a stored configuration can't be used, whether it is enabled or not. `provenDomains` are those of its
 * domains that the organization has verified.
 */
export function findBlockingReasons(
  configuration: StoredSsoConfiguration,
  provenDomains: readonly string[],
): Reason[] {
  const reasons = findProtocolReasons(configuration);
  if (provenDomains.length === 0) {
    reasons.push({
      code: 'no_proven_domain',
      message: 'No domain of the configuration is verified, so nobody can sign in through the directory.',
      remedy: 'Publish the TXT record of a domain, then verify it.',
    });
  }
  return reasons;
}

/** Returns why a stored configuration can't even connect to its identity provider. */
export function findProtocolReasons(configuration: StoredSsoConfiguration): Reason[] {
  const reasons: Reason[] = [];
  const {
    tenantId,
    discoveryUrl,
    isDiscoveryUrlDerived,
    clientSecret,
    clientCertificate,
    workloadIdentitySince,
    clientId,
    provider,
  } = configuration;
  const isShared = tenantId !== undefined && isSharedTenant(tenantId);
  const isEntra = isDiscoveryUrlDerived || provider === 'entra' || isEntraUrl(discoveryUrl);
  if (isShared || (tenantId === undefined && isEntra)) {
    reasons.push({
      code: 'tenant_required',
      message: isShared
        ? `People from any organization can sign in to the tenant ${tenantId}.`
        : 'Entra ID is used without a tenant, so people from any organization could sign in.',
      remedy: 'Set the directory (tenant) ID of your own tenant. For AD FS, set the discovery URL.',
    });
  } else if (tenantId !== undefined && !isTenantGuid(tenantId)) {
    reasons.push({
      code: 'tenant_not_guid',
      message: 'The tenant ID must be a GUID.',
      remedy: 'Copy the directory (tenant) ID from the overview of the app registration in Entra.',
    });
  }
  if (clientId === '') {
    reasons.push({
      code: 'client_id_missing',
      message: 'No client ID is stored.',
      remedy: 'Register Atrium at the identity provider, then enter the client ID that it shows.',
    });
  }
  if (
    !/^https?:\/\/[^\s?#]+\/\.well-known\/openid-configuration$/.test(discoveryUrl) ||
    URL.parse(discoveryUrl) === null
  ) {
    reasons.push({
      code: 'discovery_url_invalid',
      message: 'The discovery URL must have the form https://…/.well-known/openid-configuration.',
      remedy: isActiveDirectory(provider)
        ? 'For AD FS, enter https://{host}/adfs/.well-known/openid-configuration.'
        : 'Enter the issuer of the provider, followed by /.well-known/openid-configuration.',
    });
  }
  if ((clientSecret ?? clientCertificate ?? workloadIdentitySince) === undefined) {
    reasons.push({
      code: 'secret_missing',
      message:
        'No client secret is stored. A change of the provider, client, tenant or discovery URL removes it.',
      remedy: 'Enter the client secret again.',
    });
  }
  return reasons;
}

/**
 * Returns what an administrator should fix about the domains. `withMissingRecord` are those whose record is missing.
 */
export function findDomainWarnings(
  domains: readonly SsoDomain[],
  withMissingRecord: readonly SsoDomain[],
): Reason[] {
  const missing = withMissingRecord.map(({ domain, reason }) => ({
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
          remedy: 'Remove it from the configuration.',
        },
      ];
    if (reason !== undefined)
      return [
        {
          code: 'domain_of_other_directory',
          message: `${domain}: ${reason}`,
          remedy: 'Remove it from one of them, then verify it for the other.',
        },
      ];
    return [
      {
        code: 'domain_unproven',
        message: `${domain} is not verified, so people with its addresses can’t sign in through the directory.`,
        remedy: 'Publish its TXT record, then verify it.',
      },
    ];
  });
  return [...missing, ...unproven];
}

/** Returns a warning if the client secret has expired, or will within 60 days. */
export function findSecretWarnings(secretExpiresAt: SsoPolicy['secretExpiresAt'], now: number): Reason[] {
  const expiresAt = secretExpiresAt === undefined ? Number.NaN : Date.parse(secretExpiresAt);
  if (expiresAt <= now) {
    return [
      {
        code: 'secret_expired',
        message: `The client secret expired on ${secretExpiresAt ?? ''}.`,
        remedy: 'Create a new secret at the identity provider, enter it here, and update its expiry date.',
      },
    ];
  }
  if (expiresAt > now + warnBeforeMs || Number.isNaN(expiresAt)) return [];
  const days = Math.ceil((expiresAt - now) / daysMs(1));
  return [
    {
      code: 'secret_expires_soon',
      message: `The client secret expires in ${days} ${days === 1 ? 'day' : 'days'}.`,
      remedy: 'Create a second secret at the identity provider, enter it here, then delete the old one.',
    },
  ];
}

/** Returns a warning if the provider does not respond when people are checked again, or if these checks are late. */
export function findCheckWarnings({
  unavailableSince,
  lateSince,
  everyMinutes,
}: NonNullable<SsoStatus['revalidation']>): Reason[] {
  if (unavailableSince !== undefined)
    return [
      {
        code: 'checks_unavailable',
        message:
          `The provider has not responded since ${formatMinute(unavailableSince)} ` +
          'when asked whether people may still sign in. Their sessions stay open.',
        remedy:
          'Check whether the provider is down, and test a sign-in: it fails for the same reason if it is the client secret or the network.',
      },
    ];
  if (lateSince === undefined) return [];
  const interval = everyMinutes === 1 ? 'a minute' : `${everyMinutes} minutes`;
  return [
    {
      code: 'checks_late',
      message:
        `Checks whether people may still sign in are late: one has been due since ${formatMinute(lateSince)}. ` +
        `Sessions of people who are disabled at the provider can stay open for longer than ${interval}.`,
      remedy: 'Choose a longer interval, or check why the provider responds slowly.',
    },
  ];
}

const formatMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** Returns a warning if the certificate in use has expired, or will within 60 days. */
export function findCertificateWarnings(expiresAt: string, now: number): Reason[] {
  const left = Date.parse(expiresAt) - now;
  const remedy = 'Upload the next certificate at the identity provider, then use it here.';
  if (left <= 0) {
    const message = `The certificate expired on ${expiresAt.slice(0, 10)}.`;
    return [{ code: 'certificate_expired', message, remedy }];
  }
  if (left > warnBeforeMs) return [];
  const days = Math.ceil(left / daysMs(1));
  const message = `The certificate expires in ${days} ${days === 1 ? 'day' : 'days'}.`;
  return [{ code: 'certificate_expires_soon', message, remedy }];
}
