// `npm run screenshots`: takes screenshots of each page in both themes and three widths, and the pictures in the README.
//   npm run screenshots -- [DIRECTORY] [--only NAME,…] [--readme]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { endAll } from '../tests/support/endings.ts';
import { screenshotPages, type ScreenshotPage } from './screenshot-pages.ts';
import { startSampleOffice, type SampleOffice } from '../tests/web/sample-office.ts';

const widths = [360, 1280, 1920];
const heights: Readonly<Record<number, number>> = { 360: 740, 1280: 800, 1920: 1080 };
const themes = ['light', 'dark'] as const;
const imageDirectory = join(import.meta.dirname, '..', 'docs', 'images');
/** The server's clock does not advance, and the browser's must agree with it. */
const now = new Date(Date.UTC(2026, 10, 21, 9, 40));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, readme: { type: 'boolean', default: false } },
});
const directory = positionals[0] ?? 'screenshots';
const names = values.only?.split(',');

const endings: (() => unknown)[] = [];
const world = await startSampleOffice({ after: (end) => void endings.push(end as () => unknown) });
try {
  mkdirSync(directory, { recursive: true });
  mkdirSync(imageDirectory, { recursive: true });
  for (const screenshot of screenshotPages.filter(({ name }) => names?.includes(name) ?? true)) {
    for (const theme of themes) await take(world, screenshot, theme);
    console.log(screenshot.name);
  }
} finally {
  await endAll(endings);
}

async function take(world: SampleOffice, screenshot: ScreenshotPage, theme: 'light' | 'dark'): Promise<void> {
  const { name, inReadme, act } = screenshot;
  if (values.readme && inReadme !== theme) return;
  const page = await open(world, screenshot, theme);
  await settle(page);
  if (act !== undefined) {
    await act(page);
    await settle(page);
  }
  if (inReadme === theme) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await settle(page);
    await page.screenshot({ path: join(imageDirectory, `${name}.webp`), type: 'webp', quality: 80 });
  }
  for (const width of values.readme ? [] : widths) {
    await page.setViewportSize({ width, height: heights[width] ?? 800 });
    await settle(page);
    await page.screenshot({ path: join(directory, `${name}-${width}-${theme}.png`) });
  }
  await page.context().close();
}

async function open(
  { office, people, ...world }: SampleOffice,
  { path, as = 'owner' }: Omit<ScreenshotPage, 'as'> & { readonly as?: 'owner' | 'viewer' | 'nobody' },
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  const context = await office.browser.newContext({
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  });
  if (as !== 'nobody') {
    await context.addCookies([{ name: sessionCookie, value: people[as].token, url: office.url }]);
  }
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  await page.goto(`${office.url}${path({ office, people, ...world })}`);
  return page;
}

/** Waits until nothing on the page is loading, and the last result is rendered. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  const waiting = page.locator('.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true]');
  await expect(waiting).toHaveCount(0, { timeout: 30_000 });
  await page.evaluate('document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 300)))');
}
