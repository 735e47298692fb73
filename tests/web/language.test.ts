import { test } from 'node:test';
import type { Page } from '@playwright/test';
import type { Person } from '../support/server/test-server.ts';
import { startDashboardDesk, type DashboardDesk } from './dashboards/desk.ts';
import { assertAccessible, expect } from './web-office.ts';

const german = { locale: 'de-DE' };
const widths = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;

/** The pages that people see most, each with a text that is on it once it is loaded. */
async function pagesOf({ organizationId, reports, createDashboard }: DashboardDesk) {
  const { id } = await createDashboard([[0, 0, 6, 4]]);
  const organization = `/organizations/${organizationId}`;
  return [
    [`${organization}/dashboards`, 'Neues Dashboard'],
    [`/dashboards/${id}`, 'Bearbeiten'],
    [`/dashboards/${id}/edit`, 'Kachel hinzufügen'],
    [`/reports/${reports['Delays']}/edit`, 'Speichern'],
    [`${organization}/settings`, 'Name speichern'],
    [`${organization}/members`, 'Personen einladen'],
  ] as const;
}

const hasNoOverflow = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);

test('people with a German browser sign in and work in German, on a phone too', async (context) => {
  const desk = await startDashboardDesk(context);
  const signIn = await desk.open('/sign-in', undefined, german);
  await expect(signIn.getByRole('heading', { name: 'Anmelden' })).toBeVisible();
  await expect(signIn.locator('html')).toHaveAttribute('lang', 'de');
  await assertAccessible(signIn);
  const pages = await pagesOf(desk);
  for (const viewport of widths) {
    const page = await desk.open(pages[0][0], desk.owner, { ...german, viewport });
    for (const [path, text] of pages) {
      await page.goto(`${desk.url}${path}`);
      await expect(
        page
          .getByText(text, { exact: true })
          .or(page.getByLabel(text, { exact: true }))
          .first(),
      ).toBeAttached();
      await assertAccessible(page);
      await hasNoOverflow(page);
    }
  }
});

test('a person chooses the language of the pages in the account menu', async (context) => {
  const desk = await startDashboardDesk(context);
  const page = await desk.open(`/organizations/${desk.organizationId}/members`, desk.owner, german);
  await page.getByRole('button', { name: /^Konto von/ }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await assertAccessible(page);
  await page.getByRole('menuitemradio', { name: 'Automatic' }).click();
  await expect(page.getByRole('heading', { name: 'Mitglieder' })).toBeVisible();
});

/** Opens a page in a language whose messages are the English ones in brackets. */
async function openInBrackets(desk: DashboardDesk, path: string, person: Person): Promise<Page> {
  const page = await desk.open('/sign-in', person, german);
  await page.route(/\/assets\/de-[^/]*[.]js$/, async (route) => {
    const script = await (await route.fetch()).text();
    const { default: catalog } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
      default: Record<string, string>;
    };
    const messages = Object.fromEntries(Object.keys(catalog).map((message) => [message, `⟦${message}⟧`]));
    await route.fulfill({
      contentType: 'text/javascript',
      body: `export default ${JSON.stringify(messages)}`,
    });
  });
  await page.goto(`${desk.url}${path}`);
  return page;
}

/** Returns the words of a text that are in no brackets. */
function outsideOfBrackets(text: string): string[] {
  let depth = 0;
  const outside = Array.from(text, (character) => {
    if (character === '⟦') depth += 1;
    if (character === '⟧') depth -= 1;
    return depth === 0 && character !== '⟧' ? character : character === '\n' ? '\n' : ' ';
  });
  return outside.join('').match(/\p{L}{3,}/gu) ?? [];
}

test('no text of the pages is missing in the catalogs', async (context) => {
  const desk = await startDashboardDesk(context);
  const pages = await pagesOf(desk);
  // What people named or typed, values, and names of products, time zones and currencies.
  const data = new Set(
    'Ada ada example com test Organization Atrium Traffic Delays Flights Files UTC SELECT Uploaded none English Deutsch'.split(
      ' ',
    ),
  );
  for (const [path] of pages) {
    const page = await openInBrackets(desk, path, desk.owner);
    await expect(page.getByText('⟦Settings⟧').first()).toBeAttached();
    await expect(page.locator('main').getByText('⟦').first()).toBeVisible();
    await expect(page.getByText('⟦Loading⟧')).toHaveCount(0);
    // Read together: a list could load in between. The browser writes times, such as “the day before yesterday”.
    const { text, times } = await page.evaluate(() => ({
      text: document.body.innerText,
      times: [...document.querySelectorAll('time')].map(({ innerText }) => innerText),
    }));
    const timeWords = new Set(times.flatMap((time) => time.match(/\p{L}+/gu) ?? []));
    const words = outsideOfBrackets(text).filter((word) => !data.has(word) && !timeWords.has(word));
    expect([path, words]).toEqual([path, []]);
  }
});
