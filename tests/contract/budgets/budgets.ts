import type { Grown } from './content.ts';

/** The bytes of a response with as much as can be stored: at most so many, and at least so many, which shows that much is stored. */
export interface Budget {
  readonly atLeast: number;
  readonly atMost: number;
  /** The longest turn of the event loop, if it is longer than it should be. */
  readonly blockedMs?: number;
  /** What refuses so much; by default, nothing does. */
  readonly problem?: string;
}

/** More than two megabytes of a page, since one record can be larger. */
const maxBytes = 4_000_000;

/** A response that has little, however much is stored. */
const small: Budget = { atLeast: 1, atMost: 50_000 };
/** What people store in it makes it large. */
const large = (atLeast: number): Budget => ({ atLeast, atMost: maxBytes });
/** A file or lines that are read page by page; the test leaves before the end. */
const stream = (atLeast = 1): Budget => ({ atLeast, atMost: Infinity });

/** What takes 60 to 130 ms, so that chance would decide whether it is within the limit. */
const nearlyLate = { blockedMs: 200 } as const;

/** A file that would be too large isn't drawn. */
const tooLarge: Budget = { ...small, problem: 'export_too_large' };

/** The budgets of the lists by which directories provision people. */
export const scimBudgets: Readonly<Record<string, Budget>> = {
  'Users?count=200': large(2_000_000),
  'Users?filter=title%20co%20%22q%22': small,
  'Groups?count=200': large(1_000_000),
};

/** The budgets of the tools for language models, by the name and the arguments of each. */
export const toolBudgets: readonly (readonly [
  name: string,
  input: (grown: Grown) => object,
  budget: Budget,
])[] = [
  ['search', () => ({ limit: 50 }), large(100_000)],
  ['search', () => ({ words: 'zz' }), small],
  ['list_data_sources', () => ({}), large(20_000)],
  ['describe_data_source', ({ dataSourceId }) => ({ dataSourceId }), small],
  ['read_report', ({ reportId }) => ({ reportId }), large(100_000)],
  ['list_parameter_values', ({ reportId }) => ({ reportId, parameter: 'p' }), large(100_000)],
  ['run_report', ({ reportId }) => ({ reportId }), small],
  ['read_dashboard', ({ dashboardId }) => ({ dashboardId }), { ...large(10_000), blockedMs: 200 }],
];

