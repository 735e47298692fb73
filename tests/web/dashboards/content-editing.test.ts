import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startDashboardDesk } from './desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

const widgetOf = (page: Page, name: string | RegExp) => page.getByRole('article', { name });

/** Chooses a kind in the dialog that adds widgets. */
async function startAdding(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page
    .getByRole('group', { name: 'Widgets without a report' })
    .getByRole('button', { name: kind })
    .click();
}

test('texts, headings, links and dividers are added, previewed, edited, undone and saved', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  await expect(widgetOf(page, /^Flights/)).toContainText('1');

  await page.getByRole('button', { name: 'Add widget' }).click();
  await expect(page.getByRole('list', { name: 'Reports' })).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a text' });
  const preview = dialog.getByRole('group', { name: 'Preview' });
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await dialog.getByLabel('Text', { exact: true }).fill('# Hello\n\nThere are {{Planes > n}} and ');
  await expect(preview.getByRole('heading', { name: 'Hello' })).toBeVisible();
  await expect(dialog.getByRole('group', { name: 'Values that are missing' })).toContainText(
    'There is no widget “Planes”.',
  );
  await assertAccessible(page);
  // A value is inserted at the caret.
  await dialog.getByLabel('Insert a value').fill('of 0');
  await page.getByRole('option', { name: 'Flights > of 0' }).click();
  await expect(dialog.getByLabel('Text', { exact: true })).toHaveValue(
    '# Hello\n\nThere are {{Planes > n}} and {{Flights > of 0}}',
  );
  await expect(preview).toContainText('There are – and 1');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(widgetOf(page, 'Text “Hello”: column 7, row 1, 6 wide, 4 high')).toBeFocused();
  await expect(widgetOf(page, /^Text “Hello”/)).toContainText('There are – and 1');
  await expect(widgetOf(page, /^Text “Hello”/)).toContainText('There is no widget “Planes”.');

  await startAdding(page, 'Heading');
  await page.getByRole('dialog').getByLabel('Heading').fill('Costs');
  await page.keyboard.press('Enter');
  await expect(widgetOf(page, 'Heading “Costs”: column 1, row 5, 12 wide, 1 high')).toBeVisible();

  await startAdding(page, 'Links');
  const links = page.getByRole('dialog', { name: 'Add links' });
  const first = links.getByRole('group', { name: 'Link 1' });
  await first.getByLabel('Label').fill('Guide');
  await first.getByLabel('Address').fill('javascript:alert(1)');
  await expect(first.getByText(/^Enter an address that starts with/)).toBeVisible();
  await expect(links.getByRole('button', { name: 'Add', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await first.getByLabel('Address').fill('/dashboards');
  await links.getByRole('button', { name: 'Add link' }).click();
  const second = links.getByRole('group', { name: 'Link 2' });
  await second.getByLabel('Address').fill('https://example.com');
  await second.getByRole('button', { name: 'Move link 2 up' }).click();
  await expect(first.getByLabel('Address')).toHaveValue('https://example.com');
  await assertAccessible(page);
  await links.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(widgetOf(page, /^Links “https:\/\/example.com”/)).toContainText('Guide');

  await startAdding(page, 'Divider');
  await expect(widgetOf(page, /^Divider/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(widgetOf(page, /^Divider/)).toHaveCount(0);
  await page.keyboard.press('Control+Shift+Z');
  await expect(widgetOf(page, /^Divider/)).toHaveCount(1);

  // An edit starts with what is there.
  await page.getByRole('button', { name: 'Actions for Text “Hello”' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const edited = page.getByRole('dialog', { name: 'Edit text' });
  await edited.getByLabel('Title').fill('Note');
  await edited.getByLabel('Text', { exact: true }).fill('{{Flights > of 0}} flights');
  await edited.getByRole('button', { name: 'Apply' }).click();
  await expect(widgetOf(page, /^Text “Note”/)).toContainText('1 flights');

  await page.keyboard.press('Control+S');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  const saved = await desk.readDashboard(dashboard.id);
  assert.deepEqual(saved.widgets.map(({ reportId, config }) => [reportId, config]).slice(1), [
    ['builtin:text', { title: 'Note', text: '{{Flights > of 0}} flights' }],
    ['builtin:heading', { text: 'Costs', size: 'large' }],
    ['builtin:links', { links: [{ url: 'https://example.com' }, { label: 'Guide', url: '/dashboards' }] }],
    ['builtin:divider', {}],
  ]);

  await page.goto(`${desk.url}/dashboards/${dashboard.id}`);
  await expect(page.getByRole('article', { name: 'Note' })).toContainText('1 flights');
  await assertAccessible(page);
  await page.goto(`${desk.url}/dashboards/${dashboard.id}/history`);
  await expect(page.getByText('Heading “Costs” added at column 1, row 5.')).toBeVisible();
});

test('a text is added and moved on a phone, with the keyboard', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner, {
    viewport: { width: 390, height: 800 },
  });
  await expect(widgetOf(page, 'Flights')).toContainText('1');
  await page.getByRole('button', { name: 'Add widget' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Text', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('dialog', { name: 'Add a text' }).getByLabel('Text', { exact: true }),
  ).toBeFocused();
  await page.keyboard.type('Read me');
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expect(widgetOf(page, 'Text “Read me”')).toBeFocused();
  await page.getByRole('button', { name: 'Move Text “Read me” up' }).press('Enter');
  await expect(page.getByRole('article')).toHaveText([/Read me/, /Flights/]);
  await assertAccessible(page);
});
