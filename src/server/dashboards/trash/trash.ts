import type { DeletedDashboard } from '#contract/dashboards/trash.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { cursorOf, type Page, type PageRequest } from '../../base/paging.ts';
import { purgeOld, purgeTime } from '../../records/trash.ts';
import { listOrganizationIds, requireRole } from '../../organizations/members.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { requireDashboardInBin } from '../access/access.ts';
import { recordDashboardChange } from '../audit.ts';
import {
  deleteDashboardRow,
  lockOldDashboards,
  restoreDashboardRow,
  selectBinPlaces,
  selectBinRows,
  type BinPlace,
  type BinRow,
} from './store.ts';
import { withinBytes } from '../listing/page.ts';
import type { StoredDashboard } from '../store.ts';

/** What a cursor of the bin holds: when a dashboard was deleted, and its id. */
export const binKey = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [0-9a-f-]{36}$/;

/** Lists what the actor may restore, the last deleted first: of one organization, or of all that the session opens. */
export async function listDeletedDashboards(
  reader: Reader,
  actor: Actor,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<Page<DeletedDashboard>> {
  if (organizationId !== undefined) await requireRole(reader, actor, organizationId, 'viewer');
  const organizationIds =
    organizationId === undefined ? await listOrganizationIds(reader, actor) : [organizationId];
  const opensOwn = organizationId === undefined && actor.scope === 'all';
  const scope = { readerId: actor.userId, opensOwn, organizationIds };
  const places = await selectBinPlaces(reader, scope, {
    after: page.after === undefined ? undefined : toPlace(page.after),
    limit: page.limit + 1,
  });
  const shown = withinBytes(places.slice(0, page.limit));
  const [first, last] = [shown.at(0), shown.at(-1)];
  if (first === undefined || last === undefined) return { items: [] };
  const rows = await selectBinRows(reader, scope, { first, last });
  return {
    items: rows.map(toDeleted),
    ...(places.length > shown.length && { nextCursor: cursorOf(`${last.at} ${last.id}`) }),
  };
}

function toPlace(key: string): BinPlace {
  const [at = '', id = ''] = key.split(' ');
  return { at, id };
}

const toDeleted = ({ organizationId, description, ...row }: BinRow): DeletedDashboard => ({
  ...row,
  ...(organizationId !== null && { organizationId }),
  ...(description !== null && { description }),
  purgeAt: purgeTime(row.deletedAt),
});

/** Takes a dashboard out of the bin, with all that it had. Throws `not_found`, and `forbidden`. */
export function restoreDeletedDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: string,
): Promise<StoredDashboard> {
  return database.write(async (transaction) => {
    const dashboard = await requireDashboardInBin(transaction, actor, id, 'edit');
    await restoreDashboardRow(transaction, id);
    const { summary } = dashboard;
    await recordDashboardChange(transaction, clock, actor, { action: 'dashboard.restored', summary });
    return dashboard;
  });
}

/** Removes a dashboard in the bin for good. Throws `not_found`, and `forbidden`. */
export async function purgeDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (transaction) => {
    const { summary } = await requireDashboardInBin(transaction, actor, id, 'manage');
    await deleteDashboardRow(transaction, id);
    await recordDashboardChange(transaction, clock, actor, { action: 'dashboard.purged', summary });
  });
}

/** Removes for good the dashboards that have been in the bin for 30 days. */
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