/** The budget of each route that reads. */
export const budgets: Readonly<Record<string, Budget>> = {
  'GET /api/auth/get-session': small,
  'GET /api/auth/list-sessions': large(70_000),
  'GET /api/auth/account': small,
  'GET /api/auth/second-factors': small,
  'GET /api/auth/delete-account': large(40_000),
  'GET /api/auth/account/export': { ...stream(200_000), blockedMs: 200 },
  'GET /api/auth/tokens': large(40_000),
  'GET /api/organizations/{orgId}/tokens': large(40_000),
  'GET /api/organizations/{orgId}/session-policy': small,
  'GET /api/organizations/{orgId}/authentication-policy': small,
  'GET /api/organizations/{orgId}/token-policy': small,
  'GET /api/organizations/{orgId}/service-accounts': small,
  'GET /api/organizations': large(40_000),
  'GET /api/organizations/{orgId}': small,
  'GET /api/logos/{logoId}': small,
  'GET /api/organizations/{orgId}/contents': small,
  'GET /api/deleted-organizations': small,
  'GET /api/organizations/{orgId}/members': large(60_000),
  'GET /api/organizations/{orgId}/suspended-members': large(60_000),
  'GET /api/organizations/{orgId}/groups': large(40_000),
  'GET /api/organizations/{orgId}/invitations': large(40_000),
  'GET /api/sso/orgs/{orgId}/config': { ...large(400_000), blockedMs: 100 },
  'GET /api/sso/orgs/{orgId}/config/test/{testId}': small,
  'GET /api/sso/orgs/{orgId}/status': small,
  'GET /api/sso/orgs/{orgId}/domains': small,
  'GET /api/sso/orgs/{orgId}/policy': small,
  'GET /api/sso/orgs/{orgId}/connections': { ...large(1_000_000), blockedMs: 200 },
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}': large(400_000),
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}/status': small,
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}/policy': small,
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}/domains': small,
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}/test/{testId}': small,
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}/certificates': small,
  'GET /api/sso/orgs/{orgId}/connections/{connectionId}/workload-identity': small,
  'GET /api/sso/orgs/{orgId}/migration': small,
  'GET /api/sso/orgs/{orgId}/migration/people': small,
  'GET /api/sso/start/{orgId}': small,
  'GET /api/sso/callback/{configId}': small,
  'GET /api/organizations/{orgId}/audit': large(1_000_000),
  'GET /api/organizations/{orgId}/audit/export': stream(1_000),
  'GET /api/organizations/{orgId}/access-log': large(1_000_000),
  'GET /api/organizations/{orgId}/access-log/retention': small,
  'GET /api/organizations/{orgId}/log-stream': { ...large(1_000_000), atMost: 9_000_000 },
  'GET /api/organizations/{orgId}/access-review': large(80_000),
  'GET /api/organizations/{orgId}/access-review/export': { ...stream(1_000_000), blockedMs: 1_000 },
  'GET /api/organizations/{orgId}/usage': small,
  'GET /api/auth/account/usage': small,
  'GET /api/organizations/{orgId}/data-export/contents': small,
  'GET /api/organizations/{orgId}/data-export': { ...stream(1_000_000), blockedMs: 1_000 },
  'GET /api/organizations/{orgId}/webhooks': large(20_000),
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries': large(1_000_000),
  'GET /api/organizations/{orgId}/proposals': large(1_000_000),
  'GET /api/organizations/{orgId}/proposals/{proposalId}': large(500_000),
  'GET /api/organizations/{orgId}/proposals/{proposalId}/review': large(300_000),
  'GET /api/dashboards/{dashboardId}': { ...large(1_000_000), blockedMs: 100 },
  'GET /api/dashboards': large(100_000),
  'GET /api/dashboards/{dashboardId}/events': small,
  'GET /api/dashboards/{dashboardId}/comments': { ...large(600_000), ...nearlyLate },
  'GET /api/dashboards/{dashboardId}/mentionable': large(3_000),
  'GET /api/dashboards/{dashboardId}/display-links': small,
  'GET /api/display': large(500_000),
  'GET /api/display/results': { ...stream(1_000_000), ...nearlyLate },
  'GET /api/display/images/{imageId}': { ...small, problem: 'not_found' },
  'GET /api/dashboards/{dashboardId}/versions': large(10_000),
  'GET /api/dashboards/{dashboardId}/versions/{version}': large(500_000),
  'GET /api/dashboards/{dashboardId}/changes': { ...large(1_000_000), ...nearlyLate },
  'GET /api/dashboards/{dashboardId}/permissions': small,
  'GET /api/dashboards/{dashboardId}/access': large(100_000),
  'GET /api/dashboards/{dashboardId}/access/{userId}': small,
  'GET /api/trash/dashboards': large(1_000_000),
  'GET /api/organizations/{orgId}/dashboards/export': stream(1_000_000),
  'GET /api/organizations/{orgId}/folders': { ...large(600_000), ...nearlyLate },
  'GET /api/folders/{folderId}': small,
  'GET /api/folders/{folderId}/access': small,
  'GET /api/folders/{folderId}/access/{userId}': small,
  'GET /api/organizations/{orgId}/data-sources': large(50_000),
  'GET /api/data-sources/{dataSourceId}': small,
  'GET /api/dashboards/{dashboardId}/results': { ...stream(1_000_000), ...nearlyLate },
  'GET /api/dashboards/{dashboardId}/export': { ...tooLarge, ...nearlyLate },
  'GET /api/dashboards/{dashboardId}/widgets/{widgetId}/export': small,
  'GET /api/reports/{reportId}': large(500_000),
  'GET /api/reports': large(1_000_000),
  'GET /api/reports/{reportId}/dashboards': large(5_000),
  'GET /api/reports/{reportId}/versions': large(10_000),
  'GET /api/reports/{reportId}/versions/{version}': large(500_000),
  'GET /api/reports/{reportId}/changes': large(60_000),
  'GET /api/reports/{reportId}/result.csv': small,
  'GET /api/reports/{reportId}/parameters/{parameter}/values': large(200_000),
  'GET /api/reports/{reportId}/permissions': small,
  'GET /api/reports/{reportId}/access': small,
  'GET /api/reports/{reportId}/access/{userId}': small,
  'GET /api/data-sources/{dataSourceId}/permissions': small,
  'GET /api/data-sources/{dataSourceId}/access': small,
  'GET /api/data-sources/{dataSourceId}/access/{userId}': small,
  'GET /api/trash/reports': large(1_000_000),
  'GET /api/data-sources/{dataSourceId}/tables': small,
  'GET /api/data-sources/{dataSourceId}/tables/{table}/preview': small,
  'GET /api/organizations/{orgId}/images': large(100_000),
  'GET /api/organizations/{orgId}/images/{imageId}': small,
  'GET /api/data-sources/{dataSourceId}/models': large(1_000_000),
  'GET /api/data-sources/{dataSourceId}/uses': small,
  'GET /api/organizations/{orgId}/trash/tables': large(70_000),
  'GET /api/organizations/{orgId}/trash/data-sources': large(60_000),
  'GET /api/health/live': small,
  'GET /api/health/ready': small,
  'GET /api/set-up': small,
  'GET /api/server': small,
};
