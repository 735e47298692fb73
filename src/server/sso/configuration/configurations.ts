import { setImmediate } from 'node:timers/promises';
import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { domainName } from '../../base/texts/email-address.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { requirePermissionToChangeSso } from '../permission.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { firstConfigurationId } from './id.ts';
import { findFormerConfiguration, storeFormerConfiguration } from './former-store.ts';
import { describeConfiguration, removeConfiguration, saveConfiguration } from './saving.ts';
import { findFirstConfiguration, getConfiguration, type StoredSsoConfiguration } from './store.ts';
import { derivedDiscoveryUrl } from '../protocol/entra.ts';

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
    const actorRole = await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const previous = await findFirstConfiguration(transaction, organizationId);
    const former = previous ?? (await findFormerConfiguration(transaction, organizationId));
    const now = timestamp(clock());
    const stored = await saveConfiguration(transaction, { clock, secretBox }, actor, {
      actorRole,
      previous,
      sentSecret: input.clientSecret,
      next: {
        organizationId,
        id: former?.id ?? firstConfigurationId(organizationId),
        isFirst: true,
        name: '',
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
      },
    });
    return toSsoConfiguration(stored);
  });
}

/** Returns an organization's configuration. Owner or admin. Throws `not_found` if there is none. */
export async function getSsoConfiguration(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<SsoConfiguration> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  return toSsoConfiguration(await getConfiguration(reader, organizationId));
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
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const stored = await getConfiguration(transaction, organizationId);
    await storeFormerConfiguration(transaction, stored);
    await removeConfiguration(transaction, clock, actor, stored);
  });
}

/** How many domains are normalized before other requests get a turn: it takes two milliseconds. */
const domainsPerTurn = 1_000;

/** Returns the domains trimmed, in lower case, in ASCII if they are domain names, and without duplicates. */
export async function normalizeDomains(domains: readonly string[]): Promise<string[]> {
  const normalized = new Set<string>();
  for (const [index, domain] of domains.entries()) {
    if (index % domainsPerTurn === domainsPerTurn - 1) await setImmediate();
    // An element of only white space stays as entered: an empty one could not be saved again.
    normalized.add(domainName(domain) ?? (domain.trim().toLowerCase() || domain));
  }
  return [...normalized];
}

const toSsoConfiguration = (stored: StoredSsoConfiguration): SsoConfiguration => ({
  ...describeConfiguration(stored),
  provider: 'idp_ad',
});
