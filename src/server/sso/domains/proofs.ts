import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { SsoDomain } from '#contract/sso/domains.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { domainName } from '../../base/email-address.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { recordAudit } from '../../audit/audit.ts';
import {
  lockOrganization,
  requirePermission,
  requirePermissionToChange,
} from '../../organizations/authorization.ts';
import { consume } from '../../base/rate-limit.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { domainRecord, type ResolveTxt } from './record.ts';
import { findSsoConfiguration } from '../configuration/store.ts';
import {
  findProvenDomain,
  insertProvenDomain,
  selectProvenDomains,
  updateDomainCheck,
  updateDomainProof,
  type ProvenDomain,
} from './store.ts';
import { describeDomain, unusableBecause } from './domains.ts';

/** What asking DNS for the proof of a domain takes. */
export interface VerificationNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly resolveTxt: ResolveTxt;
  readonly limitVerifications: LimitVerifications;
}

/** Counts the questions that an organization has DNS asked. Throws `too_many_attempts`. */
export type LimitVerifications = (organizationId: string) => Promise<void>;

/** Thirty in a minute: more than people click, and few enough that nobody uses us to flood a DNS server. In this process. */
export function createVerificationLimit(): LimitVerifications {
  const limiter = new RateLimiterMemory({ points: 30, duration: 60 });
  return (organizationId) => consume(limiter, organizationId);
}

/**
 * Asks DNS for the record of a domain, and proves the domain. Owner or admin. Throws `domain_not_proven` with what DNS
 * answers, `domain_taken`, and `too_many_attempts`.
 */
export async function verifySsoDomain(
  { database, clock, resolveTxt, limitVerifications }: VerificationNeeds,
  actor: Actor,
  organizationId: string,
  domainText: string,
): Promise<SsoDomain> {
  await requirePermission(database, actor, organizationId, 'sso.manage');
  const domain = await findNamedDomain(database, organizationId, domainText);
  if (domain === undefined) throw notFound();
  requireUsable(domain);
  await limitVerifications(organizationId);
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
  return database.write(async (transaction) => {
    // DNS took its time: who asked may have lost the role, and the configuration the domain.
    await requirePermissionToChange(transaction, actor, organizationId, 'sso.manage');
    if ((await findNamedDomain(transaction, organizationId, domain)) === undefined) throw notFound();
    return proveDomain(transaction, clock, { organizationId, domain, provenBy: 'dns', actor });
  });
}

/**
 * Proves a domain on the word of the server's operator, which outlives what DNS says. Throws `domain_taken`,
 * `domain_not_proven` for what can never be proven, and `not_found` for what no configuration of the organization names.
 */
export function vouchForDomain(
  database: Database,
  clock: Clock,
  { organizationId, domain: domainText }: { organizationId: string; domain: string },
): Promise<SsoDomain> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const domain = await findNamedDomain(transaction, organizationId, domainText);
    if (domain === undefined) {
      // The operator may know all: other words than for who must not learn what there is.
      throw new AtriumError(
        'not_found',
        'There is no configuration of this organization that names this domain.',
      );
    }
    requireUsable(domain);
    return proveDomain(transaction, clock, { organizationId, domain, provenBy: 'operator' });
  });
}

/** Writes a proof down, under the lock of the organization, for a domain that its configuration names. */
async function proveDomain(
  transaction: Transaction,
  clock: Clock,
  input: { organizationId: string; domain: string; provenBy: ProvenDomain['provenBy']; actor?: Actor },
): Promise<SsoDomain> {
  const { organizationId, domain, provenBy, actor } = input;
  const at = timestamp(clock());
  const inserted = await insertProvenDomain(transaction, { domain, organizationId, provenBy, at });
  const proven = await findProvenDomain(transaction, domain);
  if (proven?.organizationId !== organizationId) {
    throw new AtriumError('domain_taken', 'Another organization of this server has proven this domain.');
  }
  if (inserted) await requireRoomForProof(transaction, organizationId);
  else await updateDomainCheck(transaction, { domain, checkedAt: at, missingSince: null });
  // The operator's word outlives the record; DNS takes nothing back of it.
  const isRaised = provenBy === 'operator' && proven.provenBy === 'dns';
  if (isRaised) await updateDomainProof(transaction, { domain, provenBy });
  if (inserted || isRaised) {
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.domain.proven',
      details: { domain, provenBy, ...(isRaised && { before: proven.provenBy }) },
      ...(actor !== undefined && { actor }),
    });
  }
  return describeDomain(organizationId, domain, await findProvenDomain(transaction, domain));
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

/** Returns a domain in its one form when the organization's configuration names it, or undefined. */
async function findNamedDomain(
  reader: Reader,
  organizationId: string,
  text: string,
): Promise<string | undefined> {
  const domain = domainName(text);
  if (domain === undefined) return undefined;
  const configuration = await findSsoConfiguration(reader, organizationId);
  return configuration?.emailDomains.includes(domain) === true ? domain : undefined;
}

function requireUsable(domain: string): void {
  const reason = unusableBecause(domain);
  if (reason !== undefined) throw new AtriumError('domain_not_proven', `${reason} It can never be proven.`);
}
