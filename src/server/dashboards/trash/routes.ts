import { dashboardTrash } from '#contract/trash.ts';
import type { Clock } from '../../base/clock.ts';
import { pageRequest } from '../../base/paging.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { listDeletedDashboards, purgeDashboard, restoreDeletedDashboard } from './trash.ts';
import { trashKey } from '../../records/trash.ts';
import { toReply } from '../routes.ts';

export function serveDashboardTrash(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  serve(dashboardTrash.list, ({ actor, query }) =>
    listDeletedDashboards(database, actor, query.organizationId, pageRequest(query, trashKey)),
  );
  serve(dashboardTrash.restore, async ({ actor, params }, reply) =>
    toReply(await restoreDeletedDashboard(database, clock, actor, params.id), reply),
  );
  serve(dashboardTrash.purge, async ({ actor, params }) => {
    await purgeDashboard(database, clock, actor, params.id);
    return undefined;
  });
}
