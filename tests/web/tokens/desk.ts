import type { BrowserContextOptions, Page } from '@playwright/test';
import type { Role } from '#shared/permissions.ts';
import type { Person } from '../../support/server/test-server.ts';
import { expect, type WebOffice } from '../web-office.ts';

/** Opens a page whose clock is that of the server, since the browser chooses when a token expires. */
export async function openAtServerTime(
  office: WebOffice,
  path: string,
  person: Person,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await office.open('/sign-in', person, options);
  await page.clock.setFixedTime(office.server.clock());
  await page.goto(`${office.url}${path}`);
  return page;
}

/** Adds a person with a name to the organization. */
export async function createNamedMember(
  { server, organizationId }: WebOffice,
  name: string,
  role: Role,
): Promise<Person> {
  const person = await server.createPerson(name);
  await server.addMember(organizationId, person, role);
  return person;
}

/** Returns the token that the open dialog shows, or what else is in a field with a label. */
export async function shownToken(page: Page, label = 'Token'): Promise<string> {
  const field = page.getByRole('dialog').getByRole('textbox', { name: label, exact: true });
  await expect(field).toHaveValue(/^atrium_(pat|sat|ocs)_[0-9A-Za-z]{49}$/);
  return field.inputValue();
}

/** Throws if a secret is in the page: in its elements, what is typed in them, its address or its stores. */
export async function expectNoTrace(page: Page, secret: string): Promise<void> {
  const texts = await page.evaluate(() => [
    document.documentElement.outerHTML,
    ...Array.from(document.querySelectorAll('input, textarea'), (field) =>
      'value' in field ? String(field.value) : '',
    ),
    location.href,
    JSON.stringify(Object.entries(localStorage)),
    JSON.stringify(Object.entries(sessionStorage)),
  ]);
  expect(texts.join('\n')).not.toContain(secret);
}

/** Waits until the page is no wider than its window. */
export const hasNoOverflow = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
