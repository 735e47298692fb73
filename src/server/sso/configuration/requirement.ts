import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { recordAudit } from '../../audit/audit.ts';
import { findSsoRequirement, setSsoRequirement } from '../../organizations/organizations.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import type { StoredSsoConfiguration } from './store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { findBlockingReasons, type Reason } from './reasons.ts';

/**
 * Lets passwords in again because nobody comes in through the directory any more: what lets nobody in must not be the
 * only way in. `because` has the reasons' codes; does nothing without one, or when SSO was not required.
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

/** Returns why nobody comes in through a configuration that is turned on; none: people do. */
export async function findReasonsNobodyEnters(
  reader: Reader,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> {
  const { organizationId, emailDomains } = configuration;
  return findBlockingReasons(configuration, await findProvenDomains(reader, organizationId, emailDomains));
}
