import { test } from 'node:test';
import { assertAccessible, expect } from '../web-office.ts';
import { startReportOffice } from './office.ts';

test('a map has settings for regions and points, and can be enlarged', async (context) => {
  const office = await startReportOffice(context);
  const query = `SELECT * FROM (VALUES ('Germany', 30, 52.5, 13.4), ('Atlantis', 8, 35.9, 14.5)) AS places(country, people, lat, lon)`;
  const id = await office.createReport({
    name: 'Places',
    query,
    visualization: { kind: 'map', region: 'country', value: 'people' },
  });
  const page = await office.open(`/reports/${id}/edit`, office.owner);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('tab', { name: 'Chart' }).click();
  await expect(
    page.getByText('1 of 2 rows not shown: the map has no region called “Atlantis”.'),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('No value');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await assertAccessible(page);
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Map area', 'States of the USA');
  await expect(page.getByText(/no region called “Germany”, “Atlantis”/)).toBeVisible();
  await choose('Map area', 'Countries of the world');
  await page.getByText('Points', { exact: true }).click();
  await choose('Latitude', 'lat');
  await choose('Longitude', 'lon');
  await choose('Color by', 'country');
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Atlantis');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
  const list = page.getByRole('listbox', { name: 'Values of Places' });
  await list.focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('img', { name: /^Map/ }).getByText('52.5')).toBeVisible();
});
