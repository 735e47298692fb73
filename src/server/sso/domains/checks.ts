import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { recordAudit } from '../../audit/audit.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import type { Database } from '../../storage/database.ts';
import { domainRecord, type ResolveTxt } from './record.ts';
import { findSsoConfigurationById } from '../configuration/store.ts';
import { findReasonsNobodyCanSignIn, liftSsoRequirement } from '../configuration/requirement.ts';
import {
  deleteProvenDomain,
  findProvenDomain,
  selectDueDomains,
  updateDomainCheck,
  type ProvenDomain,
} from './store.ts';

/** How long a record may be missing before its domain is no longer verified: enough for a mistake over a weekend. */
const graceMs = daysMs(3);
const checkEveryMs = daysMs(1);
/**
 * How many DNS queries run at once: each can wait 5 s for a name server that does not respond, and the thousand domains
 * of one organization must not delay the others for hours.
 */
const concurrentQueries = 20;

/**
 * Checks the DNS record of every domain that was last checked a day ago; without it for three days, a domain is no
 * longer verified.
 */
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
    for (let index = 0; index < domains.length; index += concurrentQueries) {
      const batch = domains.slice(index, index + concurrentQueries);
      await Promise.all(batch.map((proven) => recheckDomain(database, clock, resolveTxt, proven)));
    }
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
  const result = await resolveTxt(record.name);
  // A failed query says nothing about the record.
  if ('failure' in result) return;
  const now = timestamp(clock());
  const isPublished = result.records.includes(record.value);
  const missingSince = isPublished ? null : (proven.missingSince ?? now);
  await database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    // The domain was released, verified by another organization or checked again in the meantime.
    const current = await findProvenDomain(transaction, domain);
    if (current?.organizationId !== organizationId || current.checkedAt !== proven.checkedAt) return;
    if (missingSince !== null && missingSince <= timestamp(clock() - graceMs)) {
      await deleteProvenDomain(transaction, domain);
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'sso.domain.lost',
        details: { domain },
      });
      const configuration = await findSsoConfigurationById(transaction, current.configurationId);
      if (configuration?.enabled !== true) return;
      const because = (await findReasonsNobodyCanSignIn(transaction, configuration)).map(({ code }) => code);
      await liftSsoRequirement(transaction, clock, { configuration, because });
    } else {
      await updateDomainCheck(transaction, { domain, checkedAt: now, missingSince });
    }
  });
}
