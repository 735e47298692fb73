import type { SsoDomain } from '#contract/sso-domains.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { domainName } from '../base/email-address.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockOrganization, requireRole } from '../organizations/members.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { domainRecord, type ResolveTxt } from './domain-record.ts';
import { isPublicMailDomain } from './public-mail.ts';
import { findSsoConfiguration } from './sso-configuration-store.ts';
import {
  deleteProvenDomain,
  findProvenDomain,
  insertProvenDomain,
  selectDueDomains,
  selectProvenDomains,
  updateDomainCheck,
  updateDomainProof,
  type ProvenDomain,
} from './sso-domain-store.ts';

/** How long a record may be missing before the proof ends: DNS is moved, and mistakes are made, over a weekend. */
const graceMs = daysMs(3);
const checkEveryMs = daysMs(1);

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

function describeDomain(organizationId: string, domain: string, proven: ProvenDomain | undefined): SsoDomain {
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
function unusableBecause(domain: string): string | undefined {
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

/** Asks DNS for the record of a domain, and proves the domain. Throws `domain_not_proven`, `domain_taken`. */
export async function verifySsoDomain(
  { database, clock, resolveTxt }: { database: Database; clock: Clock; resolveTxt: ResolveTxt },
  actor: Actor,
  organizationId: string,
  domainText: string,
): Promise<SsoDomain> {
  const domain = await requireConfiguredDomain(database, actor, organizationId, domainText);
  const record = domainRecord(organizationId, domain);
  const answer = await resolveTxt(record.name);
  if ('failure' in answer) {
    throw new AtriumError('domain_not_proven', `${answer.failure} for ${record.name}. Try again.`);
  }
  if (!answer.records.includes(record.value)) {
    const found =
      answer.records.length === 0
        ? 'no TXT record'
        : answer.records.map((text) => `"${text.slice(0, 200)}"`).join(', ');
    throw new AtriumError(
      'domain_not_proven',
      `DNS answers for ${record.name}: ${found}. Wanted: "${record.value}".`,
    );
  }
  return proveDomain(database, clock, { organizationId, domain, provenBy: 'dns', actor });
}

/** Proves a domain on the word of the server's operator. Throws `domain_taken`, and `not_found` for an unknown one. */
export async function vouchForDomain(
  database: Database,
  clock: Clock,
  input: { organizationId: string; domain: string },
): Promise<SsoDomain> {
  const configuration = await findSsoConfiguration(database, input.organizationId);
  const domain = domainName(input.domain);
  if (domain === undefined || !configuration?.emailDomains.includes(domain)) {
    // The operator may know all: other words than for who must not learn what there is.
    throw new AtriumError(
      'not_found',
      'There is no configuration of this organization that names this domain.',
    );
  }
  requireUsable(domain);
  return proveDomain(database, clock, { organizationId: input.organizationId, domain, provenBy: 'operator' });
}

async function proveDomain(
  database: Database,
  clock: Clock,
  input: { organizationId: string; domain: string; provenBy: 'dns' | 'operator'; actor?: Actor },
): Promise<SsoDomain> {
  const { organizationId, domain, provenBy, actor } = input;
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const at = timestamp(clock());
    const inserted = await insertProvenDomain(transaction, { domain, organizationId, provenBy, at });
    const proven = await findProvenDomain(transaction, domain);
    if (proven?.organizationId !== organizationId) {
      throw new AtriumError('domain_taken', 'Another organization of this server has proven this domain.');
    }
    if (inserted) {
      const record = { organizationId, action: 'sso.domain.proven', details: { domain, provenBy } } as const;
      await recordAudit(transaction, clock, actor === undefined ? record : { ...record, actor });
    } else {
      await updateDomainCheck(transaction, { domain, checkedAt: at, missingSince: null });
      // The operator's word outlives the record; DNS takes nothing back of it.
      if (provenBy === 'operator') await updateDomainProof(transaction, { domain, provenBy });
    }
    return describeDomain(organizationId, domain, await findProvenDomain(transaction, domain));
  });
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

/** Asks DNS again for every domain not asked for since a day; a record missing for three days ends the proof. */
export async function recheckDomains(
  database: Database,
  clock: Clock,
  resolveTxt: ResolveTxt,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const domains: ProvenDomain[] = await selectDueDomains(
      database,
      timestamp(clock() - checkEveryMs),
      after,
    );
    for (const proven of domains) await recheckDomain(database, clock, resolveTxt, proven);
    after = domains.at(-1)?.domain;
  }
}

async function recheckDomain(
  database: Database,
  clock: Clock,
  resolveTxt: ResolveTxt,
  proven: ProvenDomain,
): Promise<void> {
  const { domain, organizationId } = proven;
  const record = domainRecord(organizationId, domain);
  const answer = await resolveTxt(record.name);
  // A server that does not answer says nothing about the record.
  if ('failure' in answer) return;
  const now = timestamp(clock());
  const isThere = answer.records.includes(record.value);
  const missingSince = isThere ? null : (proven.missingSince ?? now);
  await database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    // Given up, proven by another or verified meanwhile: what DNS said before counts no longer.
    const current = await findProvenDomain(transaction, domain);
    if (current?.organizationId !== organizationId || current.checkedAt !== proven.checkedAt) return;
    if (missingSince !== null && missingSince <= timestamp(clock() - graceMs)) {
      await deleteProvenDomain(transaction, domain);
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'sso.domain.lost',
        details: { domain },
      });
    } else {
      await updateDomainCheck(transaction, { domain, checkedAt: now, missingSince });
    }
  });
}

async function requireConfiguredDomain(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  text: string,
): Promise<string> {
  await requireRole(reader, actor, organizationId, 'admin');
  const configuration = await findSsoConfiguration(reader, organizationId);
  const domain = domainName(text);
  if (domain === undefined || !configuration?.emailDomains.includes(domain)) throw notFound();
  requireUsable(domain);
  return domain;
}

function requireUsable(domain: string): void {
  const reason = unusableBecause(domain);
  if (reason !== undefined) throw new AtriumError('domain_not_proven', `${reason} It can never be proven.`);
}
