import type { QueryClient } from '@tanstack/react-query';
import { dashboardQuery } from '../dashboards/queries.ts';
import { reportQuery } from '../reports/queries.ts';
import { dataSourceQuery } from '../ui/server-data/data-source-queries.ts';

/** What the loaders of routes get. */
export interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Loads the organization of a data source, for the frame around its page. */
export async function loadSource({
  context,
  params: { dataSourceId },
}: {
  context: RouterContext;
  params: { dataSourceId: string };
}): Promise<{ organizationId: string }> {
  const { organizationId } = await context.queryClient.query({
    ...dataSourceQuery(dataSourceId),
    staleTime: 'static',
  });
  return { organizationId };
}

/** Loads the organization of a report, for the frame around its page. */
export async function loadReport({
  context,
  params: { reportId },
}: {
  context: RouterContext;
  params: { reportId: string };
}): Promise<{ organizationId: string }> {
  const { report } = await context.queryClient.query({ ...reportQuery(reportId), staleTime: 'static' });
  return { organizationId: report.organizationId };
}

/** Loads the organization of a dashboard, for the frame around its page; undefined for a private one. */
export async function loadDashboard({
  context,
  params: { dashboardId },
}: {
  readonly context: RouterContext;
  readonly params: { readonly dashboardId: string };
}): Promise<{ organizationId: string | undefined }> {
  const query = dashboardQuery(dashboardId);
  const { dashboard } = await context.queryClient.query({ ...query, staleTime: 'static' });
  return { organizationId: dashboard.organizationId };
}
