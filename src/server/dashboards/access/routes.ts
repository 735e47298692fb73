import * as contract from '#contract/dashboards/sharing.ts';
import type { Clock } from '../../base/clock.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { toReply } from '../routes.ts';
import {
  getDashboardAccess,
  getDashboardPermissions,
  setDashboardAccess,
  transferDashboard,
} from './sharing.ts';

export function serveDashboardSharing(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  serve(contract.getDashboardPermissions, ({ actor, params }) =>
    getDashboardPermissions(database, actor, params.dashboardId),
  );
  serve(contract.getDashboardAccess, ({ actor, params }) =>
    getDashboardAccess(database, actor, params.dashboardId),
  );
  serve(contract.putDashboardAccess, ({ actor, params, body }) =>
    setDashboardAccess(database, clock, actor, { id: params.dashboardId, access: body }),
  );
  serve(contract.transferDashboard, async ({ actor, params, body }, reply) => {
    const input = { id: params.dashboardId, userId: body.userId };
    return toReply(await transferDashboard(database, clock, actor, input), reply);
  });
}
