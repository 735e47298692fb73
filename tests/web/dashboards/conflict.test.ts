import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startDashboardDesk } from './desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

const script = '<img src=x onerror=alert(1)>';

test('two people who edit a dashboard see each other, their changes are merged, and they resolve conflicts', async (context) => {
  const desk = await startDashboardDesk(context);
  const bob = await desk.createEditor('Bob');
  const dashboard = await desk.createDashboard([
    [0, 0, 6, 4],
    [6, 0, 6, 4],
  ]);
  const [first, second] = dashboard.widgets;
  const path = `/dashboards/${dashboard.id}/edit`;
  const [adas, bobs] = await Promise.all([desk.open(path, desk.owner), desk.open(path, bob)]);
  await expect(adas.getByLabel('Bob is editing')).toBeVisible();
  await assertAccessible(adas);

  // Changes to different parts are merged automatically.
  await retitle(adas, 'Flights', 'Departures');
  await save(adas);
  await expect(
    bobs.getByText('Ada saved version 2. Your changes will be merged with it when you save.'),
  ).toBeVisible();
  await bobs.getByLabel('Description').fill('By Bob');
  await save(bobs);
  await expect(bobs.getByText('Saved and merged with changes by Ada.')).toBeVisible();
  await expect(bobs.getByRole('article', { name: /^Departures/ })).toBeVisible();
  const merged = await desk.readDashboard(dashboard.id);
  assert.deepEqual([merged.description, merged.widgets[0]?.config], ['By Bob', { title: 'Departures' }]);

  // Conflicts are resolved one by one.
  await adas.reload();
  await adas.getByLabel('Name').fill(script);
  await adas.getByLabel('Description').fill('By Ada');
  await retitle(adas, 'Departures', 'Of Ada');
  await retitle(adas, 'Delays', 'Changed by Ada');
  await save(adas);
  await bobs.getByLabel('Name').fill('Of Bob');
  await bobs.getByLabel('Description').fill('By Bob, again');
  await retitle(bobs, 'Departures', 'Of Bob');
  await bobs.getByRole('button', { name: 'Actions for Delays' }).click();
  await bobs.getByRole('menuitem', { name: 'Remove' }).click();
  await bobs.getByRole('button', { name: 'Save' }).click();
  await expect(bobs.getByRole('heading', { name: 'Conflicting changes' })).toBeVisible();
  await expect(bobs.getByText(/^Ada saved while you were editing/)).toBeVisible();
  await expect(bobs.getByRole('cell', { name: script })).toBeVisible();
  await expect(bobs.getByRole('cell', { name: 'Removed' })).toBeVisible();
  await assertAccessible(bobs);

  // Going back loses nothing, and the next save shows the same conflicts.
  await bobs.getByRole('button', { name: 'Back to editing' }).click();
  await expect(bobs.getByRole('textbox', { name: 'Name' })).toHaveValue('Of Bob');
  await bobs.getByRole('button', { name: 'Save' }).click();
  await choose(bobs, 'Name of the dashboard', 'Mine');
  await choose(bobs, 'Description of the dashboard', 'Both, one after the other');
  await choose(bobs, 'Widget Of Ada', 'Both, as two widgets');
  await expect(bobs.getByText('1 of 4 left to choose')).toBeVisible();
  await choose(bobs, 'Widget Changed by Ada', 'Theirs (Ada)');
  await bobs.getByRole('button', { name: 'Save choices' }).click();
  await expect(bobs.getByText('Saved.', { exact: true })).toBeVisible();
  await expect(bobs.getByRole('article', { name: /^Of Bob/ })).toBeVisible();
  const chosen = await desk.readDashboard(dashboard.id);
  assert.deepEqual([chosen.name, chosen.description], ['Of Bob', 'By Ada\n\nBy Bob, again']);
  assert.deepEqual(
    chosen.widgets.map(({ id, config, layout: { x, y } }) => [id, config['title'], x, y]),
    [
      [first?.id, 'Of Ada', 0, 0],
      [second?.id, 'Changed by Ada', 6, 0],
      [chosen.widgets[2]?.id, 'Of Bob', 0, 4],
    ],
  );

  await bobs.close();
  await expect(adas.getByLabel('Bob is editing')).toBeHidden();
});

test('an edit of a dashboard that was deleted can be saved as a new dashboard', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  await page.getByLabel('Name').fill('Typed for an hour');
  await desk.server.call(`DELETE /api/dashboards/${dashboard.id}`, { as: desk.owner });
  await expect(page.getByText('This dashboard was deleted')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save as a new dashboard' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
  const saved = await desk.readDashboard(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  assert.deepEqual([saved.name, saved.widgets.length], ['Typed for an hour (my edit)', 1]);
});

async function retitle(page: Page, widget: string, title: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${widget}` }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** Saves without leaving the editor. */
async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
}

async function choose(page: Page, item: string, side: string): Promise<void> {
  await page.getByRole('group', { name: item }).getByRole('radio', { name: side }).check();
}
