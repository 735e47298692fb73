import type { Page } from '@playwright/test';
import type { SampleOffice } from '../tests/web/sample-office.ts';

/** A page of which to take screenshots, at every width in both themes. */
export interface ScreenshotPage {
  readonly name: string;
  readonly path: (office: SampleOffice) => string;
  /** The role of the person who views it. Default: the owner. */
  readonly as?: 'viewer' | 'nobody';
  /** What to do on it before the screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The theme in which it is in the README, if it is. */
  readonly inReadme?: 'light' | 'dark';
}

const ofOrganization =
  (rest: string) =>
  ({ organizationId }: SampleOffice): string =>
    `/organizations/${organizationId}/${rest}`;

/** Every page with screenshots. Add a line for each new page. */
export const screenshotPages: readonly ScreenshotPage[] = [
  { name: 'set-up', as: 'nobody', path: () => '/set-up#a-token' },
  { name: 'sign-in', as: 'nobody', path: () => '/sign-in' },
  { name: 'forgot-password', as: 'nobody', path: () => '/forgot-password' },
  { name: 'reset-password', as: 'nobody', path: () => '/reset-password#a-token' },
  { name: 'restore-organization', as: 'nobody', path: () => '/restore-organization#a-token' },
  { name: 'sign-in-link', as: 'nobody', path: () => '/sign-in/link#a-token' },
  { name: 'invitation', as: 'nobody', path: ({ invitationToken }) => `/invitation#${invitationToken}` },
  { name: 'dashboards', path: ofOrganization('dashboards') },
  {
    name: 'dashboards-first',
    path: ({ emptyOrganizationId }) => `/organizations/${emptyOrganizationId}/dashboards`,
  },
  { name: 'dashboards-viewer', as: 'viewer', path: ofOrganization('dashboards?show=starred') },
  { name: 'dashboards-own', path: () => '/dashboards' },
  { name: 'dashboard-new', path: ofOrganization('dashboards?open=new') },
  {
    name: 'palette',
    path: ofOrganization('dashboards'),
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill('f');
    },
  },
  { name: 'shortcuts', path: ofOrganization('dashboards'), act: (page) => page.keyboard.press('?') },
  { name: 'dashboard', path: ({ dashboardId }) => `/dashboards/${dashboardId}`, inReadme: 'light' },
  { name: 'dashboard-edit', path: ({ dashboardId }) => `/dashboards/${dashboardId}/edit`, inReadme: 'dark' },
  { name: 'dashboard-present', path: ({ dashboardId }) => `/dashboards/${dashboardId}/present` },
  {
    name: 'dashboard-displays',
    path: ({ dashboardId }) => `/dashboards/${dashboardId}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Present' }).click();
      await page.getByRole('button', { name: 'Create a link' }).click();
    },
  },
  { name: 'display-refused', as: 'nobody', path: () => '/display#a-token' },
  { name: 'dashboard-history', path: ({ dashboardId }) => `/dashboards/${dashboardId}/history` },
  { name: 'proposals', path: ofOrganization('proposals') },
  { name: 'trash', path: ofOrganization('trash') },
  { name: 'reports', path: ofOrganization('reports') },
  { name: 'report', path: ({ reportId }) => `/reports/${reportId}`, inReadme: 'light' },
  { name: 'report-edit', path: ({ reportId }) => `/reports/${reportId}/edit`, inReadme: 'dark' },
  { name: 'report-new', path: ofOrganization('reports/new') },
  {
    name: 'query-builder',
    path: ofOrganization('reports/new'),
    inReadme: 'light',
    act: async (page) => {
      await page.getByRole('button', { name: /^flights/ }).click();
      await page.getByRole('button', { name: 'Count by date', exact: true }).click();
      await page.getByRole('img', { name: /chart/ }).waitFor();
    },
  },
  { name: 'report-explore', path: ({ reportId }) => `/reports/${reportId}/explore` },
  { name: 'report-history', path: ({ reportId }) => `/reports/${reportId}/history` },
  { name: 'data-sources', path: ofOrganization('data-sources') },
  { name: 'data-source', path: ({ dataSourceId }) => `/data-sources/${dataSourceId}` },
  { name: 'data-source-new', path: ofOrganization('data-sources/new') },
  { name: 'members', path: ofOrganization('members') },
  { name: 'sso', path: ofOrganization('sso') },
  {
    name: 'sso-add',
    path: ofOrganization('sso'),
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a directory' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'access-review', path: ofOrganization('access-review') },
  { name: 'audit', path: ofOrganization('audit') },
  { name: 'access-log', path: ofOrganization('access-log') },
  { name: 'settings', path: ofOrganization('settings') },
  { name: 'account', path: () => '/account' },
  { name: 'confirmed', path: () => '/confirmed' },
  { name: 'device', path: () => '/device' },
  {
    name: 'authorize',
    path: () =>
      '/oauth/authorize?response_type=code&client_id=atrium-cli&redirect_uri=http%3A%2F%2F127.0.0.1%3A40000%2Fcallback' +
      `&code_challenge_method=S256&code_challenge=${'x'.repeat(43)}&scope=read+dashboards:write&state=s`,
  },
  { name: 'server', path: () => '/server' },
  { name: 'not-found', path: () => '/nowhere' },
  { name: 'nothing-here', path: () => '/dashboards/00000000-0000-7000-8000-000000000000' },
];
