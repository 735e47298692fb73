import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { recordAudit } from '../../audit/audit.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import type { Database } from '../../storage/database.ts';
import { domainRecord, type ResolveTxt } from './record.ts';
import { findSsoConfiguration } from '../configuration/store.ts';
import { findReasonsNobodyEnters, liftSsoRequirement } from '../configuration/requirement.ts';
import {
  deleteProvenDomain,
  findProvenDomain,
  selectDueDomains,
  updateDomainCheck,
  type ProvenDomain,
} from './store.ts';

/** How long a record may be missing before the proof ends: DNS is moved, and mistakes are made, over a weekend. */
const graceMs = daysMs(3);
const checkEveryMs = daysMs(1);
/**
 * So many questions at once: each may wait 5 s for a name server that says nothing, and the thousand of one organization
 * must not hold up the others for hours.
 */
const askedAtOnce = 20;

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
    for (let index = 0; index < domains.length; index += askedAtOnce) {
      const some = domains.slice(index, index + askedAtOnce);
      await Promise.all(some.map((proven) => recheckDomain(database, clock, resolveTxt, proven)));
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
      const configuration = await findSsoConfiguration(transaction, organizationId);
      if (configuration === undefined) return;
      const because = (await findReasonsNobodyEnters(transaction, configuration)).map(({ code }) => code);
      await liftSsoRequirement(transaction, clock, { organizationId, because });
    } else {
      await updateDomainCheck(transaction, { domain, checkedAt: now, missingSince });
    }
  });
}
