/** The page on which people see a report. */
export const reportUrl = (publicUrl: string, id: string): string =>
  `${publicUrl}/reports/${encodeURIComponent(id)}`;

/** The page on which people see a dashboard. */
export const dashboardUrl = (publicUrl: string, id: string): string =>
  `${publicUrl}/dashboards/${encodeURIComponent(id)}`;

/** The page on which people see a data source. */
export const dataSourceUrl = (publicUrl: string, id: string): string =>
  `${publicUrl}/data-sources/${encodeURIComponent(id)}`;

/** The page on which people decide a proposal. */
export const proposalUrl = (publicUrl: string, organizationId: string, id: string): string =>
  `${publicUrl}/organizations/${encodeURIComponent(organizationId)}/proposals/${encodeURIComponent(id)}`;
