import type { Role } from '#contract/organizations/organizations.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { parseTime, timestamp, type Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { AtriumError, invalidBody } from '../../base/errors.ts';
import { lockOrganization, requireAllowed, requirePermission } from '../../organizations/authorization.ts';
import { requirePermissionToChangeSso } from '../permission.ts';
import { requireMayGive } from '../../organizations/members.ts';
import { findSsoRequirement, setSsoRequirement } from '../../organizations/organizations.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { listRecoveryCodeOwners } from '../recovery/store.ts';
import { findConfigurationOfSession } from '../logout/store.ts';
import { forgetRoles } from '../identity/store.ts';
import { findFirstConfiguration, findSsoConfigurationById, type ConfigurationKey } from './store.ts';
import { firstOf, getStoredSsoPolicy, upsertSsoPolicy } from './policy-store.ts';
import { changeInterval } from '../revalidation/tokens.ts';
import { findReasonsNobodyCanSignIn } from './requirement.ts';

/** Returns the sign-in policy. Owner or admin. */
export async function getSsoPolicy(reader: Reader, actor: Actor, organizationId: string): Promise<SsoPolicy> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const requireSso = (await findSsoRequirement(reader, organizationId)) ?? false;
  return { requireSso, ...(await getStoredSsoPolicy(reader, firstOf(organizationId))) };
}

/**
 * Replaces the sign-in policy. Owner or admin; only an owner can map to the role owner or change `requireSso`. Throws
 * `sso_not_ready` if turning that on could lock everyone out.
 */
export function putSsoPolicy(
  database: Database,
  clock: Clock,
  actor: Actor,
  organizationId: string,
  policy: SsoPolicy,
): Promise<SsoPolicy> {
  const { requireSso, ...ofDirectory } = policy;
  return database.write(async (transaction) => {
    const actorRole = await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const wasRequired = (await findSsoRequirement(transaction, organizationId)) ?? false;
    const configuration = firstOf(organizationId);
    const requirement = { before: { requireSso: wasRequired }, after: { requireSso } };
    if (requireSso !== wasRequired) {
      requireAllowed(actorRole, 'sso.require');
      requireConfirmation(actor, clock);
      if (requireSso) await requireWorkingSso(transaction, actor, organizationId);
      await setSsoRequirement(transaction, organizationId, requireSso);
    }
    const saved = { actorRole, configuration, policy: ofDirectory, also: requirement };
    await savePolicy(transaction, clock, actor, saved);
    return getSsoPolicy(transaction, actor, organizationId);
  });
}

/**
 * Replaces the policy of a configuration, of which the caller has checked that the actor may manage it. Throws `forbidden` unless
 * an owner changes mappings to the role owner, `confirmation_required`, and `invalid_body` for a time that isn't one.
 */
export async function savePolicy(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  {
    actorRole,
    configuration,
    policy,
    also = { before: {}, after: {} },
  }: {
    readonly actorRole: Role;
    readonly configuration: ConfigurationKey;
    readonly policy: Omit<SsoPolicy, 'requireSso'>;
    /** What the audit log shows as well. */
    readonly also?: { readonly before: object; readonly after: object };
  },
): Promise<void> {
  const { defaultRole, roleMappings, secretExpiresAt } = policy;
  if (secretExpiresAt !== undefined && parseTime(secretExpiresAt) === undefined) {
    throw invalidBody({
      pointer: '/secretExpiresAt',
      code: 'time',
      message: 'must be an RFC 3339 date or time',
    });
  }
  const before = await getStoredSsoPolicy(transaction, configuration);
  // Removing a mapping to owner would demote owners at their next sign-in, so it requires an owner as well.
  requireMayGive(actorRole, ...[...before.roleMappings, ...roleMappings].map(({ role }) => role));
  if (ownerMappings(before) !== ownerMappings(policy)) requireConfirmation(actor, clock);
  const { revalidateMinutes = before.revalidateMinutes } = policy;
  await upsertSsoPolicy(transaction, configuration, {
    defaultRole,
    roleMappings,
    revalidateMinutes,
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  });
  const after = await getStoredSsoPolicy(transaction, configuration);
  const { organizationId, id, isFirst } = configuration;
  // Otherwise, sign-ins through other directories would preserve a role that the mappings no longer give.
  const first = isFirst ? await findFirstConfiguration(transaction, organizationId) : undefined;
  await forgetRoles(transaction, first ?? { id });
  if (revalidateMinutes !== before.revalidateMinutes)
    await changeInterval(transaction, first ?? { id }, { revalidateMinutes, at: timestamp(clock()) });
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sso.policy.saved',
    actor,
    details: {
      ...(!isFirst && { connectionId: id }),
      before: { ...also.before, ...before },
      after: { ...also.after, ...after },
    },
  });
}

/** The claims that make an owner, as a string to compare. */
const ownerMappings = ({ roleMappings }: Pick<SsoPolicy, 'roleMappings'>): string =>
  roleMappings
    .filter(({ role }) => role === 'owner')
    .map(({ claim, value }) => JSON.stringify([claim, value]))
    .toSorted()
    .join();

/**
 * Throws `sso_not_ready` unless the actor signed in through the directory, which works now, and there are recovery
 * codes.
 */
async function requireWorkingSso(
  transaction: Transaction,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  const { credential, scope } = actor;
  const isThroughDirectory = credential.kind === 'session' && credential.method === 'sso';
  if (!isThroughDirectory || scope === 'all' || scope.organizationId !== organizationId) {
    throw new AtriumError(
      'sso_not_ready',
      'Sign in through the directory first. You can require SSO only in a session that was obtained through it.',
    );
  }
  // A domain can become unverified during the session, so a sign-in might no longer work.
  const configurationId = await findConfigurationOfSession(transaction, credential.id);
  const configuration =
    configurationId === undefined ? undefined : await findSsoConfigurationById(transaction, configurationId);
  const reasons =
    configuration?.enabled === true
      ? await findReasonsNobodyCanSignIn(transaction, configuration)
      : undefined;
  if (reasons?.length !== 0) {
    throw new AtriumError(
      'sso_not_ready',
      'Nobody can sign in through the directory now. See the status for the reasons.',
    );
  }
  if ((await listRecoveryCodeOwners(transaction, organizationId)).length === 0) {
    throw new AtriumError(
      'sso_not_ready',
      'Create recovery codes first. Owners need them to sign in if the directory fails.',
    );
  }
}

/**
 * Allows passwords again, for the server's operator. Returns whether SSO was required, or undefined without an
 * organization.
 */
export function unlockOrganization(
  database: Database,
  clock: Clock,
  organizationId: string,
): Promise<boolean | undefined> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const before = await findSsoRequirement(transaction, organizationId);
    if (before === undefined) return undefined;
    await setSsoRequirement(transaction, organizationId, false);
    await recordAudit(transaction, clock, { organizationId, action: 'sso.unlocked', details: { before } });
    return before;
  });
}
