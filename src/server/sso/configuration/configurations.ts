import { setImmediate } from 'node:timers/promises';
import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';
import { may } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { hasConfirmed } from '../../base/confirmation.ts';
import { notFound } from '../../base/errors.ts';
import { domainName } from '../../base/email-address.ts';
import { nextSealed, type SecretBox } from '../../base/secret-box.ts';
import { recordAudit } from '../../audit/audit.ts';
import { endGroupsOfOrganization } from '../../organizations/groups.ts';
import { requirePermission, requirePermissionToChange } from '../../organizations/authorization.ts';
import { endSessionsOfOrganization } from '../../sessions/sessions.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { secretPurpose } from './client-secrets.ts';
import { firstConfigurationId } from './id.ts';
import { endMigration } from '../migration/store.ts';
import { deleteAttemptsOfOrganization } from '../sign-in/attempt-store.ts';
import { deleteOutcomes } from '../sign-in/outcome-store.ts';
import { getStoredSsoPolicy } from './policy-store.ts';
import { releaseDomains } from '../domains/domains.ts';
import { findReasonsNobodyCanSignIn, liftSsoRequirement } from './requirement.ts';
import { findFormerConfiguration, storeFormerConfiguration } from './former-store.ts';
import {
  deleteSsoConfigurationRow,
  findSsoConfiguration,
  upsertSsoConfiguration,
  type StoredSsoConfiguration,
} from './store.ts';

/** Dependencies of changing a configuration. */
export interface SsoConfigurationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The start of discovery URLs that are derived from the tenant. */
  readonly entraAuthority: string;
}

/**
 * Creates or replaces an organization's configuration. Owner or admin. Values that can't be used for signing in are
 * stored too. If claims are mapped to the role owner, a different directory makes owners only after an owner with a
 * recent confirmation of identity has saved it: the people who run that directory could become owners.
 */
export async function createOrUpdateSsoConfiguration(
  { database, clock, secretBox, entraAuthority }: SsoConfigurationDependencies,
  actor: Actor,
  organizationId: string,
  input: SsoConfigurationInput,
): Promise<SsoConfiguration> {
  const discoveryUrl = input.discoveryUrl ?? derivedDiscoveryUrl(entraAuthority, input.tenantId);
  const emailDomains = await normalizeDomains(input.emailDomains);
  return database.write(async (transaction) => {
    const actorRole = await requirePermissionToChange(transaction, actor, organizationId, 'sso.manage');
    const previous = await findSsoConfiguration(transaction, organizationId);
    const former = previous ?? (await findFormerConfiguration(transaction, organizationId));
    const now = timestamp(clock());
    const replaced = {
      organizationId,
      id: former?.id ?? firstConfigurationId(organizationId),
      provider: input.provider,
      clientId: input.clientId,
      tenantId: input.tenantId,
      discoveryUrl,
      isDiscoveryUrlDerived: input.discoveryUrl === undefined,
      emailDomains,
      enabled: input.enabled,
      version: (former?.version ?? 0) + 1,
      createdAt: former?.createdAt ?? now,
      updatedAt: now,
    };
    const isMoved = previous !== undefined && !isSameRelyingParty(previous, replaced);
    const kept = isMoved ? undefined : previous?.clientSecret;
    const clientSecret = nextSealed(secretBox, organizationId, secretPurpose, {
      sent: input.clientSecret,
      kept,
    });
    const wasApproved = !isMoved && previous?.ownerApproved === true;
    const ownerApproved =
      wasApproved ||
      (may(actorRole, 'owner.manage') &&
        (hasConfirmed(actor, clock) || !(await makesOwners(transaction, organizationId))));
    const stored = { ...replaced, clientSecret, ownerApproved };
    await upsertSsoConfiguration(transaction, stored);
    const configuration = toSsoConfiguration(stored);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.configuration.saved',
      actor,
      details: { ...configuration, secretChanged: clientSecret !== previous?.clientSecret },
    });
    await releaseDomains(transaction, clock, { organizationId, kept: stored.emailDomains, actor });
    await deleteAttemptsOfOrganization(transaction, organizationId);
    if (isMoved) await endMigration(transaction, organizationId);
    if (isMoved || !stored.enabled) await endSignIns(transaction, organizationId);
    const because = await findReasonsToLift(transaction, stored, isMoved);
    await liftSsoRequirement(transaction, clock, { organizationId, because, actor });
    return configuration;
  });
}

