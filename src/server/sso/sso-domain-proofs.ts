import type { SsoDomain } from '#contract/sso-domains.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { domainName } from '../base/email-address.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockOrganization, requireRole } from '../organizations/members.ts';
import type { Database, Reader } from '../storage/database.ts';
import { domainRecord, type ResolveTxt } from './domain-record.ts';
import { findSsoConfiguration } from './sso-configuration-store.ts';
import {
  findProvenDomain,
  insertProvenDomain,
  selectProvenDomains,
  updateDomainCheck,
  updateDomainProof,
} from './sso-domain-store.ts';
import { describeDomain, unusableBecause } from './sso-domains.ts';

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
      await requireRoomForProof(transaction, organizationId);
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

/** Each proof is a question to DNS a day; no tenant of Entra has more than 5,000 domains, and few have ten. */
const mostProofs = 1_000;

async function requireRoomForProof(reader: Reader, organizationId: string): Promise<void> {
  if ((await selectProvenDomains(reader, organizationId)).length > mostProofs) {
    throw new AtriumError(
      'domain_not_proven',
      `An organization proves ${mostProofs} domains at most. Take one off the configuration first.`,
    );
  }
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
