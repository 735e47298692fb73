import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { purgeOld, trashList, type ListTrash } from '../../records/trash.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboardInTrash } from '../access/access.ts';
import { mayOnDashboardOfMember } from '../access/filter.ts';
import { recordDashboardChange } from '../audit.ts';
import { toSummary, type StoredDashboard } from '../store.ts';
import { deleteDashboardRow, lockOldDashboards, restoreDashboardRow } from './store.ts';

export const listDeletedDashboards: ListTrash<DashboardSummary> = trashList(
  {
    table: 'dashboards',
    details: 'description',
    mayEdit: (userId) => mayOnDashboardOfMember('dashboard.edit', userId),
  },
  ({ details, ...row }) => toSummary({ ...row, description: details }),
);

/** Restores a dashboard from the trash, with all that it had. Throws `not_found`, and `forbidden`. */
export function restoreDeletedDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: string,
): Promise<StoredDashboard> {
  return database.write(async (transaction) => {
    const dashboard = await requireDashboardInTrash(transaction, actor, id, 'edit');
    await restoreDashboardRow(transaction, id);
    const { summary } = dashboard;
    await recordDashboardChange(transaction, clock, actor, { action: 'dashboard.restored', summary });
    return dashboard;
  });
}

/** Deletes a dashboard in the trash permanently. Throws `not_found`, and `forbidden`. */
export async function purgeDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (transaction) => {
    const { summary } = await requireDashboardInTrash(transaction, actor, id, 'manage');
    await deleteDashboardRow(transaction, id);
    await recordDashboardChange(transaction, clock, actor, { action: 'dashboard.purged', summary });
  });
}

/** Deletes permanently the dashboards that have been in the trash for 30 days. */
export const purgeOldDashboards = (
  database: Database,
  clock: Clock,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> =>
  purgeOld(database, clock, stopped, {
    lockOld: lockOldDashboards,
    async remove(transaction, summary) {
      await deleteDashboardRow(transaction, summary.id);
      await recordDashboardChange(transaction, clock, undefined, { action: 'dashboard.purged', summary });
    },
  });
