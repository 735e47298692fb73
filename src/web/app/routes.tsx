import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiProblem } from './api.ts';
import { readTrashSearch } from '../trash/search.ts';
import { dashboardQuery } from '../dashboards/queries.ts';
import { readDashboardSearch } from '../dashboards/view/search.ts';
import { readListSearch } from '../dashboards/list/search.ts';
import { readAuditSearch } from '../organizations/audit/search.ts';
import { readHistorySearch } from '../history/search.ts';
import { paths } from './paths.ts';
import { Root } from './shell/Root.tsx';
import type { Place } from './palette/places.ts';
import { NotFound, PageFailure, PagePending } from './shell/states.tsx';
import { reportQuery } from '../reports/queries.ts';
import { dataSourceQuery } from '../ui/server-data/data-source-queries.ts';
import { lastOrganization } from '../ui/browser/last-organization.ts';
import { signInAddress } from '../ui/browser/return-to.ts';
import { parseSearch, stringifySearch } from '../ui/browser/search.ts';
import { organizationsQuery, sessionQuery } from '../ui/server-data/session.ts';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Root });

/** For pages that require a session: people without one sign in and then return to the page. */
const signedIn = {
  async beforeLoad({
    context,
    location,
  }: {
    context: RouterContext;
    location: { href: string };
  }): Promise<void> {
    try {
      await context.queryClient.query({ ...sessionQuery, staleTime: 'static' });
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'unauthenticated') {
        throw redirect({ href: signInAddress(location.href) });
      }
      throw error;
    }
  },
};
const bare = { staticData: { isBare: true } };
const getParentRoute = () => rootRoute;

/** `/` redirects to the dashboards of the organization that was opened last. */
const home = createRoute({
  getParentRoute,
  ...signedIn,
  path: paths.home,
  async loader({ context }): Promise<never> {
    const organizations = await context.queryClient.query({ ...organizationsQuery, staleTime: 'static' });
    const last = lastOrganization();
    const orgId = organizations.find(({ id }) => id === last)?.id ?? organizations[0]?.id;
    if (orgId === undefined) throw redirect({ to: paths.privateDashboards });
    throw redirect({ to: paths.dashboards, params: { orgId } });
  },
});

function readSignInSearch({ returnTo, email, tile }: Readonly<Record<string, unknown>>): {
  returnTo?: string;
  email?: string;
  /** The organization whose directory a link from elsewhere opens. */
  tile?: string;
} {
  return {
    ...(typeof returnTo === 'string' && { returnTo }),
    ...(typeof email === 'string' && { email }),
    ...(typeof tile === 'string' && { tile }),
  };
}

