import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiProblem } from './api.ts';
import { readTrashSearch } from '../trash/search.ts';
import { readDashboardSearch, readTabSearch } from '../dashboards/view/search.ts';
import { readInterval, readPresentSearch } from '../dashboards/present/search.ts';
import { readListSearch } from '../dashboards/list/search.ts';
import { readReviewSearch } from '../access-review/search.ts';
import { readAuditSearch } from '../organizations/audit/search.ts';
import { readReportSearch, readTableSearch } from '../explore/search.ts';
import { readHistorySearch } from '../history/search.ts';
import { readProposalsSearch } from '../proposals/search.ts';
import { readNewReportSearch } from '../reports/new/search.ts';
import { readSignInSearch } from '../sign-in/search.ts';
import { loadDashboard, loadReport, loadSource, type RouterContext } from './loaders.ts';
import { paths } from './paths.ts';
import { Root } from './shell/Root.tsx';
import type { Place } from './palette/places.ts';
import { NotFound, PageFailure, PagePending } from './shell/states.tsx';
import { loadChunk } from '../ui/connection/chunks.ts';
import { lastOrganization } from '../ui/browser/last-organization.ts';
import { signInAddress } from '../ui/browser/return-to.ts';
import { parseSearch, stringifySearch } from '../ui/browser/search.ts';
import { organizationsQuery, sessionQuery } from '../ui/server-data/session.ts';

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
    // Pages write dates and numbers as their organization does. Those that don't need it open without.
    await context.queryClient.query({ ...organizationsQuery, staleTime: 'static' }).catch(() => undefined);
  },
};

/** A page whose code is loaded when it is opened. */
const lazyPage = <Name extends string>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, () => ReactNode>>>,
) => lazyRouteComponent(() => loadChunk(name, load), name);

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

type Search = Readonly<Record<string, unknown>>;

