import type { FastifyReply } from 'fastify';
import * as contract from '#contract/dashboards.ts';
import type { Clock } from '../base/clock.ts';
import { pageRequest } from '../base/paging.ts';
import { JsonText, type Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDashboard } from './dashboard-store.ts';
import { createDashboard, getDashboard, listDashboards } from './dashboards.ts';

export function serveDashboards(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  serve(contract.createDashboard, async ({ actor, body }, reply) =>
    toReply(await createDashboard(database, clock, actor, body), reply),
  );

  serve(contract.getDashboard, async ({ actor, params }, reply) =>
    toReply(await getDashboard(database, actor, params.dashboardId), reply),
  );

  serve(contract.listDashboards, ({ actor, query }) =>
    listDashboards(database, actor, query.organizationId, pageRequest(query)),
  );
}

/** Puts the stored text of the widgets into the record, and its version on `reply` as a strong ETag (RFC 9110, 8.8.3). */
function toReply(
  { summary, widgetsJson, version }: StoredDashboard,
  reply: FastifyReply,
): JsonText<contract.Dashboard> {
  reply.header('etag', `"${version}"`);
  return new JsonText(`${JSON.stringify(summary).slice(0, -1)},"widgets":${widgetsJson}}`);
}
