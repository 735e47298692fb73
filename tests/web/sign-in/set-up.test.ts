import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSetUpToken } from '../../../src/server/accounts/set-up.ts';
import { assertAccessible, expect, startWebServer } from '../web-office.ts';

test('the first owner sets up the server and sees a dashboard of the sample', async (context) => {
  const { server, open } = await startWebServer(context);
  const token = await createSetUpToken(server.database, () => Date.UTC(2026, 10, 21, 9));

  const mistyped = await open('/set-up');
  await expect(mistyped.getByRole('alert')).toContainText('Open the complete link that it prints');
  await assertAccessible(mistyped);

  const page = await open(`/set-up#${token}`);
  await expect(page.getByRole('heading', { name: 'Set up Atrium' })).toBeVisible();
  await assertAccessible(page);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel(/^Password/).fill('correct horse battery');
  await page.getByLabel('Organization').fill('Analytical Engines');
  await expect(page.getByLabel('Add sample data')).toBeChecked();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/dashboards\/[0-9a-f-]+$/);
  await expect(page.getByRole('button', { name: /^Organization: Analytical Engines/ })).toBeVisible();
  assert.equal(
    await page.evaluate(() => history.length),
    2,
    'only the empty page and the current one, none with the token',
  );

  const late = await open(`/set-up#${token}`);
  await expect(late.getByRole('heading', { name: 'Atrium is already set up' })).toBeVisible();
  await assertAccessible(late);
  await late.getByRole('link', { name: 'Sign in' }).click();
  await expect(late.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a link that is not valid shows what to do, and the sample can be left out', async (context) => {
  const { server, open } = await startWebServer(context);
  const fields = async (page: Awaited<ReturnType<typeof open>>) => {
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel(/^Password/).fill('correct horse battery');
    await page.getByLabel('Organization').fill('Analytical Engines');
    await page.getByLabel('Add sample data').uncheck();
    await page.getByRole('button', { name: 'Create' }).click();
  };
  const forged = await open('/set-up#forged');
  await fields(forged);
  await expect(forged.getByRole('alert')).toContainText('This link is not valid');

  const token = await createSetUpToken(server.database, () => Date.UTC(2026, 10, 21, 9));
  const page = await open(`/set-up#${token}`);
  await fields(page);
  await page.waitForURL(/\/organizations\/[0-9a-f-]+\/dashboards$/);
});
