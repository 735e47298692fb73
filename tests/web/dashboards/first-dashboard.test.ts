import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('a new user creates a dashboard and shares it with a colleague', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  await server.call(`POST /api/organizations/${organizationId}/sample`, { as: owner });

  const page = await office.open('/', owner);
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByLabel('Name').fill('Flights by month');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Add the first widget' }).click();
  await page.getByLabel('Search reports').fill('month');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Flights by month/ })
    .click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Flights by month' })).toBeVisible();
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboards' });
  await expect(place).toHaveAttribute('aria-current', 'true');

  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('combobox', { name: 'Add a member or group' })).toBeVisible();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  expect(link).toBe(page.url());
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByLabel('Email addresses').fill('bob@example.com');
  await page.getByRole('button', { name: 'Invite 1 person' }).click();
  const invitation = await page.getByText(`${office.url}/invitation#`).innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL(/\/members$/);

  const phone = { viewport: { width: 360, height: 740 } };
  const colleague = await office.open(link.slice(office.url.length), undefined, phone);
  await expect(colleague.getByText('No account yet?')).toBeVisible();
  await assertAccessible(colleague);
  await colleague.goto(invitation);
  await colleague.getByLabel('Your name').fill('Bob');
  await colleague.getByLabel(/^Password/).fill('the password of Bob');
  await colleague.getByRole('button', { name: 'Join' }).click();
  await colleague.getByRole('link', { name: 'Flights by month' }).click();
  await expect(colleague).toHaveURL(link);
  const widget = colleague.getByRole('article', { name: 'Flights by month' });
  await expect(widget.getByRole('img', { name: /^Bar chart/ })).toBeVisible();
  const tops = await Promise.all(
    ['Star', 'More actions'].map(
      async (name) => (await colleague.getByRole('button', { name }).boundingBox())?.y,
    ),
  );
  expect(tops[0]).toBe(tops[1]);
  await colleague.getByRole('button', { name: 'Share' }).click();
  await expect(colleague.getByLabel('Link', { exact: true })).toHaveValue(link);
  await expect(colleague.getByRole('button', { name: 'Invite people' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );

  await page.getByRole('link', { name: 'Dashboards' }).click();
  await page.getByRole('button', { name: 'Actions for Flights by month' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore Flights by month' }).click();
  await expect(page.getByText('Restored “Flights by month”.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);

  await colleague.keyboard.press('Escape');
  await colleague.getByRole('button', { name: 'Open the menu' }).click();
  await colleague.getByRole('link', { name: 'Members' }).click();
  await expect(colleague.getByText('2 members')).toBeVisible();
  await expect(colleague.getByRole('columnheader', { name: 'Signs in by' })).toHaveCount(0);
  await colleague.getByRole('button', { name: 'Open the menu' }).click();
  await colleague.getByRole('link', { name: 'Settings' }).click();
  await expect(colleague.getByRole('button', { name: /^Leave / })).toBeVisible();
});
