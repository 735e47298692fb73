import * as contract from '#contract/dashboards.ts';
import type { Clock } from '../base/clock.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import { createDashboard, getDashboard, listDashboards } from './dashboards.ts';

export function serveDashboards(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  serve(contract.createDashboard, async ({ actor, body }, reply) => {
    const { dashboard, version } = await createDashboard(database, clock, actor, body);
    reply.header('etag', entityTag(version));
    return dashboard;
  });

  serve(contract.getDashboard, async ({ actor, params }, reply) => {
    const { dashboard, version } = await getDashboard(database, actor, params.dashboardId);
    reply.header('etag', entityTag(version));
    return dashboard;
  });

  serve(contract.listDashboards, ({ actor, query }) =>
    listDashboards(database, actor, query.organizationId, pageRequest(query)),
  );
}

/** The version of a record as a strong entity tag (RFC 9110, section 8.8.3). */
const entityTag = (version: number): string => `"${version}"`;
