// `npm run screenshots:sso`: follows the steps of docs/sso-entra.md, and takes its pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { endAll } from '../tests/support/endings.ts';
import { copied, domain, createContoso, startSurroundings, tenantId } from '../tests/web/sso/office.ts';
import { startWebServer } from '../tests/web/web-office.ts';

const imageDirectory = join(import.meta.dirname, '..', 'docs', 'images');
/** The server's clock does not advance, and the browser's must agree with it. */
const now = new Date(Date.UTC(2026, 10, 21, 9, 1));

const endings: (() => unknown)[] = [];
const owner = { after: (end: unknown) => void endings.push(end as () => unknown) };
try {
  mkdirSync(imageDirectory, { recursive: true });
  const { directory, dns, environment, becomePerson } = await startSurroundings(owner, tenantId);
  const { server, open } = await startWebServer(owner, environment);
  const { ada, organizationId } = await createContoso(server);
  const page = await open(`/organizations/${organizationId}/sso`, ada, {
    locale: 'en-GB',
    viewport: { width: 1280, height: 1210 },
  });
  await page.clock.setFixedTime(now);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  directory.allowRedirect(await copied(page, 'Redirect URI'));
  await field('Directory (tenant) ID').fill(tenantId);
  await field('Application (client) ID').fill(directory.clientId);
  await field('Client secret').fill(directory.clientSecret);
  await page.getByLabel('Secret expires on', { exact: true }).fill('2027-05-20');
  await take(page, 'sso-connect');

  await press('Save');
  await press('Check DNS now');
  const proof = page.getByRole('group', { name: domain, exact: true });
  await proof.getByText('The record isn’t in DNS yet').waitFor();
  await proof.screenshot({ path: join(imageDirectory, 'sso-domain.webp'), type: 'webp', quality: 80 });
  dns.publish(await copied(page, 'Name'), await copied(page, 'Value'));
  await press('Check DNS now');
  await proof.getByText('Verified through DNS').waitFor();

  await becomePerson(page, 'Ada');
  await press('Test a sign-in');
  await page.getByRole('heading', { name: 'Claims' }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, 'sso-test');
  await page.emulateMedia({ colorScheme: 'light' });
  await press('Turn on');
  await page.getByText('There is nothing to do.').waitFor();
  await page.getByRole('button', { name: /^Require single sign-on/ }).click();
  await page.setViewportSize({ width: 1280, height: 1000 });
  await take(page, 'sso-ready');
} finally {
  await endAll(endings);
}

/** Hides notifications, which disappear after a few seconds. */
async function take(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click();
  await page.evaluate(`scrollTo(0, 0);
    for (const notes of document.querySelectorAll('.mantine-Notifications-root')) notes.style.display = 'none';`);
  await page.screenshot({ path: join(imageDirectory, `${name}.webp`), type: 'webp', quality: 80 });
}
