import * as contract from '#contract/dashboards/listing.ts';
import type { Clock } from '../../base/clock.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import type { DashboardIndex } from './indexer.ts';
import { listDashboards } from './listing.ts';
import { starDashboard, unstarDashboard, visitDashboard } from './favorites.ts';

export function serveDashboardListing(
  serve: Serve,
  { database, clock, index }: { database: Database; clock: Clock; index: DashboardIndex },
): void {
  serve(contract.listDashboards, ({ actor, query }) => listDashboards({ database, index }, actor, query));
  serve(contract.starDashboard, async ({ actor, params }) => {
    await starDashboard(database, clock, actor, params.dashboardId);
    return undefined;
  });
  serve(contract.unstarDashboard, async ({ actor, params }) => {
    await unstarDashboard(database, actor, params.dashboardId);
    return undefined;
  });
  serve(contract.visitDashboard, async ({ actor, params }) => {
    await visitDashboard(database, clock, actor, params.dashboardId);
    return undefined;
  });
}