/** Whether the role mappings can make people owners. */
async function makesOwners(reader: Reader, organizationId: string): Promise<boolean> {
  const { roleMappings } = await getStoredSsoPolicy(reader, organizationId);
  return roleMappings.some(({ role }) => role === 'owner');
}

async function findReasonsToLift(
  reader: Reader,
  stored: StoredSsoConfiguration,
  isMoved: boolean,
): Promise<string[]> {
  if (!stored.enabled) return ['configuration_disabled'];
  // Nobody has signed in through it yet, so nobody knows that it works.
  if (isMoved) return ['configuration_moved'];
  return (await findReasonsNobodyCanSignIn(reader, stored)).map(({ code }) => code);
}

/** Returns an organization's configuration. Owner or admin. Throws `not_found` if there is none. */
export async function getSsoConfiguration(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<SsoConfiguration> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const stored = await findSsoConfiguration(reader, organizationId);
  if (stored === undefined) throw notFound();
  return toSsoConfiguration(stored);
}

/**
 * Deletes an organization's configuration, and ends the sessions obtained through it. Owner or admin. Throws
 * `not_found` if there is none. The next configuration gets the same `id` and `createdAt`.
 */
export async function deleteSsoConfiguration(
  { database, clock }: Pick<SsoConfigurationDependencies, 'database' | 'clock'>,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  await database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'sso.manage');
    const stored = await findSsoConfiguration(transaction, organizationId);
    if (stored === undefined) throw notFound();
    await deleteSsoConfigurationRow(transaction, organizationId);
    await storeFormerConfiguration(transaction, stored);
    await endMigration(transaction, organizationId);
    await recordAudit(transaction, clock, { organizationId, action: 'sso.configuration.deleted', actor });
    await releaseDomains(transaction, clock, { organizationId, kept: [], actor });
    await deleteAttemptsOfOrganization(transaction, organizationId);
    await endSignIns(transaction, organizationId);
    const because = ['configuration_deleted'];
    await liftSsoRequirement(transaction, clock, { organizationId, because, actor });
  });
}

/** Ends the sessions and groups obtained through a configuration that was turned off, pointed elsewhere or deleted. */
async function endSignIns(transaction: Transaction, organizationId: string): Promise<void> {
  await endSessionsOfOrganization(transaction, organizationId);
  await deleteOutcomes(transaction, organizationId);
  await endGroupsOfOrganization(transaction, organizationId);
}

/** The URL of the discovery document (OpenID Connect Discovery 1.0, section 4) of a tenant of Microsoft Entra ID. */
function derivedDiscoveryUrl(authority: string, tenantId = 'organizations'): string {
  return `${authority}/${encodeURIComponent(tenantId)}/v2.0/.well-known/openid-configuration`;
}

/**
 * Whether two configurations name the same client at the same identity provider. Only then is a stored secret
 * preserved: it must never be sent to a different URL.
 */
function isSameRelyingParty(
  one: Pick<StoredSsoConfiguration, 'provider' | 'clientId' | 'tenantId' | 'discoveryUrl'>,
  other: Pick<StoredSsoConfiguration, 'provider' | 'clientId' | 'tenantId' | 'discoveryUrl'>,
): boolean {
  return (
    one.provider === other.provider &&
    one.clientId === other.clientId &&
    one.tenantId === other.tenantId &&
    one.discoveryUrl === other.discoveryUrl
  );
}

/** How many domains are normalized before other requests get a turn: it takes two milliseconds. */
const domainsPerTurn = 1_000;

/** Returns the domains trimmed, in lower case, in ASCII if they are domain names, and without duplicates. */
async function normalizeDomains(domains: readonly string[]): Promise<string[]> {
  const normalized = new Set<string>();
  for (const [index, domain] of domains.entries()) {
    if (index % domainsPerTurn === domainsPerTurn - 1) await setImmediate();
    // An element of only white space stays as entered: an empty one could not be saved again.
    normalized.add(domainName(domain) ?? (domain.trim().toLowerCase() || domain));
  }
  return [...normalized];
}

function toSsoConfiguration(stored: StoredSsoConfiguration): SsoConfiguration {
  return {
    id: stored.id,
    organizationId: stored.organizationId,
    provider: 'idp_ad',
    clientId: stored.clientId,
    ...(stored.tenantId !== undefined && { tenantId: stored.tenantId }),
    discoveryUrl: stored.discoveryUrl,
    emailDomains: stored.emailDomains,
    enabled: stored.enabled,
    hasSecret: stored.clientSecret !== undefined,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}
