import type { Role } from '#contract/organizations/organizations.ts';
import type { SsoConfiguration } from '#contract/sso/configuration.ts';
import { may } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { hasConfirmed } from '../../base/credentials/confirmation.ts';
import { nextSealed, type SecretBox } from '../../base/credentials/secret-box.ts';
import { recordAudit } from '../../audit/audit.ts';
import { endGroupsOfConfiguration } from '../../organizations/groups/groups.ts';
import { endSessionsOfConfiguration } from '../../sessions/sessions.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { removeCertificates } from '../certificates/store.ts';
import { secretPurpose } from './client-secrets.ts';
import { endMigration } from '../migration/store.ts';
import { deleteAttemptsOfConfiguration } from '../sign-in/attempt-store.ts';
import { deleteOutcomes } from '../sign-in/outcome-store.ts';
import { getStoredSsoPolicy } from './policy-store.ts';
import { releaseDomains } from '../domains/domains.ts';
import { forgetRoles } from '../identity/store.ts';
import { findReasonsNobodyCanSignIn, liftSsoRequirement } from './requirement.ts';
import { deleteSsoConfigurationRow, upsertSsoConfiguration, type StoredSsoConfiguration } from './store.ts';
import { forgetProvisioned } from '../provisioning/store.ts';

type DescribedConfiguration = Omit<SsoConfiguration, 'provider'> & {
  readonly provider: string;
  readonly name?: string;
};

/** A configuration to store, before it is known which secret it has, and whether an owner approved it. */
export type NextConfiguration = Omit<
  StoredSsoConfiguration,
  'clientSecret' | 'clientCertificate' | 'workloadIdentitySince' | 'ownerApproved'
>;

/**
 * Stores a configuration of which the caller has checked that the actor may save it, and ends what no longer holds: pending
 * sign-ins always; domains that it no longer names; and if it is turned off or pointed elsewhere, sessions and groups. A secret is
 * preserved only for the same client at the same provider.
 */
export async function saveConfiguration(
  transaction: Transaction,
  { clock, secretBox }: { readonly clock: Clock; readonly secretBox: SecretBox },
  actor: Actor,
  {
    actorRole,
    previous,
    next,
    sentSecret,
  }: {
    readonly actorRole: Role;
    readonly previous: StoredSsoConfiguration | undefined;
    readonly next: NextConfiguration;
    readonly sentSecret: string | undefined;
  },
): Promise<StoredSsoConfiguration> {
  const { organizationId } = next;
  const isMoved = previous !== undefined && !isSameRelyingParty(previous, next);
  const kept = isMoved ? undefined : previous?.clientSecret;
  const clientSecret = nextSealed(secretBox, organizationId, secretPurpose, { sent: sentSecret, kept });
  const wasApproved = !isMoved && previous?.ownerApproved === true;
  const ownerApproved =
    wasApproved ||
    (may(actorRole, 'owner.manage') &&
      (hasConfirmed(actor, clock) || !(await makesOwners(transaction, next))));
  const clientCertificate = isMoved ? undefined : previous?.clientCertificate;
  const workloadIdentitySince = isMoved ? undefined : previous?.workloadIdentitySince;
  if (isMoved) await removeCertificates(transaction, previous.id);
  const stored = { ...next, clientSecret, clientCertificate, workloadIdentitySince, ownerApproved };
  await upsertSsoConfiguration(transaction, stored);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sso.configuration.saved',
    actor,
    details: { ...describeConfiguration(stored), secretChanged: clientSecret !== previous?.clientSecret },
  });
  await releaseDomains(transaction, clock, { configuration: stored, kept: stored.emailDomains, actor });
  await deleteAttemptsOfConfiguration(transaction, stored);
  if (isMoved && stored.isFirst) {
    await endMigration(transaction, organizationId);
    await forgetProvisioned(transaction, organizationId);
  }
  if (isMoved || !stored.enabled) await endSignIns(transaction, stored);
  const because = await findReasonsToLift(transaction, stored, isMoved);
  await liftSsoRequirement(transaction, clock, { configuration: stored, because, actor });
  return stored;
}

/** Whether the role mappings can make people owners. */
async function makesOwners(
  reader: Reader,
  next: Pick<NextConfiguration, 'organizationId' | 'id' | 'isFirst'>,
): Promise<boolean> {
  const { roleMappings } = await getStoredSsoPolicy(reader, next);
  return roleMappings.some(({ role }) => role === 'owner');
}

async function findReasonsToLift(
  reader: Reader,
  stored: StoredSsoConfiguration,
  isMoved: boolean,
): Promise<string[]> {
  if (!stored.enabled) return ['configuration_disabled'];
  // Nobody has signed in through it yet, so nobody knows that it works.
  if (isMoved) return ['configuration_moved'];
  return (await findReasonsNobodyCanSignIn(reader, stored)).map(({ code }) => code);
}

/** Deletes a configuration of which the caller has checked that the actor may, and ends everything obtained through it. */
export async function removeConfiguration(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  stored: StoredSsoConfiguration,
): Promise<void> {
  const { organizationId, id, isFirst, name } = stored;
  await deleteSsoConfigurationRow(transaction, id);
  await removeCertificates(transaction, id);
  if (isFirst) {
    await endMigration(transaction, organizationId);
    await forgetProvisioned(transaction, organizationId);
  }
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sso.configuration.deleted',
    actor,
    ...(!isFirst && { details: { id, name } }),
  });
  await releaseDomains(transaction, clock, { configuration: stored, kept: [], actor });
  await deleteAttemptsOfConfiguration(transaction, stored);
  await endSignIns(transaction, stored);
  const because = ['configuration_deleted'];
  await liftSsoRequirement(transaction, clock, { configuration: stored, because, actor });
}

/** Ends what was obtained through a configuration that was turned off, pointed elsewhere or deleted: sessions, groups and roles to keep. */
async function endSignIns(transaction: Transaction, configuration: StoredSsoConfiguration): Promise<void> {
  await endSessionsOfConfiguration(transaction, configuration);
  await deleteOutcomes(transaction, configuration);
  await endGroupsOfConfiguration(transaction, configuration);
  await forgetRoles(transaction, configuration);
}

/**
 * Whether two configurations name the same client at the same identity provider. Only then is a stored secret
 * preserved: it must never be sent to a different URL.
 */
function isSameRelyingParty(one: NextConfiguration, other: NextConfiguration): boolean {
  return (
    one.provider === other.provider &&
    one.clientId === other.clientId &&
    one.tenantId === other.tenantId &&
    one.discoveryUrl === other.discoveryUrl
  );
}

/** Returns a configuration as people see it: without its secret. Only directories beside the first one have a name. */
export const describeConfiguration = ({
  id,
  organizationId,
  isFirst,
  name,
  provider,
  clientId,
  tenantId,
  discoveryUrl,
  emailDomains,
  enabled,
  clientSecret,
  createdAt,
  updatedAt,
}: StoredSsoConfiguration): DescribedConfiguration => ({
  id,
  organizationId,
  ...(!isFirst && { name }),
  provider,
  clientId,
  ...(tenantId !== undefined && { tenantId }),
  discoveryUrl,
  emailDomains,
  enabled,
  hasSecret: clientSecret !== undefined,
  createdAt,
  updatedAt,
});
