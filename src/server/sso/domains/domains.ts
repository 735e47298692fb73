import type { SsoDomain } from '#contract/sso/domains.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { domainName } from '../../base/texts/email-address.ts';
import { cursorOf, type Page, type PageRequest } from '../../base/paging.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { domainRecord } from './record.ts';
import { isPublicMailDomain } from './public-mail.ts';
import {
  getConfiguration,
  type ConfigurationKey,
  type StoredSsoConfiguration,
} from '../configuration/store.ts';
import {
  deleteProvenDomain,
  findProvenDomain,
  selectDomainsOf,
  selectProvenDomains,
  type ProvenDomain,
} from './store.ts';

/** The cursor of a page of domains: how many precede it, since a domain can be a text of any length. */
export const domainPosition = /^[0-9]{1,7}$/;

/**
 * Lists the domains of a configuration, by default the first one, in its order, each with its state or how to verify it. Owner or
 * admin. Throws `not_found`.
 */
export async function listSsoDomains(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  { limit, after }: PageRequest,
  configurationId?: string,
): Promise<Page<SsoDomain>> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const configuration = await getConfiguration(reader, organizationId, configurationId);
  const { emailDomains } = configuration;
  const from = Number(after ?? 0);
  const next = from + limit;
  return {
    items: await describeDomains(reader, configuration, emailDomains.slice(from, next)),
    ...(next < emailDomains.length && { nextCursor: cursorOf(String(next)) }),
  };
}

/** Returns the state of each of these domains of a configuration. Call it with a page of them: each one costs a hash. */
export async function describeDomains(
  reader: Reader,
  configuration: ConfigurationKey,
  domains: readonly string[],
): Promise<SsoDomain[]> {
  const rows = await selectProvenDomains(reader, configuration.organizationId);
  const proven = new Map(rows.map((row) => [row.domain, row]));
  return domains.map((domain) => describeDomain(configuration, domain, proven.get(domain)));
}

/**
 * Returns those of a configuration's domains that are verified for it, whose people can sign in. It reads only the verified
 * ones, which are few, however many domains the configuration names.
 */
export async function findProvenDomains(
  reader: Reader,
  configuration: Pick<StoredSsoConfiguration, keyof ConfigurationKey | 'emailDomains'>,
): Promise<string[]> {
  const proven = await selectDomainsOf(reader, configuration);
  if (proven.length === 0) return [];
  const named = new Set(configuration.emailDomains);
  return proven
    .map(({ domain }) => domain)
    .filter((domain) => named.has(domain) && unusableBecause(domain) === undefined);
}

/** Returns up to 100 verified domains of a configuration whose TXT record is missing now. */
export async function findDomainsWithMissingRecord(
  reader: Reader,
  configuration: ConfigurationKey,
): Promise<SsoDomain[]> {
  const proven = await selectDomainsOf(reader, configuration);
  return proven
    .filter(({ missingSince }) => missingSince !== null)
    .slice(0, 100)
    .map((row) => describeDomain(configuration, row.domain, row));
}

/** Returns the state of a domain of a configuration and the record that verifies it. */
export function describeDomain(
  { organizationId, id }: ConfigurationKey,
  domain: string,
  proven: ProvenDomain | undefined,
): SsoDomain {
  const reason = unusableBecause(domain);
  if (reason !== undefined) return { domain, state: 'unusable', reason };
  const record = domainRecord(organizationId, domain);
  if (proven?.organizationId !== organizationId) return { domain, state: 'unproven', record };
  if (proven.configurationId !== id) return { domain, state: 'unproven', reason: ofOtherDirectory, record };
  const { provenBy, provenAt, checkedAt, missingSince } = proven;
  const missing = missingSince !== null && {
    reason: `The TXT record has been missing since ${missingSince}. Three days later, the domain is no longer verified.`,
  };
  return { domain, state: 'proven', record, provenBy, provenAt, checkedAt, ...missing };
}

/** Why a domain can't be verified for a configuration as long as another one of its organization has it. */
export const ofOtherDirectory = 'Another directory of this organization uses this domain.';

/** Returns why a domain can never be verified, or undefined. */
export function unusableBecause(domain: string): string | undefined {
  if (domainName(domain) !== domain || !domain.includes('.')) return 'This is not a valid domain name.';
  if (isPublicMailDomain(domain)) return 'This is a public email provider, where anyone can get an address.';
  return undefined;
}

/**
 * Returns the id of the configuration that a domain is verified for. The caller checks whether it still names the domain and can
 * be used.
 */
export async function findRoutedConfiguration(reader: Reader, domain: string): Promise<string | undefined> {
  const proven = await findProvenDomain(reader, domain);
  return proven?.configurationId;
}

/**
 * Releases a configuration's verified domains that are not among `kept`, so that another one or another organization can verify
 * them.
 */
export async function releaseDomains(
  transaction: Transaction,
  clock: Clock,
  { configuration, kept, actor }: { configuration: ConfigurationKey; kept: readonly string[]; actor: Actor },
): Promise<void> {
  const keptDomains = new Set(kept);
  const { organizationId } = configuration;
  for (const { domain, provenBy } of await selectDomainsOf(transaction, configuration)) {
    if (keptDomains.has(domain)) continue;
    await deleteProvenDomain(transaction, domain);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.domain.released',
      actor,
      details: { domain, provenBy },
    });
  }
}
