import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { recordAudit } from '../../audit/audit.ts';
import { findSsoRequirement, setSsoRequirement } from '../../organizations/organizations.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import type { StoredSsoConfiguration } from './store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { findBlockingReasons, type Reason } from './reasons.ts';

/**
 * Allows passwords again if nobody can sign in through the directory any more, since then nobody could sign in at all.
 * `because` has the codes of the reasons. Does nothing if it is empty, or if SSO was not required.
 */
export async function liftSsoRequirement(
  transaction: Transaction,
  clock: Clock,
  { organizationId, because, actor }: { organizationId: string; because: readonly string[]; actor?: Actor },
): Promise<void> {
  if (because.length === 0 || (await findSsoRequirement(transaction, organizationId)) !== true) return;
  await setSsoRequirement(transaction, organizationId, false);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sso.requirement.lifted',
    details: { because },
    ...(actor !== undefined && { actor }),
  });
}

/** Returns why nobody can sign in through an enabled configuration; empty if people can. */
export async function findReasonsNobodyCanSignIn(
  reader: Reader,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> {
  const { organizationId, emailDomains } = configuration;
  return findBlockingReasons(configuration, await findProvenDomains(reader, organizationId, emailDomains));
}
