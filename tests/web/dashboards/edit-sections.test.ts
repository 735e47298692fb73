import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { structureOf } from '#shared/sections/structure.ts';
import { assertAccessible, expect } from '../web-office.ts';
import { startDashboardDesk } from './desk.ts';

const widgetOf = (page: Page, name: string | RegExp): Locator => page.getByRole('article', { name });
const sectionOf = (page: Page, name: string): Locator => page.getByRole('region', { name });
const tabs = (page: Page): Locator => page.getByRole('tab');

/** Returns where the widgets are: `widgets; [section: widgets]; <tab: widgets; [section: widgets]>`, by their titles. */
function outline({ widgets }: Dashboard): string {
  const structure = structureOf(widgets);
  const titles = (each: readonly Dashboard['widgets'][number][]) =>
    each.map(({ config }) => (typeof config['title'] === 'string' ? config['title'] : '?')).join(' ');
  const ofSections = (sections: typeof structure.sections) =>
    sections.map((section) => `[${section.title}: ${titles(section.widgets)}]`).join('');
  return [
    titles(structure.widgets),
    ofSections(structure.sections),
    structure.tabs.map((tab) => `<${tab.title}: ${titles(tab.widgets)}${ofSections(tab.sections)}>`).join(''),
  ].join(';');
}

const at = (x: number, y: number) => ({ x, y, w: 6, h: 4 });

async function openEditor(context: Parameters<typeof startDashboardDesk>[0], viewport?: object) {
  const desk = await startDashboardDesk(context);
  const reportId = desk.reports['Flights'];
  const create = async (widgets: object[]): Promise<Dashboard> => {
    const body = { organizationId: desk.organizationId, name: 'Traffic', widgets };
    const created = await desk.server.call('POST /api/dashboards', { as: desk.owner, body });
    assert.equal(created.status, 201, created.text);
    return created.body;
  };
  return {
    ...desk,
    widget: (title: string, parent?: string, layout = at(0, 0)) => ({
      reportId,
      layout,
      config: { title, ...(parent !== undefined && { parent }) },
    }),
    tab: (key: string, title: string) => ({ reportId: 'builtin:tab', config: { key, title } }),
    section: (key: string, title: string, config: object = {}) => ({
      reportId: 'builtin:section',
      config: { key, title, ...config },
    }),
    async edit(widgets: object[]) {
      const { id } = await create(widgets);
      const options = viewport === undefined ? {} : { viewport };
      const page = await desk.open(`/dashboards/${id}/edit`, desk.owner, options as object);
      return {
        id,
        page,
        /** Saves, and returns where the widgets are. */
        async save(): Promise<string> {
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          await expect(page.getByText('No changes', { exact: true })).toBeVisible();
          return outline(await desk.readDashboard(id));
        },
      };
    },
  };
}

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function fillAndSubmit(page: Page, title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('tabs and sections are added, filled, renamed, reordered and deleted, and every step can be undone', async (context) => {
  const editor = await openEditor(context);
  const { page, save, id } = await editor.edit([
    editor.widget('One'),
    editor.widget('Two', undefined, at(6, 0)),
  ]);
  await choose(page, 'Actions for One', 'Move to…');
  await expect(page.getByText(/There is no other place yet/)).toBeVisible();
  await page.keyboard.press('Escape');

  await choose(page, 'Add tab or section', 'Add tab…');
  await assertAccessible(page);
  await fillAndSubmit(page, 'Costs', 'Add');
  await expect(tabs(page)).toHaveText(['Costs']);
  await expect(page.getByText('This tab is empty.')).toBeVisible();
  await choose(page, 'Add tab or section', 'Add tab…');
  await fillAndSubmit(page, 'Sales', 'Add');
  await expect(page.getByRole('tab', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await choose(page, 'Add tab or section', 'Add section…');
  await page.getByRole('dialog').getByLabel('Collapsed at first').check();
  await fillAndSubmit(page, 'By month', 'Add');
  await expect(page.getByRole('heading', { name: 'By month' })).toBeFocused();
  await expect(sectionOf(page, 'By month')).toContainText('Collapsed at first');
  await choose(page, 'Actions for tab “Sales”', 'Add section here…');
  await fillAndSubmit(page, 'By year', 'Add');
  await assertAccessible(page);

  // Widgets move to tabs and sections, and new ones are added to them.
  await choose(page, 'Actions for One', 'Move to…');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Sales › By month' }).click();
  await expect(sectionOf(page, 'By month').getByRole('article', { name: /^One/ })).toBeFocused();
  await choose(page, 'Actions for section “By year”', 'Add widget here');
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: 'Delays' }).click();
  await expect(sectionOf(page, 'By year').getByRole('article', { name: /^Delays/ })).toBeFocused();
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: 'Delays' }).click();
  await expect(widgetOf(page, /^Delays/)).toHaveCount(2);

  await choose(page, 'Actions for section “By year”', 'Move up');
  await choose(page, 'Actions for section “By year”', 'Edit…');
  await fillAndSubmit(page, 'Years', 'Apply');
  await choose(page, 'Actions for tab “Sales”', 'Move left');
  await expect(tabs(page)).toHaveText(['Sales', 'Costs']);
  assert.equal(await save(), 'Two;;<Sales: ?[Years: ?][By month: One]><Costs: >');

  // Deleting a section moves what is in it, deleting a tab can delete it, and both can be undone.
  await choose(page, 'Actions for section “By month”', 'Delete…');
  await expect(page.getByRole('dialog').getByText('has 1 widget')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(sectionOf(page, 'By month')).toHaveCount(0);
  await expect(widgetOf(page, /^One/)).toBeVisible();
  await choose(page, 'Actions for tab “Sales”', 'Delete…');
  await page.getByLabel('Delete 3 widgets and 1 section').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(tabs(page)).toHaveText(['Costs']);
  await expect(widgetOf(page, /^Two/)).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tabs(page)).toHaveText(['Sales', 'Costs']);
  await page.getByRole('button', { name: 'Redo' }).click();
  assert.equal(await save(), 'Two;;<Costs: >');

  // The history describes it, and previews the grids of a version.
  await page.goto(`${editor.url}/dashboards/${id}/history`);
  await expect(page.getByText('Tab “Sales” removed.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Versions' }).getByRole('link').nth(1).click();
  await expect(page.getByRole('heading', { name: 'Sales › By month' })).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Widgets of Sales › By month' }).getByRole('listitem'),
  ).toHaveText(['One']);
  await assertAccessible(page);
});

