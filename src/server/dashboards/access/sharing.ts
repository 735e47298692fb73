import type {
  DashboardAccess,
  DashboardAccessInput,
  DashboardPermissions,
} from '#contract/dashboards/sharing.ts';
import type { Fault } from '#contract/problem.ts';
import { may } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError, invalidBody, invalidFaults } from '../../base/errors.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { findRoleOf } from '../../organizations/members.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { recordChange } from '../../records/audit.ts';
import { currentOf } from '../../records/kind.ts';
import { storeVersion } from '../../records/versions/versions.ts';
import { dashboardKind } from '../kind.ts';
import { accessOf, requireDashboard, requireDashboardToChange } from './access.ts';
import {
  deleteShare,
  deleteSharesOfMember,
  putShare,
  selectSharedMembers,
  selectShares,
  updateRestricted,
  type Share,
} from './store.ts';
import { setDashboardOwner, type ReadableDashboard, type StoredDashboard } from '../store.ts';

/** Returns what the actor may do with a dashboard that the actor may see. Throws `not_found`. */
export async function getDashboardPermissions(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<DashboardPermissions> {
  const dashboard = await requireDashboard(reader, actor, id);
  return {
    access: accessOf(dashboard, actor),
    isOwner: dashboard.userId === actor.userId,
    restricted: dashboard.isRestricted,
  };
}

/** Returns whom a dashboard names. For whoever may edit it. */
export async function getDashboardAccess(reader: Reader, actor: Actor, id: string): Promise<DashboardAccess> {
  const { isRestricted: restricted, organizationId } = await requireDashboard(reader, actor, id, 'edit');
  const members =
    organizationId === undefined
      ? []
      : await selectSharedMembers(reader, { dashboardId: id, organizationId });
  return { restricted, members };
}

/** Says whom a dashboard names, in place of what was said before. Throws `personal_dashboard`. */
export function setDashboardAccess(
  database: Database,
  clock: Clock,
  actor: Actor,
  { id, access }: { id: string; access: DashboardAccessInput },
): Promise<DashboardAccess> {
  return database.write(async (transaction) => {
    const { dashboard, organizationId } = await requireManaged(transaction, actor, id);
    const before = await selectShares(transaction, id);
    const after = access.members
      .map(({ userId, access: named }) => ({ userId, access: named }))
      .toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
    await requireMembers(transaction, organizationId, { before, members: access.members });
    const isChanged = await storeShares(transaction, id, { before, after });
    if (isChanged || access.restricted !== dashboard.isRestricted) {
      await updateRestricted(transaction, id, access.restricted);
      await recordChange(transaction, clock, actor, {
        kind: 'dashboard',
        action: 'access_changed',
        record: dashboard,
        details: {
          before: { restricted: dashboard.isRestricted, members: before },
          after: { restricted: access.restricted, members: after },
        },
      });
    }
    const members = await selectSharedMembers(transaction, { dashboardId: id, organizationId });
    return { restricted: access.restricted, members };
  });
}

/** Makes another member the owner, by a new version. Throws `personal_dashboard`, and `invalid_body` for who cannot be. */
export function transferDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  { id, userId }: { id: string; userId: string },
): Promise<StoredDashboard> {
  return database.write(async (transaction) => {
    const { dashboard, organizationId } = await requireManaged(transaction, actor, id);
    const role = await findRoleOf(transaction, organizationId, userId);
    if (role === undefined) throw invalidBody({ pointer: '/userId', ...notMember });
    if (!may(role, 'dashboard.create')) {
      throw invalidBody({ pointer: '/userId', code: 'role', message: 'must be an editor or higher' });
    }
    if (userId === dashboard.userId) return dashboard;
    const current = currentOf(dashboardKind, dashboard);
    const stored = await storeVersion(transaction, dashboardKind, current, current.content, {
      userId,
      updatedBy: actor.userId,
      updatedAt: timestamp(clock()),
      change: 'transferred',
    });
    await setDashboardOwner(transaction, { id, userId });
    await recordChange(transaction, clock, actor, {
      kind: 'dashboard',
      action: 'transferred',
      record: dashboard,
      details: { before: dashboard.userId, after: userId },
    });
    return stored;
  });
}

/** Ends, with a membership, what dashboards of the organization name the member for: it does not come back with it. */
export async function endSharesOfMember(
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<void> {
  await deleteSharesOfMember(transaction, member);
}

/**
 * Returns a dashboard of an organization that the actor manages, in a transaction that decides by who its members are:
 * nobody is removed meanwhile. It is asked before the lock too, so that nobody else takes it.
 */
async function requireManaged(
  transaction: Transaction,
  actor: Actor,
  id: string,
): Promise<{ dashboard: ReadableDashboard; organizationId: string }> {
  const { organizationId } = await requireDashboard(transaction, actor, id, 'manage');
  if (organizationId === undefined) {
    throw new AtriumError(
      'personal_dashboard',
      'This dashboard is a person’s own; put a copy under an organization to share it with its members.',
    );
  }
  await lockOrganization(transaction, organizationId);
  return { dashboard: await requireDashboardToChange(transaction, actor, id, 'manage'), organizationId };
}

const notMember = { code: 'member', message: 'must be the id of a member of the organization' };

/** Throws `invalid_body` with each name that comes twice or is no member's. Who is named already is one. */
async function requireMembers(
  transaction: Transaction,
  organizationId: string,
  { before, members }: { before: readonly Share[]; members: readonly Share[] },
): Promise<void> {
  const known = new Set(before.map(({ userId }) => userId));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, { userId }] of members.entries()) {
    const pointer = `/members/${index}/userId`;
    if (seen.has(userId)) {
      faults.push({ pointer, code: 'unique', message: 'must not be named before' });
    } else if (!known.has(userId) && (await findRoleOf(transaction, organizationId, userId)) === undefined) {
      faults.push({ pointer, ...notMember });
    }
    seen.add(userId);
  }
  if (faults.length > 0) throw invalidFaults(faults);
}

/** Stores whom a dashboard names; returns whether that is another than before. */
async function storeShares(
  transaction: Transaction,
  id: string,
  { before, after }: { before: readonly Share[]; after: readonly Share[] },
): Promise<boolean> {
  const [old, kept] = [new Map(before.map(toEntry)), new Map(after.map(toEntry))];
  const ended = before.filter(({ userId }) => !kept.has(userId));
  const changed = after.filter(({ userId, access }) => old.get(userId) !== access);
  for (const { userId } of ended) await deleteShare(transaction, id, userId);
  for (const share of changed) await putShare(transaction, id, share);
  return ended.length > 0 || changed.length > 0;
}

const toEntry = ({ userId, access }: Share): [string, Share['access']] => [userId, access];
