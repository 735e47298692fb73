import { mayOn } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';
import { requireRecord, requireRecordToChange, standingOf } from '../../records/access.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { dashboardKind } from '../kind.ts';
import type { ReadableDashboard } from '../store.ts';

/** How much a user may do with a dashboard: `manage` is to share, transfer and permanently delete it. */
export type Access = 'view' | 'edit' | 'manage';

/** Returns what the reader of a dashboard may do with it. */
export function accessOf(dashboard: ReadableDashboard, actor: Actor): Access {
  const standing = standingOf(dashboard, actor.userId);
  if (mayOn(standing, 'dashboard.manage')) return 'manage';
  return mayOn(standing, 'dashboard.edit') ? 'edit' : 'view';
}

/** Returns a dashboard that the actor may see. Throws `not_found`, `sso_required`, and `forbidden` when the access is too low. */
export const requireDashboard = (
  reader: Reader,
  actor: Actor,
  id: string,
  needed: Access = 'view',
): Promise<ReadableDashboard> => requireRecord(reader, actor, dashboardKind, id, needed);

/** As `requireDashboard`, in a transaction that changes it. */
export const requireDashboardToChange = (
  transaction: Transaction,
  actor: Actor,
  id: string,
  needed: Access,
): Promise<ReadableDashboard> => requireRecordToChange(transaction, actor, dashboardKind, { id, needed });
