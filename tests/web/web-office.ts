import assert from 'node:assert/strict';
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
import { startTestServer, type Person, type TestServer } from '../support/server/test-server.ts';

/** How long a page may take to show what it is to show. A busy machine is no fault; nothing waits this long otherwise. */
const patienceMs = 120_000;

/** Playwright's, with the patience of these tests. */
export const expect = playwrightExpect.configure({ timeout: patienceMs });

/** The built application on a real server, and a real browser in front of it. */
export interface WebServer {
  readonly server: TestServer;
  readonly url: string;
  readonly browser: Browser;
  /** Opens a page of a browser of its own at `path`, signed in as `person` unless that is undefined. */
  open(path: string, person?: Person, options?: BrowserContextOptions): Promise<Page>;
  /** Tells that the test expects this in a browser's console, which otherwise fails it. */
  expectConsole(pattern: RegExp): void;
}

/** A server with people on it. */
export interface WebOffice extends WebServer {
  readonly owner: Person;
  readonly organizationId: string;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts an office whose owner is Ada, who owns an organization. */
export async function startWebOffice(
  owner: Owner,
  environment: Readonly<Record<string, string>> = {},
): Promise<WebOffice> {
  const web = await startWebServer(owner, environment);
  const ada = await web.server.createPerson('Ada');
  return { ...web, owner: ada, organizationId: await web.server.createOrganization(ada) };
}

/**
 * Starts a server that nobody has an account on. When a page throws, breaks its own policy or logs an error that the
 * test did not expect, the test fails.
 */
export async function startWebServer(
  owner: Owner,
  environment: Readonly<Record<string, string>> = {},
): Promise<WebServer> {
  assert.ok(
    existsSync(new URL('../../dist/web/index.html', import.meta.url)),
    'run: node scripts/setup.mjs --web',
  );
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const server = await startTestServer(owner, 'SQLite', { ATRIUM_PUBLIC_URL: url, ...environment });
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
    expectConsole: (pattern) => void expected.push(pattern),
    async open(path, person, options) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      if (person !== undefined) await context.addCookies([{ name: sessionCookie, value: person.token, url }]);
      context.on('weberror', (error) => void complaints.push(String(error.error().stack)));
      context.on('console', (message) => {
        // An answer that is a problem is told by the page itself.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text());
      });
      const page = await context.newPage();
      page.setDefaultTimeout(patienceMs);
      await page.goto(`${url}${path}`);
      return page;
    },
  };
}

/** Throws unless axe-core finds nothing on the page as it is, in the light theme and in the dark one. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated by the browser's debugger, which the policy of the page does not bind.
  await page.evaluate(axeSource);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const faults = await page.evaluate<string[]>(`axe
      .run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' | '))))`);
    assert.deepEqual(faults, [], `${page.url()} in the ${colorScheme} theme`);
  }
}
