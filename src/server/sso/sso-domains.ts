import type { SsoDomain } from '#contract/sso-domains.ts';
import type { Actor } from '../base/actor.ts';
import { domainName } from '../base/email-address.ts';
import { notFound } from '../base/errors.ts';
import { requireRole } from '../organizations/members.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { domainRecord } from './domain-record.ts';
import { isPublicMailDomain } from './public-mail.ts';
import { findSsoConfiguration } from './sso-configuration-store.ts';
import {
  deleteProvenDomain,
  findProvenDomain,
  selectProvenDomains,
  type ProvenDomain,
} from './sso-domain-store.ts';

/** Lists the domains of the stored configuration, each with its proof or how to prove it. Owner or admin. */
export async function listSsoDomains(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<SsoDomain[]> {
  await requireRole(reader, actor, organizationId, 'admin');
  const configuration = await findSsoConfiguration(reader, organizationId);
  if (configuration === undefined) throw notFound();
  return describeDomains(reader, organizationId, configuration.emailDomains);
}

/** Returns each domain of a configuration with what is known of it. */
export async function describeDomains(
  reader: Reader,
  organizationId: string,
  domains: readonly string[],
): Promise<SsoDomain[]> {
  const proven = new Map((await selectProvenDomains(reader, organizationId)).map((row) => [row.domain, row]));
  return domains.map((domain) => describeDomain(organizationId, domain, proven.get(domain)));
}

/** Returns those of a configuration's domains that the organization has proven. */
export async function findProvenDomains(
  reader: Reader,
  organizationId: string,
  domains: readonly string[],
): Promise<string[]> {
  const described = await describeDomains(reader, organizationId, domains);
  return described.filter(({ state }) => state === 'proven').map(({ domain }) => domain);
}

/** Returns a domain with its proof, or how to prove it. */
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
    reason: `The TXT record is missing since ${missingSince}; the proof ends three days later.`,
  };
  return { domain, state: 'proven', record, provenBy, provenAt, checkedAt, ...missing };
}

/** Returns why a domain can never be proven, or undefined. */
export function unusableBecause(domain: string): string | undefined {
  if (domainName(domain) !== domain || !domain.includes('.')) return 'This is no domain name.';
  if (isPublicMailDomain(domain)) return 'This is a public mail provider: its addresses belong to anybody.';
  return undefined;
}

/**
 * Returns the organization that a domain routes to and is admitted by: the one that has proven it, as long as its
 * configuration names it.
 */
export async function findRoutedOrganization(reader: Reader, domain: string): Promise<string | undefined> {
  const proven = await findProvenDomain(reader, domain);
  return proven?.organizationId;
}

/** Gives up the proofs of an organization's domains that are not among `kept`: another may prove them now. */
export async function releaseDomains(
  transaction: Transaction,
  organizationId: string,
  kept: readonly string[],
): Promise<void> {
  for (const { domain } of await selectProvenDomains(transaction, organizationId)) {
    if (!kept.includes(domain)) await deleteProvenDomain(transaction, domain);
  }
}
