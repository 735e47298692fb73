import type { SsoWorkloadIdentity } from '#contract/sso/workload-identity.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { getConfiguration, type ConnectionKey, type StoredSsoConfiguration } from '../configuration/store.ts';
import { requireMayChangeSso, requirePermissionToChangeSso } from '../permission.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { setWorkloadIdentity } from './store.ts';
import { workloadAudience } from './token-file.ts';
import type { WorkloadIdentity } from './workload-identity.ts';

interface ChoiceDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly workloadIdentity: WorkloadIdentity;
}

/** Returns what to register at Entra, and whether a directory uses it. Owner or admin. Throws `not_found`. */
export async function getWorkloadIdentity(
  { database, workloadIdentity }: Pick<ChoiceDependencies, 'database' | 'workloadIdentity'>,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<SsoWorkloadIdentity> {
  await requirePermission(database, actor, organizationId, 'sso.manage');
  return describe(workloadIdentity, await getConfiguration(database, organizationId, id));
}

/**
 * Uses the workload identity for a directory from now on, instead of its certificate or secret. Owner or admin. Throws `not_found`,
 * and `workload_identity_unavailable` if it could not be sent now.
 */
export async function putWorkloadIdentity(
  { database, clock, workloadIdentity }: ChoiceDependencies,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<SsoWorkloadIdentity> {
  // Before the file, which nobody else may have the server read.
  await requireMayChangeSso(database, clock, actor, organizationId);
  const { problem } = await describe(workloadIdentity, await getConfiguration(database, organizationId, id));
  if (problem !== undefined)
    throw new AtriumError('workload_identity_unavailable', `${problem.message} ${problem.remedy}`);
  const stored = await database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const configuration = await getConfiguration(transaction, organizationId, id);
    if (configuration.workloadIdentitySince !== undefined) return configuration;
    const since = timestamp(clock());
    await setWorkloadIdentity(transaction, { id, since });
    await record(transaction, clock, actor, { configuration, action: 'sso.workload_identity.used' });
    return { ...configuration, workloadIdentitySince: since };
  });
  return describe(workloadIdentity, stored);
}

/** Stops using the workload identity, if a directory does. Owner or admin. Throws `not_found`. */
export async function deleteWorkloadIdentity(
  { database, clock }: Pick<ChoiceDependencies, 'database' | 'clock'>,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<void> {
  await database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const configuration = await getConfiguration(transaction, organizationId, id);
    if (configuration.workloadIdentitySince === undefined) return;
    await setWorkloadIdentity(transaction, { id, since: null });
    await record(transaction, clock, actor, { configuration, action: 'sso.workload_identity.stopped' });
  });
}

async function record(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  {
    configuration: { organizationId, id, isFirst },
    action,
  }: {
    readonly configuration: StoredSsoConfiguration;
    readonly action: 'sso.workload_identity.used' | 'sso.workload_identity.stopped';
  },
): Promise<void> {
  await recordAudit(transaction, clock, {
    organizationId,
    action,
    actor,
    ...(!isFirst && { details: { connectionId: id } }),
  });
}

async function describe(
  workloadIdentity: WorkloadIdentity,
  configuration: StoredSsoConfiguration,
): Promise<SsoWorkloadIdentity> {
  const { organizationId, workloadIdentitySince: usedSince } = configuration;
  const known = {
    isOffered: workloadIdentity.isOffered(organizationId),
    ...(usedSince !== undefined && { usedSince }),
  };
  try {
    const { issuer, subject } = await workloadIdentity.read(configuration);
    return { ...known, issuer, subject, audience: workloadAudience };
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    const { code, message, remedy } = error;
    return { ...known, problem: { code, message, remedy } };
  }
}
