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
  putShare,
  selectSharedMembers,
  selectShares,
  updateRestricted,
  type Share,
} from './store.ts';
import { setDashboardOwner, type ReadableDashboard, type StoredDashboard } from '../store.ts';

/** Returns the actor's permissions on a dashboard that the actor may see. Throws `not_found`. */
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

/** Returns the members that a dashboard is shared with. Requires permission to edit it. */
export async function getDashboardAccess(reader: Reader, actor: Actor, id: string): Promise<DashboardAccess> {
  const { isRestricted: restricted, organizationId } = await requireDashboard(reader, actor, id, 'edit');
  const members =
    organizationId === undefined
      ? []
      : await selectSharedMembers(reader, { dashboardId: id, organizationId });
  return { restricted, members };
}

/** Replaces the members that a dashboard is shared with, and its restriction. Throws `personal_dashboard`. */
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
      .map(({ userId, access: granted }) => ({ userId, access: granted }))
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

/** Makes another member the owner, as a new version. Throws `personal_dashboard`, and `invalid_body` if the member can't be. */
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

/**
 * Returns a dashboard of an organization that the actor may manage. It locks the organization, so that no member is removed in
 * the meantime. Access is checked before the lock, too, so that only people with access can take it.
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
      'This dashboard is personal. Copy it to an organization to share it with its members.',
    );
  }
  await lockOrganization(transaction, organizationId);
  return { dashboard: await requireDashboardToChange(transaction, actor, id, 'manage'), organizationId };
}

const notMember = { code: 'member', message: 'must be the ID of a member of the organization' };

/** Throws `invalid_body` for each user that is listed twice or isn't a member; users in `before` are known to be members. */
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
      faults.push({ pointer, code: 'unique', message: 'must not be listed more than once' });
    } else if (!known.has(userId) && (await findRoleOf(transaction, organizationId, userId)) === undefined) {
      faults.push({ pointer, ...notMember });
    }
    seen.add(userId);
  }
  if (faults.length > 0) throw invalidFaults(faults);
}

/** Stores the members that a dashboard is shared with, and returns whether they changed. */
async function storeShares(
  transaction: Transaction,
  id: string,
  { before, after }: { before: readonly Share[]; after: readonly Share[] },
): Promise<boolean> {
  const [old, current] = [new Map(before.map(toEntry)), new Map(after.map(toEntry))];
  const ended = before.filter(({ userId }) => !current.has(userId));
  const changed = after.filter(({ userId, access }) => old.get(userId) !== access);
  for (const { userId } of ended) await deleteShare(transaction, id, userId);
  for (const share of changed) await putShare(transaction, id, share);
  return ended.length > 0 || changed.length > 0;
}

const toEntry = ({ userId, access }: Share): [string, Share['access']] => [userId, access];
