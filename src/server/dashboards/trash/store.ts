import type { Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { queueForIndex } from '../listing/entry-store.ts';

const restore = prepare((db, p: { id: string }) =>
  db.updateTable('dashboards').set({ deleted_at: null, deleted_by: null }).where('id', '=', p.id),
);

const remove = prepare((db, p: { id: string }) => db.deleteFrom('dashboards').where('id', '=', p.id));

/** Skips what another replica is deleting at the same time. */
const old = prepare((db, p: { before: string; limit: number }) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'name', 'organization_id as organizationId'])
    .where('deleted_at', '<', p.before)
    .orderBy('deleted_at')
    .limit(p.limit)
    .forUpdate()
    .skipLocked(),
);

export async function restoreDashboardRow(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(restore, { id });
  await queueForIndex(transaction, id);
}

/** Deletes a dashboard, with its versions and shares. */
export const deleteDashboardRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

export interface OldDashboard {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string | undefined;
}

/** Returns up to `limit` dashboards that were deleted before a time, the first deleted first. */
export async function lockOldDashboards(
  transaction: Transaction,
  range: { before: string; limit: number },
): Promise<OldDashboard[]> {
  const rows = await transaction.all(old, range);
  return rows.map(({ organizationId, ...row }) => ({ ...row, organizationId: organizationId ?? undefined }));
}
