import type { SsoDomain } from '#contract/sso/domains.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { domainName } from '../../base/email-address.ts';
import { notFound } from '../../base/errors.ts';
import { cursorOf, type Page, type PageRequest } from '../../base/paging.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { domainRecord } from './record.ts';
import { isPublicMailDomain } from './public-mail.ts';
import { findSsoConfiguration } from '../configuration/store.ts';
import { deleteProvenDomain, findProvenDomain, selectProvenDomains, type ProvenDomain } from './store.ts';

/** The cursor of a page of domains: how many precede it, since a domain can be a text of any length. */
export const domainPosition = /^[0-9]{1,7}$/;

/**
 * Lists the domains of the stored configuration in its order, each with its state or how to verify it. Owner or admin.
 * Throws `not_found` if there is no configuration.
 */
export async function listSsoDomains(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  { limit, after }: PageRequest,
): Promise<Page<SsoDomain>> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const configuration = await findSsoConfiguration(reader, organizationId);
  if (configuration === undefined) throw notFound();
  const { emailDomains } = configuration;
  const from = Number(after ?? 0);
  const next = from + limit;
  return {
    items: await describeDomains(reader, organizationId, emailDomains.slice(from, next)),
    ...(next < emailDomains.length && { nextCursor: cursorOf(String(next)) }),
  };
}

/** Returns the state of each of these domains. Call it with a page of them: each one costs a hash. */
export async function describeDomains(
  reader: Reader,
  organizationId: string,
  domains: readonly string[],
): Promise<SsoDomain[]> {
  const proven = new Map((await selectProvenDomains(reader, organizationId)).map((row) => [row.domain, row]));
  return domains.map((domain) => describeDomain(organizationId, domain, proven.get(domain)));
}

/**
 * Returns those of a configuration's domains that the organization has verified, whose people can sign in. It reads
 * only the verified ones, which are few, however many domains the configuration names.
 */
export async function findProvenDomains(
  reader: Reader,
  organizationId: string,
  domains: readonly string[],
): Promise<string[]> {
  const proven = await selectProvenDomains(reader, organizationId);
  if (proven.length === 0) return [];
  const named = new Set(domains);
  return proven
    .map(({ domain }) => domain)
    .filter((domain) => named.has(domain) && unusableBecause(domain) === undefined);
}

/** Returns up to 100 verified domains whose TXT record is missing now. */
export async function findDomainsWithMissingRecord(
  reader: Reader,
  organizationId: string,
): Promise<SsoDomain[]> {
  const proven = await selectProvenDomains(reader, organizationId);
  return proven
    .filter(({ missingSince }) => missingSince !== null)
    .slice(0, 100)
    .map((row) => describeDomain(organizationId, row.domain, row));
}

/** Returns the state of a domain and the record that verifies it. */
export function describeDomain(
  organizationId: string,
  domain: string,
  proven: ProvenDomain | undefined,
): SsoDomain {
  const reason = unusableBecause(domain);
  if (reason !== undefined) return { domain, state: 'unusable', reason };
  const record = domainRecord(organizationId, domain);
  if (proven === undefined) return { domain, state: 'unproven', record };
  const { provenBy, provenAt, checkedAt, missingSince } = proven;
  const missing = missingSince !== null && {
    reason: `The TXT record has been missing since ${missingSince}. Three days later, the domain is no longer verified.`,
  };
  return { domain, state: 'proven', record, provenBy, provenAt, checkedAt, ...missing };
}

/** Returns why a domain can never be verified, or undefined. */
export function unusableBecause(domain: string): string | undefined {
  if (domainName(domain) !== domain || !domain.includes('.')) return 'This is not a valid domain name.';
  if (isPublicMailDomain(domain)) return 'This is a public email provider, where anyone can get an address.';
  return undefined;
}

/**
 * Returns the organization that has verified a domain. The caller checks whether its configuration still names the
 * domain and can be used.
 */
export async function findRoutedOrganization(reader: Reader, domain: string): Promise<string | undefined> {
  const proven = await findProvenDomain(reader, domain);
  return proven?.organizationId;
}

/**
 * Releases an organization's verified domains that are not among `kept`, so that another organization can verify them.
 */
export async function releaseDomains(
  transaction: Transaction,
  clock: Clock,
  { organizationId, kept, actor }: { organizationId: string; kept: readonly string[]; actor: Actor },
): Promise<void> {
  const keptDomains = new Set(kept);
  for (const { domain, provenBy } of await selectProvenDomains(transaction, organizationId)) {
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
