import type { SsoPolicy, SsoStatus } from '#contract/sso/policy.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { countSsoSessions } from '../../sessions/sessions.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { firstConfigurationId } from './id.ts';
import { findFormerConfiguration } from './former-store.ts';
import { listRecoveryCodeOwners } from '../recovery/store.ts';
import { describeDomains, findDomainsWithMissingRecord } from '../domains/domains.ts';
import { findAllBlockingReasons, stateOf, toReason, type ClientCredentials } from './states.ts';
import { findFirstConfiguration, type StoredSsoConfiguration } from './store.ts';
import { findOutcomes, isFailing } from '../sign-in/outcome-store.ts';
import { getStoredSsoPolicy } from './policy-store.ts';
import {
  findCertificateWarnings,
  findCheckWarnings,
  findDomainWarnings,
  findSecretWarnings,
  type Reason,
} from './reasons.ts';
import { describeChecks } from '../revalidation/tokens.ts';

/** The most domains in a status. A configuration can name more; the list of domains has all of them. */
const maxDomains = 100;

/** Returns the redirect URI to register at the identity provider. Each configuration has its own. */
export const redirectUriOf = (publicUrl: string, configurationId: string): string =>
  `${publicUrl}/api/sso/callback/${configurationId}`;

/** Returns the URL to register at the identity provider, at which it ends the sessions of people who sign out there. */
const logoutUrlOf = (publicUrl: string, configurationId: string): string =>
  `${publicUrl}/api/sso/logout/${configurationId}`;

/** Dependencies of reading a status. */
export interface StatusDependencies extends ClientCredentials {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Returns whether sign-in through the first directory works and, if not, why and what to do. Owner or admin. */
export async function getSsoStatus(
  dependencies: StatusDependencies,
  actor: Actor,
  organizationId: string,
): Promise<SsoStatus> {
  const { database, publicUrl } = dependencies;
  await requirePermission(database, actor, organizationId, 'sso.manage');
  const configuration = await findFirstConfiguration(database, organizationId);
  if (configuration === undefined) return statusWithout(database, publicUrl, actor, organizationId);
  return describeStatus(dependencies, actor, configuration);
}

/** Returns the status of a configuration. The caller checks permission. */
export async function describeStatus(
  { database: reader, clock, publicUrl, ...credentials }: StatusDependencies,
  actor: Actor,
  configuration: StoredSsoConfiguration,
): Promise<SsoStatus> {
  const { organizationId, emailDomains } = configuration;
  const codeOwners = await listRecoveryCodeOwners(reader, organizationId);
  const domains = await describeDomains(reader, configuration, emailDomains.slice(0, maxDomains));
  const policy = await getStoredSsoPolicy(reader, configuration);
  const outcomes = await findOutcomes(reader, configuration);
  const blocking = await findAllBlockingReasons(reader, credentials, configuration);
  const failure = outcomes?.failure;
  const revalidation = await describeChecks(reader, configuration, {
    everyMinutes: policy.revalidateMinutes,
    now: clock(),
  });
  const reasons = [
    ...blocking,
    ...(failure && isFailing(outcomes) && !blocking.some(({ code }) => code === failure.code)
      ? [toReason(failure)]
      : []),
    ...(configuration.ownerApproved ? [] : [ownerNotApproved]),
    ...findDomainWarnings(domains, await findDomainsWithMissingRecord(reader, configuration)),
    ...findExpiryWarnings(configuration, policy, clock()),
    ...findCheckWarnings(revalidation),
  ];
  return {
    state: stateOf(configuration.enabled, blocking.length > 0, isFailing(outcomes)),
    reasons,
    redirectUri: redirectUriOf(publicUrl, configuration.id),
    logoutUrl: logoutUrlOf(publicUrl, configuration.id),
    domains,
    domainCount: emailDomains.length,
    sessionCount: await countSsoSessions(reader, configuration, clock()),
    revalidation,
    ...countCodes(codeOwners, actor),
    ...(outcomes?.succeededAt && {
      lastSuccess: { at: outcomes.succeededAt, message: outcomes.success ?? '' },
    }),
    ...(outcomes?.loggedOutAt && {
      lastLogout: {
        at: outcomes.loggedOutAt,
        message: outcomes.loggedOut ?? '',
        ...(outcomes.loggedOutSeconds !== null && { seconds: outcomes.loggedOutSeconds }),
      },
    }),
    ...(outcomes?.failedAt && { lastFailure: { at: outcomes.failedAt, message: failure?.message ?? '' } }),
  };
}

/** Returns a warning if the secret or certificate in use expires soon. The host renews the token of a workload identity. */
function findExpiryWarnings(
  { clientCertificate, workloadIdentitySince }: StoredSsoConfiguration,
  { secretExpiresAt }: Pick<SsoPolicy, 'secretExpiresAt'>,
  now: number,
): Reason[] {
  if (workloadIdentitySince !== undefined) return [];
  if (clientCertificate === undefined) return findSecretWarnings(secretExpiresAt, now);
  return findCertificateWarnings(clientCertificate.expiresAt, now);
}

/** The redirect URI is known before there is a configuration, since it has to be registered at the directory first. */
async function statusWithout(
  reader: Reader,
  publicUrl: string,
  actor: Actor,
  organizationId: string,
): Promise<SsoStatus> {
  const former = await findFormerConfiguration(reader, organizationId);
  const id = former?.id ?? firstConfigurationId(organizationId);
  return {
    state: 'off',
    reasons: [notConfigured],
    redirectUri: redirectUriOf(publicUrl, id),
    logoutUrl: logoutUrlOf(publicUrl, id),
    domains: [],
    domainCount: 0,
    sessionCount: 0,
    ...countCodes(await listRecoveryCodeOwners(reader, organizationId), actor),
  };
}

const countCodes = (owners: readonly string[], { userId }: Actor) => ({
  recoveryCodesLeft: owners.length,
  ownRecoveryCodesLeft: owners.filter((owner) => owner === userId).length,
});

const notConfigured: Reason = {
  code: 'configuration_missing',
  message: 'SSO is not configured.',
  remedy: 'Register Atrium at the directory with the redirect URI, then enter the app details here.',
};

const ownerNotApproved: Reason = {
  code: 'owner_not_approved',
  message:
    'No owner has approved this identity provider, so owners can’t sign in through it and no mapping makes anyone ' +
    'an owner.',
  remedy: 'Have an owner sign in again and save the configuration within ten minutes.',
};
