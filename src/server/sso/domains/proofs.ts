import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { SsoDomain } from '#contract/sso/domains.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { domainName } from '../../base/texts/email-address.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { recordAudit } from '../../audit/audit.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { requireMayChangeSso, requirePermissionToChangeSso } from '../permission.ts';
import { consume } from '../../base/rate-limit.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { domainRecord, type ResolveTxt } from './record.ts';
import { getConfiguration, selectConfigurations, type ConfigurationKey } from '../configuration/store.ts';
import {
  findProvenDomain,
  insertProvenDomain,
  selectProvenDomains,
  updateDomainCheck,
  updateDomainProof,
  type ProvenDomain,
} from './store.ts';
import { describeDomain, ofOtherDirectory, unusableBecause } from './domains.ts';

/** Dependencies of verifying a domain. */
export interface VerificationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly resolveTxt: ResolveTxt;
  readonly limitVerifications: LimitVerifications;
}

/** Counts an organization's verifications, each of which is a DNS query. Throws `too_many_attempts`. */
export type LimitVerifications = (organizationId: string) => Promise<void>;

/** Returns a limit of 30 per minute in this process: more than people click, and too few to flood a DNS server. */
export function createVerificationLimit(): LimitVerifications {
  const limiter = new RateLimiterMemory({ points: 30, duration: 60 });
  return (organizationId) => consume(limiter, organizationId);
}

/**
 * Verifies a domain of a configuration, by default the first one, by its DNS record. Owner or admin. Throws `domain_not_proven` with what DNS returned,
 * `domain_taken` and `too_many_attempts`.
 */
export async function verifySsoDomain(
  { database, clock, resolveTxt, limitVerifications }: VerificationDependencies,
  actor: Actor,
  organizationId: string,
  domainText: string,
  configurationId?: string,
): Promise<SsoDomain> {
  await requireMayChangeSso(database, clock, actor, organizationId);
  const { domain } = await getNamed(database, organizationId, configurationId, domainText);
  requireUsable(domain);
  await limitVerifications(organizationId);
  const record = domainRecord(organizationId, domain);
  const result = await resolveTxt(record.name);
  if ('failure' in result) {
    throw new AtriumError('domain_not_proven', `${result.failure} for ${record.name}. Try again.`);
  }
  if (!result.records.includes(record.value)) {
    const found =
      result.records.length === 0
        ? 'no TXT record'
        : result.records.map((text) => `"${text.slice(0, 200)}"`).join(', ');
    throw new AtriumError(
      'domain_not_proven',
      `DNS returned for ${record.name}: ${found}. Expected: "${record.value}".`,
    );
  }
  return database.write(async (transaction) => {
    // During the DNS query, the actor may have lost the role, or the configuration the domain.
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const { configuration } = await getNamed(transaction, organizationId, configurationId, domain);
    return proveDomain(transaction, clock, { configuration, domain, provenBy: 'dns', actor });
  });
}

/**
 * Verifies a domain for the server's operator, regardless of DNS. Throws `domain_taken`, `domain_not_proven` for a
 * domain that can never be verified, and `not_found` if no configuration of the organization names it. If several do, it becomes a
 * domain of the first of them.
 */
export function verifyDomainAsOperator(
  database: Database,
  clock: Clock,
  { organizationId, domain: domainText }: { organizationId: string; domain: string },
): Promise<SsoDomain> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const domain = domainName(domainText) ?? '';
    const named = (await selectConfigurations(transaction, organizationId)).filter(({ emailDomains }) =>
      emailDomains.includes(domain),
    );
    const proven = await findProvenDomain(transaction, domain);
    const configuration = named.find(({ id }) => id === proven?.configurationId) ?? named[0];
    if (configuration === undefined) {
      // Operators may learn what exists, so the message is more specific than for members.
      throw new AtriumError('not_found', 'The configuration of this organization does not name this domain.');
    }
    requireUsable(domain);
    return proveDomain(transaction, clock, { configuration, domain, provenBy: 'operator' });
  });
}

/** Stores that a domain is verified, under the lock of the organization whose configuration names it. */
async function proveDomain(
  transaction: Transaction,
  clock: Clock,
  input: {
    configuration: ConfigurationKey;
    domain: string;
    provenBy: ProvenDomain['provenBy'];
    actor?: Actor;
  },
): Promise<SsoDomain> {
  const { configuration, domain, provenBy, actor } = input;
  const { organizationId, id: configurationId } = configuration;
  const at = timestamp(clock());
  const inserted = await insertProvenDomain(transaction, {
    domain,
    organizationId,
    configurationId,
    provenBy,
    at,
  });
  const proven = await findProvenDomain(transaction, domain);
  if (proven?.organizationId !== organizationId) {
    throw new AtriumError('domain_taken', 'Another organization on this server has verified this domain.');
  }
  if (proven.configurationId !== configurationId) {
    throw new AtriumError('domain_taken', `${ofOtherDirectory} Remove it there first.`);
  }
  if (inserted) await requireFewerDomains(transaction, organizationId);
  else await updateDomainCheck(transaction, { domain, checkedAt: at, missingSince: null });
  // A domain that the operator verified stays verified whatever DNS returns.
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
  return describeDomain(configuration, domain, await findProvenDomain(transaction, domain));
}

/** Each verified domain is a DNS query per day. A tenant of Entra has at most 5,000 domains, and few have ten. */
const maxVerifiedDomains = 1_000;

async function requireFewerDomains(reader: Reader, organizationId: string): Promise<void> {
  if ((await selectProvenDomains(reader, organizationId)).length > maxVerifiedDomains) {
    throw new AtriumError(
      'domain_not_proven',
      `An organization can have at most ${maxVerifiedDomains} verified domains. Remove one from the configuration first.`,
    );
  }
}

/** Returns the normalized domain and the configuration that names it. Throws `not_found`. */
async function getNamed(
  reader: Reader,
  organizationId: string,
  configurationId: string | undefined,
  text: string,
): Promise<{ domain: string; configuration: ConfigurationKey }> {
  const domain = domainName(text);
  const configuration = await getConfiguration(reader, organizationId, configurationId);
  if (domain === undefined || !configuration.emailDomains.includes(domain)) throw notFound();
  return { domain, configuration };
}

function requireUsable(domain: string): void {
  const reason = unusableBecause(domain);
  if (reason !== undefined) throw new AtriumError('domain_not_proven', `${reason} It can’t be verified.`);
}
