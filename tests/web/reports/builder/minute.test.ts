import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../../web-office.ts';
import type { Owner } from '../../../support/endings.ts';

/** A person takes about two seconds for each: the minute has some 30. */
const maxActions = 20;

/** Counts what a person does: each click, each key press and each typed word. */
function countActions(page: Page) {
  let count = 0;
  const act = async (action: () => Promise<void>) => {
    count += 1;
    await action();
  };
  return {
    click: (locator: Locator) => act(() => locator.click()),
    press: (key: string) => act(() => page.keyboard.press(key)),
    type: (text: string) => act(() => page.keyboard.type(text)),
    count: () => count,
  };
}

/** Sales of last year and the year before, in three regions: south sold most in each month of last year. */
function salesOf(year: number): string {
  const regions = ['north', 'south', 'west'];
  const rows = [year - 2, year - 1].flatMap((of) =>
    Array.from({ length: 12 }, (_, month) =>
      regions.map((region, index) => {
        const amount = of === year - 1 && region === 'south' ? 900 : 100 * (index + 1);
        return `${of}-${String(month + 1).padStart(2, '0')}-15,${region},${amount}`;
      }),
    ).flat(),
  );
  return ['sold_on,region,amount', ...rows].join('\n');
}

async function startUnfamiliarOffice(
  owner: Owner,
): Promise<WebOffice & { readonly editor: WebOffice['owner'] }> {
  const office = await startWebOffice(owner);
  const { server, owner: ada, organizationId } = office;
  const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: ada,
    body: { name: 'Shop', kind: 'files' },
  });
  await server.call(`PUT /api/data-sources/${source.id}/tables/sales`, {
    as: ada,
    body: salesOf(new Date().getUTCFullYear()),
    headers: { 'content-type': 'text/csv' },
  });
  return { ...office, editor: await server.createMember(organizationId, 'editor') };
}

const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

for (const [device, viewport] of Object.entries(viewports)) {
  test(`in a minute, people who know neither SQL nor the table see what sold most, on a ${device}`, async (context) => {
    const { open, editor, organizationId } = await startUnfamiliarOffice(context);
    const page = await open(`/organizations/${organizationId}/reports`, editor, { viewport });
    const { click, count } = countActions(page);
    const option = (name: string) => page.getByRole('option', { name, exact: true });

    await click(page.getByRole('button', { name: 'New report' }));
    await assertAccessible(page);
    await click(page.getByRole('button', { name: /^sales/ }));
    await expect(page.getByRole('status').filter({ hasText: '72 rows' })).toBeVisible();
    await assertAccessible(page);

    await click(page.getByRole('button', { name: 'Filter', exact: true }));
    await click(option('sold_on'));
    await click(page.getByRole('combobox', { name: 'Period' }));
    await click(option('Last year'));

    await click(page.getByRole('button', { name: 'Summarize' }));
    await click(option('Total amount'));
    await click(page.getByRole('combobox', { name: 'Add a group' }));
    await click(option('region'));
    await click(page.getByRole('combobox', { name: 'Add a group' }));
    await click(option('sold_on'));
    await expect(page.getByRole('status').filter({ hasText: '36 rows' })).toBeVisible();
    await expect(page.getByRole('img', { name: /Line chart/ })).toBeVisible();
    await assertAccessible(page);

    await expect(page.getByLabel('Name').first()).toHaveValue('Total amount by region and month');
    await click(page.getByRole('button', { name: 'Save', exact: true }));
    await click(page.getByRole('button', { name: 'Add to a dashboard' }));
    await click(page.getByRole('dialog').getByLabel('New dashboard'));
    await click(page.getByRole('dialog').getByRole('button', { name: 'Add' }));
    await expect(page).toHaveURL(/\/dashboards\//);
    await expect(page.getByRole('img', { name: /Line chart/ })).toBeVisible();
    await assertAccessible(page);
    assert.ok(count() <= maxActions, `${count()} actions`);
  });
}

test('with the keyboard only, people answer the same question, and the focus is always where they continue', async (context) => {
  const { open, editor, organizationId } = await startUnfamiliarOffice(context);
  const page = await open(`/organizations/${organizationId}/reports/new`, editor);
  const { keyboard } = page;
  const focused = page.locator(':focus');
  const tabTo = async (target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    for (let count = 0; count < 60; count += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press(key);
    }
    assert.fail(`${key} doesn't lead to ${String(target)}`);
  };
  const groups = page.getByRole('group', { name: 'Groups' });
  await page.getByRole('button', { name: /^sales/ }).waitFor();
  await tabTo(page.getByRole('searchbox', { name: 'Search tables and columns' }));
  await keyboard.type('amount');
  await keyboard.press('Tab');
  // The button that clears the search.
  await keyboard.press('Tab');
  await expect(focused).toContainText('sales');
  await keyboard.press('Enter');

  const add = page.getByRole('group', { name: 'Add a step' });
  await expect(add.getByRole('button', { name: 'Filter', exact: true })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Add a filter' })).toBeFocused();
  await keyboard.type('sold');
  await keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Period' })).toBeFocused();
  await keyboard.press('Control+a');
  await keyboard.type('Last year');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await expect(focused).toHaveText('sold_on is last year');
  await expect(focused).toHaveAttribute('aria-expanded', 'false');

  await tabTo(add.getByRole('button', { name: 'Summarize' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Add a measure' })).toBeFocused();
  await keyboard.type('total');
  await keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Add a group' })).toBeFocused();
  await keyboard.type('region');
  await keyboard.press('Enter');
  await expect(groups.getByRole('button', { name: 'region', exact: true })).toBeVisible();
  await keyboard.type('sold');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'sold_on by month', exact: true })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '36 rows' })).toBeVisible();

  // What is removed leaves the focus on its neighbor, and then on the button that adds it again.
  await tabTo(page.getByRole('button', { name: 'Remove sold_on by month' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(groups.getByRole('button', { name: 'region', exact: true })).toBeFocused();
  await tabTo(page.getByRole('button', { name: 'Remove sold_on is last year' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(add.getByRole('button', { name: 'Filter', exact: true })).toBeFocused();
  await keyboard.press('Control+z');
  await keyboard.press('Control+z');
  await expect(page.getByRole('status').filter({ hasText: '36 rows' })).toBeVisible();
  await assertAccessible(page);
  await tabTo(page.getByRole('button', { name: 'Save', exact: true }), 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add to a dashboard' })).toBeFocused();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('There are no dashboards yet.').waitFor();
  await assertAccessible(page);
  await tabTo(dialog.getByLabel('New dashboard'));
  await keyboard.press('Space');
  await tabTo(dialog.getByRole('button', { name: 'Add' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboards\//);
  await expect(page.getByRole('img', { name: /Line chart/ })).toBeVisible();
  await assertAccessible(page);
});
