import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { startReportOffice } from './office.ts';
import { assertAccessible, expect } from '../web-office.ts';

interface KindCase {
  /** Its name in the editor. */
  readonly name: string;
  /** Changes settings, and checks what the chart shows. */
  readonly act: (page: Page) => Promise<void>;
}

const query = `SELECT day, region, amount, amount * 2 AS goal, amount / 100 AS rate FROM sales ORDER BY day, region`;

/** Opens all settings that are collapsed. */
async function openAll(page: Page): Promise<void> {
  const closed = page.getByRole('tabpanel', { name: 'Chart' }).locator('button[aria-expanded=false]');
  while ((await closed.count()) > 0) await closed.first().click();
}

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

const cases: readonly KindCase[] = [
  {
    name: 'Box plot',
    act: async (page) => {
      await choose(page, 'Category', 'region');
      await page.getByRole('switch', { name: 'Quartiles from columns' }).click();
      await choose(page, 'Maximum', 'goal');
      await expect(page.getByRole('img', { name: /by region/ })).toBeVisible();
    },
  },
  {
    name: 'Calendar',
    act: async (page) => {
      await expect(page.getByRole('combobox', { name: 'Date', exact: true })).toHaveValue('day');
      await choose(page, 'Value', 'goal');
      await expect(page.getByRole('img', { name: /goal by day/ })).toBeVisible();
    },
  },
  {
    name: 'Treemap',
    act: async (page) => {
      await choose(page, 'Group by', 'region');
      await expect(page.getByRole('list', { name: 'Legend' })).toContainText('north');
    },
  },
  {
    name: 'Scatter chart',
    act: async (page) => {
      await page.getByRole('switch', { name: 'Trend line' }).click();
      await expect(page.getByText(/^Trend: /)).toBeVisible();
    },
  },
  {
    name: 'Gauge',
    act: async (page) => {
      await page.getByLabel('Target', { exact: true }).fill('80');
      await page.getByLabel('Maximum', { exact: true }).fill('100');
      await choose(page, 'Target from a column', 'goal');
      await expect(page.getByLabel('Target', { exact: true })).toHaveCount(0);
    },
  },
  {
    name: 'Funnel',
    act: async (page) => {
      await choose(page, 'Category', 'region');
      await choose(page, 'Sort by', 'amount');
      await expect(page.getByRole('img', { name: /by region/ })).toBeVisible();
    },
  },
  {
    name: 'Waterfall chart',
    act: async (page) => {
      await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Total');
      await page.getByLabel('Label of the total').fill('All');
      await expect(page.getByRole('list', { name: 'Legend' })).toContainText('All');
      await page.getByRole('switch', { name: 'Total' }).click();
      await expect(page.getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveCount(2);
    },
  },
  {
    name: 'Combo chart',
    act: async (page) => {
      await expect(page.getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveCount(2);
      const shape = page.getByRole('radiogroup', { name: 'Series 2 shape' });
      await expect(shape.getByLabel('Line')).toBeChecked();
      await shape.getByText('Area').click();
      await expect(shape.getByLabel('Area')).toBeChecked();
      await choose(page, 'Stacking', 'Stacked');
    },
  },
  {
    name: 'Bar chart',
    act: async (page) => {
      await choose(page, 'Data labels', 'The smallest and the largest');
      await page.getByRole('button', { name: 'Add reference line' }).click();
      await page.getByLabel('Line 1 value').fill('250');
      await page.getByLabel('Line 1 label').fill('Plan');
      await expect(page.getByRole('img', { name: /Reference lines: Plan: 250\.$/ })).toBeVisible();
      await page.getByRole('button', { name: 'Line 1 options' }).press('Enter');
      const shape = page.getByRole('radiogroup', { name: 'Line 1 shape' });
      await shape.getByText('Band').click();
      await page.getByLabel('Line 1 end value').fill('300');
      await expect(page.getByRole('img', { name: /Plan: 250 – 300\.$/ })).toBeVisible();
      await shape.getByText('Line', { exact: true }).click();
      await page.getByRole('button', { name: 'Add reference line' }).press('Enter');
      await choose(page, 'Line 2 at', 'Maximum');
      await page.getByLabel('Line 2 label').fill('');
      await expect(page.getByRole('img', { name: /Plan: 250; Maximum: 80\.$/ })).toBeVisible();
      await page.getByRole('button', { name: 'Remove line 1' }).click();
      await expect(page.getByRole('img', { name: /lines: Maximum: 80\.$/ })).toBeVisible();
    },
  },
  {
    name: 'Sankey diagram',
    act: async (page) => {
      await choose(page, 'Source', 'region');
      await choose(page, 'Target', 'day');
      await page.getByRole('switch', { name: 'Sources and targets on separate sides' }).click();
      await expect(page.getByRole('img', { name: /by region and day/ })).toBeVisible();
    },
  },
  {
    name: 'Gantt chart',
    act: async (page) => {
      await choose(page, 'Label', 'region');
      await choose(page, 'Start', 'day');
      await expect(
        page.getByText('The start and the end must both be numbers, or both times.'),
      ).toBeVisible();
      await choose(page, 'End', 'day');
      await choose(page, 'Group by', 'region');
      await expect(page.getByRole('list', { name: 'Legend' })).toContainText('north');
      await choose(page, 'Progress', 'rate');
      await page.getByRole('switch', { name: 'Line for today' }).click();
      await expect(page.getByRole('switch', { name: 'Line for today' })).not.toBeChecked();
    },
  },
];

test('every chart type has settings that change what it shows, by keyboard and pointer', async (context) => {
  const office = await startReportOffice(context);
  const id = await office.createReport({ query, visualization: { kind: 'table' } });
  const page = await office.open(`/reports/${id}/edit`, office.owner);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: '4 rows' })).toBeVisible();
  await page.getByRole('tab', { name: 'Chart' }).click();
  for (const { name, act } of cases) {
    await page.getByRole('radio', { name, exact: true }).click();
    await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
    await expect(page.getByRole('img', { name: new RegExp(name) })).toBeVisible();
    await act(page);
    await openAll(page);
    await assertAccessible(page);
  }
  // A table shows no measures in particular, so that the pivot table starts with one value.
  await page.getByRole('radio', { name: 'Table', exact: true }).click();
  await page.getByRole('radio', { name: 'Pivot table', exact: true }).click();
  const pivot = page.getByRole('table', { name: /^Pivot table/ });
  await expect(pivot.getByRole('columnheader').last()).toHaveText('Total');
  await expect(pivot.getByRole('row').last()).toContainText('100');
  await page.getByRole('button', { name: 'Add value' }).click();
  await choose(page, 'Value 2 shows', 'Count');
  await expect(pivot.getByRole('columnheader').last()).toContainText('Count');
  await openAll(page);
  await assertAccessible(page);
  await page.getByRole('radio', { name: 'Table', exact: true }).click();
  await page.getByRole('button', { name: 'amount options' }).click();
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  await choose(page, 'Show cells as', 'Text with a bar');
  const amounts = page
    .getByRole('table', { name: /^Table of/ })
    .getByRole('cell', { name: '40', exact: true });
  await expect(amounts.first()).toHaveCSS('background-color', /^rgb/);
  await assertAccessible(page);
  await page.getByRole('radio', { name: 'Number', exact: true }).click();
  await choose(page, 'Trend by', 'day');
  await expect(page.getByText(/than Jan 2, 2026/)).toBeVisible();
  await choose(page, 'Change since', 'The first row');
  await expect(page.getByText(/than Jan 1, 2026/)).toBeVisible();
  await openAll(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  // What is saved is what the contract accepts.
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
});
