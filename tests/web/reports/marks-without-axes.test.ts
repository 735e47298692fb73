import { test } from 'node:test';
import { assertAccessible, expect } from '../web-office.ts';
import { startReportOffice } from './office.ts';

test('the links and nodes of a Sankey diagram have tooltips and a menu by keyboard', async (context) => {
  const office = await startReportOffice(context);
  const query = `SELECT * FROM (VALUES ('Web', 'Free', 30), ('Web', 'Paid', 8), ('Free', 'Paid', 5)) AS flows(origin, goal, people)`;
  const visualization = { kind: 'sankey', source: 'origin', target: 'goal', value: 'people' };
  const id = await office.createReport({ name: 'Plans', query, visualization });
  const page = await office.open(`/reports/${id}`, office.owner);
  const list = page.getByRole('listbox', { name: 'Values of Plans' });
  await list.focus();
  await page.keyboard.press('Home');
  await expect(list.getByRole('option')).toHaveText('Web → Free · 30');
  const chart = page.getByRole('img', { name: /Sankey diagram/ });
  await expect(chart.getByText('Of Web')).toBeVisible();
  await expect(chart.getByText('78.9%')).toBeVisible();
  await page.keyboard.press('End');
  await expect(list.getByRole('option')).toHaveText('Paid · 13');
  await expect(chart.getByText('In', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(list.getByRole('option')).toHaveText('Free · 5');
  await expect(chart.getByText('Out', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toContainText('Free · 5');
  await assertAccessible(page);
});

test('a link of a Sankey diagram and one of its nodes are different marks for the pointer', async (context) => {
  const office = await startReportOffice(context);
  const query = `SELECT 'Web' AS origin, 'Free' AS goal, 30 AS people`;
  const visualization = { kind: 'sankey', source: 'origin', target: 'goal', value: 'people' };
  const id = await office.createReport({ name: 'Plans', query, visualization });
  const page = await office.open(`/reports/${id}`, office.owner);
  const canvas = page.getByRole('img', { name: /Sankey diagram/ }).locator('canvas');
  await expect(canvas).toBeVisible();
  const { height = 0 } = (await canvas.boundingBox()) ?? {};
  await expect(async () => {
    await canvas.click({ position: { x: 200, y: height / 2 } });
    await expect(page.getByRole('menu')).toContainText('Web → Free · 30', { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await canvas.click({ position: { x: 5, y: height / 2 } });
  await expect(page.getByRole('menu')).toContainText(/^Web · 30/);
});
