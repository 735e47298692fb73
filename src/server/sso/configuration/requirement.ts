import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { recordAudit } from '../../audit/audit.ts';
import { findSsoRequirement, setSsoRequirement } from '../../organizations/organizations.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { selectIssuersOfOwners } from '../identity/store.ts';
import { isIssuerOf } from '../protocol/provider/discovery-document.ts';
import { findOutcomes, isFailing } from '../sign-in/outcome-store.ts';
import { selectConfigurations, type ConfigurationKey, type StoredSsoConfiguration } from './store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { findBlockingReasons, type Reason } from './reasons.ts';

/**
 * Allows passwords again if nobody can sign in through a directory any more, since then nobody could sign in at all. `because`
 * has the codes of the reasons. Does nothing if it is empty, if SSO was not required, or if an owner can sign in through another
 * directory, and end the requirement.
 */
export async function liftSsoRequirement(
  transaction: Transaction,
  clock: Clock,
  {
    configuration,
    because,
    actor,
  }: { configuration: ConfigurationKey; because: readonly string[]; actor?: Actor },
): Promise<void> {
  const { organizationId } = configuration;
  if (because.length === 0 || (await findSsoRequirement(transaction, organizationId)) !== true) return;
  if (await canOwnersSignInElsewhere(transaction, configuration)) return;
  await setSsoRequirement(transaction, organizationId, false);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sso.requirement.lifted',
    details: { because },
    ...(actor !== undefined && { actor }),
  });
}

/**
 * Whether an owner has signed in through another configuration, which an owner approved and which works: it is complete, and the
 * last sign-in since it was turned on or changed succeeded.
 */
async function canOwnersSignInElsewhere(
  reader: Reader,
  { organizationId, id }: ConfigurationKey,
): Promise<boolean> {
  for (const other of await selectConfigurations(reader, organizationId)) {
    if (other.id === id || !other.enabled || !other.ownerApproved) continue;
    if ((await findReasonsNobodyCanSignIn(reader, other)).length > 0) continue;
    const outcomes = await findOutcomes(reader, other);
    // Turning it off and changing its provider deletes what it says.
    if (!outcomes?.succeededAt || isFailing(outcomes)) continue;
    if ((await selectIssuersOfOwners(reader, other)).some((issuer) => isIssuerOf(issuer, other))) return true;
  }
  return false;
}

/** Returns why nobody can sign in through an enabled configuration; empty if people can. */
export async function findReasonsNobodyCanSignIn(
  reader: Reader,
  configuration: StoredSsoConfiguration,
): Promise<Reason[]> {
  return findBlockingReasons(configuration, await findProvenDomains(reader, configuration));
}
