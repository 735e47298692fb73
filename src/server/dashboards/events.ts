import { publishEvent } from '../events/events.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const dashboardState = prepare((db, p: { id: string }) =>
  db
    .selectFrom('dashboards')
    .leftJoin('folders', 'folders.id', 'dashboards.folder_id')
    .select(['dashboards.organization_id as organizationId', 'dashboards.name', 'dashboards.version'])
    .select(['dashboards.restricted', 'folders.restricted_path as hidden'])
    .select(['dashboards.deleted_at as deletedAt', 'dashboards.deleted_by as deletedBy'])
    .where('dashboards.id', '=', p.id),
);

/** The name of a restricted dashboard is left out: people who read the receiver may not see it. */
async function describeDashboard(reader: Reader, id: string): Promise<object> {
  const found = await reader.first(dashboardState, { id });
  if (found === undefined) return { dashboard: { id } };
  const { name, version, restricted, hidden } = found;
  const isVisible = restricted === 0 && (hidden ?? 0) === 0;
  return { dashboard: { id, version, ...(isVisible && { name }) } };
}

/** Publishes that a dashboard has a new version, unless it is personal. */
export async function publishSave(
  transaction: Transaction,
  type: 'dashboard.created' | 'dashboard.changed',
  saved: {
    readonly id: string;
    readonly organizationId: string | undefined;
    readonly updatedAt: string;
    readonly updatedBy: string;
  },
): Promise<void> {
  const { id, organizationId, updatedAt: at, updatedBy: actorId } = saved;
  if (organizationId === undefined) return;
  const describe = () => describeDashboard(transaction, id);
  await publishEvent(transaction, { organizationId, type, at, actorId, describe });
}

/** Publishes that a dashboard was deleted, if it is in the trash and not personal. */
export async function publishDeletion(
  transaction: Transaction,
  { id, organizationId }: { readonly id: string; readonly organizationId: string | undefined },
): Promise<void> {
  if (organizationId === undefined) return;
  const found = await transaction.first(dashboardState, { id });
  if (found === undefined || found.deletedAt === null) return;
  await publishEvent(transaction, {
    organizationId,
    type: 'dashboard.deleted',
    at: found.deletedAt,
    actorId: found.deletedBy ?? undefined,
    describe: () => describeDashboard(transaction, id),
  });
}