// Not inline in `addChildren`, whose parameter type would replace the type of each route.
const pages = [
  home,
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.signIn,
    validateSearch: readSignInSearch,
    component: lazyPage('SignInPage', () => import('../sign-in/SignInPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.forgotPassword,
    validateSearch: ({ email }: Search): { email?: string } => (typeof email === 'string' ? { email } : {}),
    component: lazyPage('ForgotPasswordPage', () => import('../sign-in/ForgotPasswordPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.resetPassword,
    component: lazyPage('ResetPasswordPage', () => import('../sign-in/ResetPasswordPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.restoreOrganization,
    component: lazyPage('RestoreOrganizationPage', () => import('../sign-in/RestoreOrganizationPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.link,
    component: lazyPage('LinkPage', () => import('../sign-in/LinkPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.setUp,
    component: lazyPage('SetUpPage', () => import('../sign-in/set-up/SetUpPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.invitation,
    component: lazyPage('InvitationPage', () => import('../sign-in/invitation/InvitationPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.privateDashboards,
    validateSearch: readListSearch,
    component: lazyPage(
      'PrivateDashboardsPage',
      () => import('../dashboards/list/PrivateDashboardsPage.tsx'),
    ),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboards,
    validateSearch: readListSearch,
    component: lazyPage('DashboardsPage', () => import('../dashboards/list/DashboardsPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboard,
    staticData: { place: paths.dashboards, isWide: true },
    validateSearch: readDashboardSearch,
    loader: loadDashboard,
    component: lazyPage('DashboardPage', () => import('../dashboards/view/DashboardPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboardEdit,
    staticData: { place: paths.dashboards, isWide: true },
    validateSearch: readTabSearch,
    loader: loadDashboard,
    component: lazyPage('DashboardEditPage', () => import('../dashboards/edit/DashboardEditPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    ...bare,
    path: paths.present,
    validateSearch: readPresentSearch,
    loader: loadDashboard,
    component: lazyPage('PresentPage', () => import('../dashboards/present/PresentPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...bare,
    path: paths.display,
    validateSearch: readInterval,
    component: lazyPage('DisplayPage', () => import('../dashboards/display/DisplayPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dashboardHistory,
    staticData: { place: paths.dashboards },
    validateSearch: readHistorySearch,
    loader: loadDashboard,
    component: lazyPage(
      'DashboardHistoryPage',
      () => import('../dashboards/history/DashboardHistoryPage.tsx'),
    ),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.proposals,
    validateSearch: readProposalsSearch,
    component: lazyPage('ProposalsPage', () => import('../proposals/ProposalsPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.proposal,
    staticData: { place: paths.proposals, isWide: true },
    component: lazyPage('ProposalPage', () => import('../proposals/ProposalPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.trash,
    validateSearch: readTrashSearch,
    component: lazyPage('TrashPage', () => import('../trash/TrashPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.reports,
    validateSearch: ({ q, source, folder }: Search): { q?: string; source?: string; folder?: string } => ({
      ...(typeof q === 'string' && q !== '' && { q }),
      ...(typeof source === 'string' && { source }),
      ...(typeof folder === 'string' && folder !== '' && { folder: folder.slice(0, 100) }),
    }),
    component: lazyPage('ReportsPage', () => import('../reports/list/ReportsPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.newReport,
    staticData: { isWide: true },
    validateSearch: readNewReportSearch,
    component: lazyPage('NewReportPage', () => import('../reports/edit/NewReportPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.report,
    staticData: { place: paths.reports },
    // Each value belongs to a parameter of the report.
    validateSearch: (search: Search): Search => search,
    loader: loadReport,
    component: lazyPage('ReportPage', () => import('../reports/view/ReportPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.reportEdit,
    staticData: { place: paths.reports, isWide: true },
    validateSearch: ({ write }: Search): { write?: 'sql' } => (write === 'sql' ? { write } : {}),
    loader: loadReport,
    component: lazyPage('ReportEditPage', () => import('../reports/edit/ReportEditPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.reportHistory,
    staticData: { place: paths.reports },
    validateSearch: readHistorySearch,
    loader: loadReport,
    component: lazyPage('ReportHistoryPage', () => import('../reports/ReportHistoryPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.dataSources,
    component: lazyPage('DataSourcesPage', () => import('../data-sources/DataSourcesPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.newDataSource,
    validateSearch: ({ kind }: Search): { kind?: string } => (typeof kind === 'string' ? { kind } : {}),
    component: lazyPage('NewDataSourcePage', () => import('../data-sources/NewDataSourcePage.tsx')),
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
    component: lazyPage('DataSourcePage', () => import('../data-sources/DataSourcePage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.describeTable,
    staticData: { place: paths.dataSources },
    validateSearch: ({ table, schema }: Search): { table: string; schema: string } => ({
      table: typeof table === 'string' ? table : '',
      schema: typeof schema === 'string' ? schema : '',
    }),
    loader: loadSource,
    component: lazyPage('DescribeTablePage', () => import('../models/DescribeTablePage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.exploreTable,
    staticData: { place: paths.dataSources, isWide: true },
    validateSearch: readTableSearch,
    loader: loadSource,
    component: lazyPage('ExploreTablePage', () => import('../explore/ExploreTablePage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.exploreReport,
    staticData: { place: paths.reports, isWide: true },
    validateSearch: readReportSearch,
    loader: loadReport,
    component: lazyPage('ExploreReportPage', () => import('../explore/ExploreReportPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.members,
    validateSearch: ({ open }: Search): { open?: 'invite' } => (open === 'invite' ? { open } : {}),
    component: lazyPage('MembersPage', () => import('../organizations/members/MembersPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.organization,
    component: lazyPage('OrganizationPage', () => import('../organizations/OrganizationPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.accessReview,
    validateSearch: readReviewSearch,
    component: lazyPage('AccessReviewPage', () => import('../access-review/AccessReviewPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.audit,
    validateSearch: readAuditSearch,
    component: lazyPage('AuditPage', () => import('../organizations/audit/AuditPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.accessLog,
    validateSearch: readAuditSearch,
    component: lazyPage('AccessLogPage', () => import('../organizations/access-log/AccessLogPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.sso,
    component: lazyPage('SsoPage', () => import('../sso/SsoPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.ssoConnection,
    component: lazyPage('SsoConnectionPage', () => import('../sso/SsoConnectionPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.ssoTest,
    component: lazyPage('SsoTestPage', () => import('../sso/test/SsoTestPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.server,
    component: lazyPage('ServerPage', () => import('../server/ServerPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.confirmed,
    component: lazyPage('ConfirmedPage', () => import('../sign-in/ConfirmedPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.account,
    component: lazyPage('AccountPage', () => import('../sign-in/account/AccountPage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.device,
    component: lazyPage('DevicePage', () => import('../tokens/consent/DevicePage.tsx')),
  }),
  createRoute({
    getParentRoute,
    ...signedIn,
    path: paths.authorize,
    component: lazyPage('AuthorizePage', () => import('../tokens/consent/AuthorizePage.tsx')),
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
