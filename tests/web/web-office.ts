import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  expect as playwrightExpect,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { startBrowser } from '../support/browser.ts';
import { atEndOf, type Owner } from '../support/endings.ts';
import { findFreePort } from '../support/network/free-port.ts';
import {
  startTestServer,
  type Person,
  type TestDatabase,
  type TestServer,
} from '../support/server/test-server.ts';

/** How long a page may take to show what a test expects. Only a busy machine takes this long, which is not a failure. */
const timeoutMs = 120_000;

/** Playwright's `expect` with the timeout of these tests. */
export const expect = playwrightExpect.configure({ timeout: timeoutMs });

/** The built application on a real server, and a real browser in front of it. */
export interface WebServer {
  readonly server: TestServer;
  readonly url: string;
  readonly browser: Browser;
  /** Opens `path` in a new browser context, signed in as `person` unless that is undefined. */
  open(path: string, person?: Person, options?: BrowserContextOptions): Promise<Page>;
  /** Closes the server's socket and every connection to it. */
  stopListening(): Promise<void>;
  /** Opens the socket again, at the same address. */
  listenAgain(): Promise<void>;
  /** Expects a message in the browser's console, which would otherwise fail the test. */
  expectConsole(pattern: RegExp): void;
}

/** A server with people on it. */
export interface WebOffice extends WebServer {
  readonly owner: Person;
  readonly organizationId: string;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts a server with an organization, whose owner is Ada. */
export async function startWebOffice(
  owner: Owner,
  environment: Readonly<Record<string, string>> = {},
): Promise<WebOffice> {
  const web = await startWebServer(owner, environment);
  const ada = await web.server.createPerson('Ada');
  return { ...web, owner: ada, organizationId: await web.server.createOrganization(ada) };
}

/**
 * Starts a server without accounts. The test fails when a page throws, violates its content security policy or logs an
 * error that the test did not expect.
 */
export async function startWebServer(
  owner: Owner,
  environment: Readonly<Record<string, string>> = {},
  opened?: TestDatabase,
): Promise<WebServer> {
  assert.ok(
    existsSync(new URL('../../dist/web/index.html', import.meta.url)),
    'run: node scripts/setup.mjs --web',
  );
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const server = await startTestServer(owner, 'SQLite', { ATRIUM_PUBLIC_URL: url, ...environment }, opened);
  const http = server.app.server;
  await server.app.listen({ host: '127.0.0.1', port });
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  atEndOf(owner, () => {
    const unexpected = complaints.filter((text) => !expected.some((pattern) => pattern.test(text)));
    assert.deepEqual(unexpected, [], 'pages complained');
  });
  const browser = await startBrowser(owner);
  return {
    server,
    url,
    browser,
    async stopListening() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
    async listenAgain() {
      http.listen(port, '127.0.0.1');
      await once(http, 'listening');
    },
    expectConsole: (pattern) => void expected.push(pattern),
    async open(path, person, options) {
      const context = await browser.newContext(options);
      if (person !== undefined) await context.addCookies([{ name: sessionCookie, value: person.token, url }]);
      context.on('weberror', (error) => void complaints.push(String(error.error().stack)));
      context.on('console', (message) => {
        // The page itself shows error responses.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text());
      });
      const page = await context.newPage();
      page.setDefaultTimeout(timeoutMs);
      await page.goto(`${url}${path}`);
      return page;
    },
  };
}

/** The rules whose result can differ between themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Throws if axe-core finds a fault on the page, in the light or in the dark theme. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated by the debugger, to which the page's content security policy doesn't apply. To send half a megabyte and to compile it
  // takes as long as to check the page.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axeSource);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await untilStill(page);
    const options = {
      preload: false,
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' && { runOnly: colorRules }),
    };
    const faults = await page.evaluate<string[]>(`axe
      .run(document, ${JSON.stringify(options)})
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' | '))))`);
    assert.deepEqual(faults, [], `${page.url()} in the ${colorScheme} theme`);
  }
}

/** Resolves when nothing on the page moves or fades any more, apart from what moves forever, as while something loads. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (;;) {
      const moving = document.getAnimations().filter(({ playState, effect }) =>
        playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
      if (moving.length === 0) return;
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  })()`);
}
