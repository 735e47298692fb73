import { mayOn } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';
import { requireRecord, requireRecordToChange, standingOf, type Access } from '../../records/access.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { dashboardKind } from '../kind.ts';
import type { ReadableDashboard } from '../store.ts';

/** Returns the access of an actor to a dashboard that the actor may see. */
export function accessOf(dashboard: ReadableDashboard, actor: Actor): Access {
  const standing = standingOf(dashboard, actor.userId);
  if (mayOn(standing, 'dashboard.manage')) return 'manage';
  return mayOn(standing, 'dashboard.edit') ? 'edit' : 'view';
}

/** Returns a dashboard that the actor may see. Throws `not_found`, `sso_required`, and `forbidden` if the actor has less access. */
export const requireDashboard = (
  reader: Reader,
  actor: Actor,
  id: string,
  needed: Access = 'view',
): Promise<ReadableDashboard> => requireRecord(reader, actor, dashboardKind, id, needed);

/** Like `requireDashboard`, in a transaction that changes the dashboard. */
export const requireDashboardToChange = (
  transaction: Transaction,
  actor: Actor,
  id: string,
  needed: Access,
): Promise<ReadableDashboard> => requireRecordToChange(transaction, actor, dashboardKind, { id, needed });
