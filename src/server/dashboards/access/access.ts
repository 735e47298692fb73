import { mayOn, type Standing } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { requireOpen } from '../../organizations/authorization.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import {
  findReadableDashboard,
  lockDashboardInTrash,
  lockReadableDashboard,
  type ReadableDashboard,
} from '../store.ts';

/** How much a user may do with a dashboard: `manage` is to share, transfer and permanently delete it. */
export type Access = 'view' | 'edit' | 'manage';

/** Returns what decides how much of a dashboard a user may do. */
export const standingOf = (
  {
    role,
    share,
    isRestricted,
    summary,
  }: Pick<ReadableDashboard, 'role' | 'share' | 'isRestricted' | 'summary'>,
  userId: string,
): Standing => ({
  isPersonal: summary.organizationId === undefined,
  role,
  isOwner: summary.userId === userId,
  share,
  isRestricted,
});

/** Returns what the reader of a dashboard may do with it. */
export function accessOf(dashboard: ReadableDashboard, actor: Actor): Access {
  const standing = standingOf(dashboard, actor.userId);
  if (mayOn(standing, 'dashboard.manage')) return 'manage';
  return mayOn(standing, 'dashboard.edit') ? 'edit' : 'view';
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

/** Throws `forbidden` when the actor may not do with a dashboard what is needed. */
export function requireAccess(dashboard: ReadableDashboard, actor: Actor, needed: 'edit' | 'manage'): void {
  if (mayOn(standingOf(dashboard, actor.userId), `dashboard.${needed}`)) return;
  throw new AtriumError(
    'forbidden',
    needed === 'edit'
      ? 'You may see this dashboard, but not change it.'
      : 'Only the owner of this dashboard and the admins of its organization may do this.',
  );
}

const requireVisible = (found: ReadableDashboard | undefined, actor: Actor): ReadableDashboard =>
  requireOpen(actor, found, found?.summary.organizationId);