/** The organization of a data source, for the frame around its page. */
async function loadSource({
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

/** The organization of a report, as above. */
async function loadReport({
  context,
  params: { reportId },
}: {
  context: RouterContext;
  params: { reportId: string };
}): Promise<{ organizationId: string }> {
  const { report } = await context.queryClient.query({ ...reportQuery(reportId), staleTime: 'static' });
  return { organizationId: report.organizationId };
}

type Search = Readonly<Record<string, unknown>>;

/** The organization of a dashboard, as above; undefined for a private one. */
async function loadDashboard({
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

// Not inline in `addChildren`, whose parameter type would replace the type of each route.
const pages = [
  home,
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.signIn,
    validateSearch: readSignInSearch,
    component: lazyRouteComponent(() => import('../sign-in/SignInPage.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.forgotPassword,
    validateSearch: ({ email }: Search): { email?: string } => (typeof email === 'string' ? { email } : {}),
    component: lazyRouteComponent(() => import('../sign-in/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.resetPassword,
    component: lazyRouteComponent(() => import('../sign-in/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.link,
    component: lazyRouteComponent(() => import('../sign-in/LinkPage.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.setUp,
    component: lazyRouteComponent(() => import('../sign-in/set-up/SetUpPage.tsx'), 'SetUpPage'),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.invitation,
    component: lazyRouteComponent(() => import('../sign-in/invitation/InvitationPage.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.privateDashboards,
    validateSearch: readListSearch,
    component: lazyRouteComponent(
      () => import('../dashboards/list/PrivateDashboardsPage.tsx'),
      'PrivateDashboardsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboards,
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('../dashboards/list/DashboardsPage.tsx'), 'DashboardsPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboard,
    staticData: { place: paths.dashboards, isWide: true },
    validateSearch: readDashboardSearch,
    loader: loadDashboard,
    component: lazyRouteComponent(() => import('../dashboards/view/DashboardPage.tsx'), 'DashboardPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboardEdit,
    staticData: { place: paths.dashboards, isWide: true },
    loader: loadDashboard,
    component: lazyRouteComponent(
      () => import('../dashboards/edit/DashboardEditPage.tsx'),
      'DashboardEditPage',
    ),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboardHistory,
    staticData: { place: paths.dashboards },
    validateSearch: readHistorySearch,
    loader: loadDashboard,
    component: lazyRouteComponent(
      () => import('../dashboards/history/DashboardHistoryPage.tsx'),
      'DashboardHistoryPage',
    ),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.trash,
    validateSearch: readTrashSearch,
    component: lazyRouteComponent(() => import('../trash/TrashPage.tsx'), 'TrashPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.reports,
    validateSearch: ({ q, source }: Search): { q?: string; source?: string } => ({
      ...(typeof q === 'string' && q !== '' && { q }),
      ...(typeof source === 'string' && { source }),
    }),
    component: lazyRouteComponent(() => import('../reports/list/ReportsPage.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.newReport,
    staticData: { isWide: true },
    validateSearch: ({ source }: Search): { source?: string } =>
      typeof source === 'string' ? { source } : {},
    component: lazyRouteComponent(() => import('../reports/edit/NewReportPage.tsx'), 'NewReportPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.report,
    staticData: { place: paths.reports },
    // Each value belongs to a parameter of the report.
    validateSearch: (search: Search): Search => search,
    loader: loadReport,
    component: lazyRouteComponent(() => import('../reports/view/ReportPage.tsx'), 'ReportPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.reportEdit,
    staticData: { place: paths.reports, isWide: true },
    loader: loadReport,
    component: lazyRouteComponent(() => import('../reports/edit/ReportEditPage.tsx'), 'ReportEditPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.reportHistory,
    staticData: { place: paths.reports },
    validateSearch: readHistorySearch,
    loader: loadReport,
    component: lazyRouteComponent(() => import('../reports/ReportHistoryPage.tsx'), 'ReportHistoryPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dataSources,
    component: lazyRouteComponent(() => import('../data-sources/DataSourcesPage.tsx'), 'DataSourcesPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.newDataSource,
    validateSearch: ({ kind }: Search): { kind?: string } => (typeof kind === 'string' ? { kind } : {}),
    component: lazyRouteComponent(() => import('../data-sources/NewDataSourcePage.tsx'), 'NewDataSourcePage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dataSource,
    staticData: { place: paths.dataSources },
    validateSearch: ({ table, schema }: Search): { table?: string; schema?: string } => ({
      ...(typeof table === 'string' && { table }),
      ...(typeof schema === 'string' && { schema }),
    }),
    loader: loadSource,
    component: lazyRouteComponent(() => import('../data-sources/DataSourcePage.tsx'), 'DataSourcePage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.members,
    validateSearch: ({ open }: Search): { open?: 'invite' } => (open === 'invite' ? { open } : {}),
    component: lazyRouteComponent(() => import('../organizations/members/MembersPage.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.organization,
    component: lazyRouteComponent(() => import('../organizations/OrganizationPage.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.audit,
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('../organizations/audit/AuditPage.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.sso,
    component: lazyRouteComponent(() => import('../sso/SsoPage.tsx'), 'SsoPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.ssoTest,
    component: lazyRouteComponent(() => import('../sso/test/SsoTestPage.tsx'), 'SsoTestPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.server,
    component: lazyRouteComponent(() => import('../server/ServerPage.tsx'), 'ServerPage'),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.account,
    component: lazyRouteComponent(() => import('../sign-in/account/AccountPage.tsx'), 'AccountPage'),
  }),
] as const;
const routeTree = rootRoute.addChildren(pages);

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the router's type is made of all the routes'.
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: PageFailure,
    defaultPendingComponent: PagePending,
    defaultNotFoundComponent: NotFound,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface StaticDataRouteOption {
    /** Without the frame around pages. */
    isBare?: boolean;
    /** As wide as the window. */
    isWide?: boolean;
    /** The page of the organization above this one, if the URL doesn't show it. */
    place?: Place['to'];
  }
}
