import type { Actor } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { requireOpen } from '../../organizations/members.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import {
  findReadableDashboard,
  lockDashboardInTrash,
  lockReadableDashboard,
  type ReadableDashboard,
} from '../store.ts';

/** How much of a dashboard somebody may: `manage` is to say who else may what, to hand it over, and to purge it. */
export type Access = 'view' | 'edit' | 'manage';

/**
 * Returns what the reader of a dashboard may do with it. The role in the organization is the ground: owners and admins
 * manage every dashboard, editors edit, viewers view. Whom a dashboard is restricted to is named on it, and viewers may
 * be named to edit. Its owner manages it, as long as the role lets them edit at all.
 */
export function accessOf(
  dashboard: Pick<ReadableDashboard, 'role' | 'share' | 'isRestricted' | 'summary'>,
  actor: Pick<Actor, 'userId'>,
): Access {
  const { role, share, isRestricted, summary } = dashboard;
  if (role === undefined || role === 'owner' || role === 'admin') return 'manage';
  if (role === 'editor' && summary.userId === actor.userId) return 'manage';
  if (share === 'edit' || (role === 'editor' && !isRestricted)) return 'edit';
  return 'view';
}

/** Returns a dashboard that the actor may see. Throws `not_found`, and `sso_required`. */
export async function requireDashboard(reader: Reader, actor: Actor, id: string): Promise<ReadableDashboard> {
  return requireVisible(await findReadableDashboard(reader, id, actor.userId), actor);
}

/** As `requireDashboard`, in a transaction that changes it. Throws `forbidden` when the access is less than `needed`. */
export async function requireDashboardToChange(
  transaction: Transaction,
  actor: Actor,
  id: string,
  needed: 'edit' | 'manage',
): Promise<ReadableDashboard> {
  const dashboard = requireVisible(await lockReadableDashboard(transaction, id, actor.userId), actor);
  requireAccess(dashboard, actor, needed);
  return dashboard;
}

/** As `requireDashboardToChange`, for a dashboard in the trash: access stays as it was. */
export async function requireDashboardInTrash(
  transaction: Transaction,
  actor: Actor,
  id: string,
  needed: 'edit' | 'manage',
): Promise<ReadableDashboard> {
  const dashboard = requireVisible(await lockDashboardInTrash(transaction, id, actor.userId), actor);
  requireAccess(dashboard, actor, needed);
  return dashboard;
}

/** Whether somebody may change a dashboard; whoever does not see it may not. */
export const mayEdit = (...reading: Parameters<typeof accessOf>): boolean => accessOf(...reading) !== 'view';

/** Throws `forbidden` when the actor may not do with a dashboard what is needed. */
export function requireAccess(dashboard: ReadableDashboard, actor: Actor, needed: 'edit' | 'manage'): void {
  const access = accessOf(dashboard, actor);
  if (access === 'manage' || access === needed) return;
  throw new AtriumError(
    'forbidden',
    needed === 'edit'
      ? 'You may see this dashboard, but not change it.'
      : 'Only the owner of this dashboard and the admins of its organization may do this.',
  );
}

const requireVisible = (found: ReadableDashboard | undefined, actor: Actor): ReadableDashboard =>
  requireOpen(actor, found, found?.summary.organizationId);
