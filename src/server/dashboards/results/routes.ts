import { Readable } from 'node:stream';
import { getDashboardResults } from '#contract/dashboards/results.ts';
import { clientSignal } from '../../http/request/client-signal.ts';
import { whileIdle } from '../../http/limits/idle-connections.ts';
import type { Serve } from '../../http/serve.ts';
import { runDashboard, type DashboardResultDependencies } from './results.ts';

/** Serves the results of all reports of a dashboard in one stream. */
export function serveDashboardResults(serve: Serve, dependencies: DashboardResultDependencies): void {
  serve(getDashboardResults, async ({ actor, params, query, headers }, reply) => {
    // Names of filters have no hyphen, so that they can't be the same.
    const { 'widget-ids': widgetIds, ...values } = query;
    const lines = await runDashboard(dependencies, actor, {
      id: params.dashboardId,
      ...(widgetIds !== undefined && { widgetIds: new Set(widgetIds.split(',')) }),
      values,
      isView: true,
      isForced: /\bno-cache\b/.test(headers['cache-control'] ?? ''),
      signal: clientSignal(reply),
      onFailure: (error) => reply.log.error({ err: error }, 'A report of a dashboard failed'),
    });
    return Readable.from(whileIdle(reply, lines), { objectMode: false });
  });
}
