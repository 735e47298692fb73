import * as contract from '#contract/dashboards/trash.ts';
import type { Clock } from '../../base/clock.ts';
import { pageRequest } from '../../base/paging.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { binKey, listDeletedDashboards, purgeDashboard, restoreDeletedDashboard } from './trash.ts';
import { toReply } from '../routes.ts';

export function serveDashboardBin(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  serve(contract.listDeletedDashboards, ({ actor, query }) =>
    listDeletedDashboards(database, actor, query.organizationId, pageRequest(query, binKey)),
  );
  serve(contract.restoreDeletedDashboard, async ({ actor, params }, reply) =>
    toReply(await restoreDeletedDashboard(database, clock, actor, params.dashboardId), reply),
  );
  serve(contract.purgeDashboard, async ({ actor, params }) => {
    await purgeDashboard(database, clock, actor, params.dashboardId);
    return undefined;
  });
}
