import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { recordAudit } from '../../audit/audit.ts';
import { findSsoRequirement, setSsoRequirement } from '../../organizations/organizations.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { hasOwnerWithIdentity } from '../identity/store.ts';
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

/** Whether an owner has signed in through another configuration, which works now and which an owner approved. */
async function canOwnersSignInElsewhere(
  reader: Reader,
  { organizationId, id }: ConfigurationKey,
): Promise<boolean> {
  for (const other of await selectConfigurations(reader, organizationId)) {
    const isUsable =
      other.id !== id &&
      other.enabled &&
      other.ownerApproved &&
      (await findReasonsNobodyCanSignIn(reader, other)).length === 0;
    if (isUsable && (await hasOwnerWithIdentity(reader, other))) return true;
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
