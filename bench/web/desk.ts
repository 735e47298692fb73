import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Dashboard, WidgetInput } from '#contract/dashboards/dashboards.ts';
import type { Report } from '#contract/reports/reports.ts';
import { atEndOf, type Owner } from '../../tests/support/endings.ts';
import { startBrowser } from '../../tests/support/browser.ts';
import { send, sendForId, signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import type { Account } from '../load/requests.ts';

/** A real server with dashboards, and a browser. */
export interface WebDesk {
  readonly url: string;
  readonly browser: Browser;
  readonly account: Account;
  readonly isQuick: boolean;
  readonly sample: OpenableDashboard;
  /** A dashboard of fifty different reports. */
  readonly full: OpenableDashboard;
  /** A dashboard without charts. */
  readonly plain: OpenableDashboard;
  /** Opens a new browser that is signed in and has an empty cache. */
  newContext(): Promise<BrowserContext>;
}

export interface OpenableDashboard {
  readonly id: string;
  readonly name: string;
  readonly widgetCount: number;
  /** How many of its widgets are charts, on a canvas. */
  readonly chartCount: number;
}

const fullCount = 50;
const withoutCanvas: readonly string[] = ['table', 'number', 'text'];

export async function startWebDesk(owner: Owner, { isQuick }: { isQuick: boolean }): Promise<WebDesk> {
  const server = await startAtrium(makeTemporaryDirectory());
  atEndOf(owner, () => server.stop());
  const browser = await startBrowser(owner);
  const { origin } = server;
  // The public URL, by which the server recognizes its own pages.
  const url = origin.replace('127.0.0.1', 'localhost');
  const account = await signIn(origin);
  const headers = { cookie: account.cookie, 'content-type': 'application/json' };
  const read = (path: string) => send(origin, { name: path, method: 'GET', path, headers, status: 200 });
  const create = (path: string, body: object) =>
    sendForId(origin, { name: path, method: 'POST', path, headers, status: 201, body: JSON.stringify(body) });

  const { organizationId } = account;
  const path = `/api/organizations/${organizationId}/sample`;
  const added = await send(origin, { name: path, method: 'POST', path, headers, status: 201, body: '{}' });
  // Sound, like those below, because the contract describes it.
  const { dashboardId } = added as { dashboardId: string };
  const { name, widgets } = (await read(`/api/dashboards/${dashboardId}`)) as Dashboard;
  const reports: Report[] = [];
  for (const { reportId } of widgets) reports.push((await read(`/api/reports/${reportId}`)) as Report);

  const copyReport = (
    { id: _, userId: __, createdAt: ___, updatedAt: ____, ...report }: Report,
    number: number,
  ) =>
    create('/api/reports', {
      ...report,
      name: `${report.name} ${number}`,
      query: `${report.query}\n-- ${number}`,
      cacheSeconds: 86_400,
    });
  const makeDashboard = async (name: string, originals: readonly Report[]): Promise<OpenableDashboard> => {
    const inputs: WidgetInput[] = [];
    for (const [index, report] of originals.entries()) {
      const layout = { x: (index % 4) * 3, y: Math.floor(index / 4) * 5, w: 3, h: 5 };
      inputs.push({ reportId: await copyReport(report, index), layout });
    }
    const id = await create('/api/dashboards', { name, organizationId, widgets: inputs });
    return { id, name, widgetCount: originals.length, chartCount: countCharts(originals) };
  };
  const fifty = Array.from({ length: fullCount }, (_, index) => reports[index % reports.length]).filter(
    (report) => report !== undefined,
  );
  return {
    url,
    browser,
    account,
    isQuick,
    sample: { id: dashboardId, name, widgetCount: widgets.length, chartCount: countCharts(reports) },
    full: await makeDashboard('Fifty widgets', fifty),
    plain: await makeDashboard(
      'Without a chart',
      reports.filter((report) => !isChart(report)),
    ),
    async newContext() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const [cookieName = '', value = ''] = account.cookie.split('=');
      await context.addCookies([{ name: cookieName, value, url }]);
      return context;
    },
  };
}

const isChart = ({ visualization }: Report) => !withoutCanvas.includes(visualization.kind);
const countCharts = (reports: readonly Report[]) => reports.filter(isChart).length;

/** An expression for a page: whether a dashboard is shown with all of its charts. */
export const isDrawn = ({ widgetCount, chartCount }: OpenableDashboard): string =>
  `(document.querySelectorAll('main [aria-labelledby^=widget-]').length >= ${widgetCount} &&
    document.querySelectorAll('main [role=img]:has(canvas)').length >= ${chartCount} &&
    document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') === null)`;

/** Resolves in a page with the time since the expression `start`, one frame after `condition` has become true. */
export const timeUntil = (condition: string, start: string): string =>
  `new Promise((done) => {
    const look = () => {
      if (!${condition}) return void requestAnimationFrame(look);
      requestAnimationFrame(() => done(performance.now() - ${start}));
    };
    look();
  })`;

/** Opens a dashboard by its URL and waits until it is rendered. */
export async function openDrawn(page: Page, url: string, dashboard: OpenableDashboard): Promise<void> {
  await page.goto(`${url}/dashboards/${dashboard.id}`);
  await page.evaluate(timeUntil(isDrawn(dashboard), '0'));
}

/** Opens the list of dashboards. */
export async function openList(page: Page, { url, account }: WebDesk): Promise<void> {
  await page.goto(`${url}/organizations/${account.organizationId}/dashboards`);
  await page.getByRole('table').waitFor();
}