test('tabs and sections are edited with only the keyboard, and drafts of them survive a reload', async (context) => {
  const editor = await openEditor(context);
  const { page, save } = await editor.edit([
    editor.tab('costs', 'Costs'),
    editor.tab('sales', 'Sales'),
    editor.section('month', 'By month', { parent: 'costs' }),
    editor.section('year', 'By year', { parent: 'costs' }),
    editor.widget('One', 'month'),
    editor.widget('Two', 'month', at(6, 0)),
    editor.widget('Other', 'sales'),
  ]);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // A widget only pushes those of its own grid.
  await widgetOf(page, /^One/).focus();
  await press('Enter', ...Array.from({ length: 6 }, () => 'ArrowRight'), 'Enter');
  await expect(widgetOf(page, 'One: column 7, row 1, 6 wide, 4 high')).toBeVisible();
  await expect(widgetOf(page, 'Two: column 7, row 5, 6 wide, 4 high')).toBeVisible();

  await page.getByRole('button', { name: 'Actions for section “By month”' }).focus();
  await press('Enter');
  await page.getByRole('menuitem', { name: 'Move down' }).press('Enter');
  await expect(page.getByRole('region')).toHaveCount(2);
  await page.getByRole('button', { name: 'Actions for Two' }).focus();
  await press('Enter');
  await page.getByRole('menuitem', { name: 'Move to…' }).press('Enter');
  await page.getByRole('button', { name: 'Sales', exact: true }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await expect(widgetOf(page, /^Two/)).toBeVisible();

  await page.reload();
  await expect(page.getByText(/^You're continuing your draft/)).toBeVisible();
  await page.getByRole('tab', { name: 'Costs' }).focus();
  await press('ArrowRight', 'Enter');
  await expect(widgetOf(page, /^Two/)).toBeVisible();
  assert.equal(await save(), ';;<Costs: [By year: ][By month: One]><Sales: Other Two>');
});

test('widgets are dragged to other sections and tabs', async (context) => {
  // So high that the page doesn't scroll while something is dragged to its end.
  const editor = await openEditor(context, { width: 1200, height: 2200 });
  const { page, save, id } = await editor.edit([
    editor.tab('costs', 'Costs'),
    editor.tab('sales', 'Sales'),
    editor.section('one', 'First', { parent: 'costs' }),
    editor.section('two', 'Second', { parent: 'costs' }),
    editor.section('empty', 'Empty', { parent: 'costs' }),
    editor.widget('One', 'one'),
    editor.widget('Two', 'one', at(6, 0)),
    editor.widget('Three', 'two'),
    editor.widget('Other', 'sales'),
  ]);
  const dragTo = async (title: string, target: Locator, offset = { x: 30, y: 10 }) => {
    // After the drag before, grids change their heights in an animation. This waits for its end.
    await target.hover({ trial: true });
    await page.getByText(title, { exact: true }).hover();
    await page.mouse.down();
    const box = await target.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + offset.x + 20, box.y + offset.y, { steps: 6 });
    await page.mouse.move(box.x + offset.x, box.y + offset.y);
    await expect(page.locator('[data-drop-over]')).toHaveCount(1);
    await page.mouse.up();
  };
  // The widget that is in its place is pushed down, and the grids below don't move away from the pointer meanwhile.
  await dragTo('One', widgetOf(page, /^Three/), { x: 60, y: 20 });
  await expect(page.getByText('Moved One to Costs › Second.')).toBeAttached();
  await expect(sectionOf(page, 'Second').getByRole('article')).toHaveText([/^One/, /^Three/]);
  await expect(widgetOf(page, 'Three: column 1, row 5, 6 wide, 4 high')).toBeVisible();
  await expect(page.locator('[data-drop-over]')).toHaveCount(0);
  await dragTo('Two', page.getByText('This section is empty.'));
  await expect(sectionOf(page, 'Empty').getByRole('article')).toHaveCount(1);
  await expect(page.getByText('This section is empty.')).toBeVisible();
  await dragTo('Three', page.getByRole('tab', { name: 'Sales' }));
  await expect(page.getByText('Moved Three to Sales.')).toBeAttached();
  await expect(page.getByRole('tab', { name: 'Costs' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(sectionOf(page, 'Second').getByRole('article')).toHaveCount(2);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(sectionOf(page, 'Second').getByRole('article')).toHaveCount(1);
  assert.equal(await save(), ';;<Costs: [First: ][Second: One][Empty: Two]><Sales: Other Three>');
  const { widgets } = await editor.readDashboard(id);
  const moved = widgets.find(({ config }) => config['title'] === 'Three');
  assert.deepEqual([moved?.layout.x, moved?.layout.y], [6, 0]);
});

test('tabs and sections are dragged into another order', async (context) => {
  const editor = await openEditor(context, { width: 1200, height: 900 });
  const { page, save } = await editor.edit([
    editor.tab('a', 'Alpha'),
    editor.tab('b', 'Beta'),
    editor.tab('c', 'Gamma'),
    editor.section('one', 'First', { parent: 'a' }),
    editor.section('two', 'Second', { parent: 'a' }),
  ]);
  const centerOf = async (element: Locator) => {
    const box = await element.boundingBox();
    assert.ok(box);
    return { ...box, cx: box.x + box.width / 2, cy: box.y + box.height / 2 };
  };
  const drag = async (from: Locator, x: number, y: number) => {
    const { cx, cy } = await centerOf(from);
    await page.mouse.move(cx, cy);
    await page.mouse.down();
    await page.mouse.move(cx + 10, cy);
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
  };
  const gamma = await centerOf(page.getByRole('tab', { name: 'Gamma' }));
  await drag(page.getByRole('tab', { name: 'Alpha' }), gamma.x + gamma.width, gamma.cy);
  await expect(tabs(page)).toHaveText(['Beta', 'Gamma', 'Alpha']);
  // A drag doesn't open the tab.
  const beta = await centerOf(page.getByRole('tab', { name: 'Beta' }));
  await drag(page.getByRole('tab', { name: 'Gamma' }), beta.x, beta.cy);
  await expect(tabs(page)).toHaveText(['Gamma', 'Beta', 'Alpha']);
  await expect(page.getByRole('tab', { name: 'Alpha' })).toHaveAttribute('aria-selected', 'true');
  const first = await centerOf(sectionOf(page, 'First'));
  await drag(sectionOf(page, 'Second').getByTitle('Drag to reorder'), first.cx, first.y);
  assert.equal(await save(), ';;<Gamma: ><Beta: ><Alpha: [Second: ][First: ]>');
});

test('on a phone, widgets move up and down in their section, and to other tabs', async (context) => {
  const editor = await openEditor(context, { width: 360, height: 740 });
  const { page, save } = await editor.edit([
    editor.tab('costs', 'Costs'),
    editor.tab('sales', 'Sales'),
    editor.section('month', 'By month', { parent: 'costs' }),
    editor.widget('One', 'month'),
    editor.widget('Two', 'month', at(6, 0)),
    editor.widget('Above'),
  ]);
  await page.getByRole('button', { name: 'Move One down' }).click();
  await expect(sectionOf(page, 'By month').getByRole('article')).toHaveText([/^Two/, /^One/]);
  await assertAccessible(page);
  await choose(page, 'Actions for Above', 'Move to…');
  await page.getByRole('button', { name: 'Sales', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await expect(widgetOf(page, 'Above')).toBeVisible();
  assert.equal(await save(), ';;<Costs: [By month: Two One]><Sales: Above>');
});

test('the open tab stays open between reading and editing, and only its results are loaded', async (context) => {
  const editor = await openEditor(context);
  const { page, id } = await editor.edit([
    editor.tab('costs', 'Costs'),
    editor.tab('sales', 'Sales'),
    editor.widget('Above'),
    editor.widget('One', 'costs'),
    editor.widget('Two', 'sales'),
  ]);
  const { widgets } = await editor.readDashboard(id);
  const idOf = (title: string) => widgets.find(({ config }) => config['title'] === title)?.id ?? '';
  await expect(widgetOf(page, /^One/)).toContainText('1');
  await page.goto(`${editor.url}/dashboards/${id}?open-tab=sales`);
  await expect(page.getByRole('article', { name: 'Two' })).toContainText('1');

  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/results')) asked.push(url.searchParams.get('widget-ids') ?? 'all');
  });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await expect(widgetOf(page, /^Two/)).toContainText('1');
  assert.deepEqual(
    asked.flatMap((ids) => ids.split(',')).filter((each) => each === 'all' || each === idOf('One')),
    [],
  );
  await choose(page, 'Actions for tab “Sales”', 'Move left');
  await expect(page.getByText('Moved tab “Sales” to position 1.')).toBeAttached();
  await page.getByRole('tab', { name: 'Costs' }).click();
  await expect(widgetOf(page, /^One/)).toContainText('1');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Costs' })).toHaveAttribute('aria-selected', 'true');
});

test('two people edit the sections of a dashboard, and keep what both did', async (context) => {
  const editor = await openEditor(context);
  const bob = await editor.createEditor('Bob');
  const { page, save, id } = await editor.edit([
    editor.section('month', 'By month'),
    editor.section('year', 'By year'),
    editor.widget('One', 'month'),
    editor.widget('Two', 'year'),
  ]);
  const bobs = await editor.open(`/dashboards/${id}/edit`, bob);
  await expect(widgetOf(bobs, /^Two/)).toContainText('1');

  // One deletes a section; the other has renamed it and moved a widget into it.
  await choose(bobs, 'Actions for section “By year”', 'Edit…');
  await fillAndSubmit(bobs, 'Years', 'Apply');
  await choose(bobs, 'Actions for One', 'Move to…');
  await bobs.getByRole('button', { name: 'Years', exact: true }).click();
  await choose(page, 'Add tab or section', 'Add section…');
  await fillAndSubmit(page, 'By day', 'Add');
  await choose(page, 'Actions for section “By year”', 'Delete…');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  assert.equal(await save(), 'Two;[By month: One][By day: ];');
  await bobs.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(bobs.getByRole('heading', { name: 'Conflicting changes' })).toBeVisible();
  await assertAccessible(bobs);
  await bobs.getByRole('group', { name: 'Section Years' }).getByRole('radio', { name: 'Mine' }).check();
  await bobs.getByRole('button', { name: 'Save choices' }).click();
  await expect(bobs.getByText('Saved.', { exact: true })).toBeVisible();
  const saved = outline(await editor.readDashboard(id));
  for (const kept of ['One', 'Two', 'By month', 'By day', 'Years'])
    assert.match(saved, new RegExp(`\\b${kept}\\b`), saved);
});
