import * as contract from '#contract/dashboards/events.ts';
import type { Clock } from '../../base/clock.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { startEditing, stopEditing } from './editors.ts';
import type { DashboardWatch } from './watch.ts';

export function serveDashboardEvents(
  serve: Serve,
  dependencies: { readonly database: Database; readonly clock: Clock; readonly watch: DashboardWatch },
): void {
  const { database, clock, watch } = dependencies;
  serve(contract.streamDashboardEvents, async ({ actor, params }, reply) => {
    // Otherwise nginx would hold back events until its buffer is full.
    reply.header('x-accel-buffering', 'no');
    return watch.open(actor, params.dashboardId);
  });
  serve(contract.startEditingDashboard, async ({ actor, params }) => {
    await startEditing(database, clock, actor, params.dashboardId);
    return undefined;
  });
  serve(contract.stopEditingDashboard, async ({ actor, params }) => {
    await stopEditing(database, actor, params.dashboardId);
    return undefined;
  });
}
