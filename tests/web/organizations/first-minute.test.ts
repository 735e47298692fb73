import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an organization without dashboards shows the first steps, and loads the sample with one click', async (context) => {
  const office = await startWebOffice(context);
  const { organizationId } = office;
  const editor = await office.server.createMember(organizationId, 'editor');
  const page = await office.open('/', editor);
  await expect(page.getByRole('heading', { name: 'What would you like to do first?' })).toBeVisible();
  await assertAccessible(page);
  const invite = page.getByRole('button', { name: 'Invite people' });
  await expect(invite).toHaveAttribute('aria-disabled', 'true');
  await invite.focus();
  await expect(page.getByRole('tooltip')).toHaveText(
    'Requires the admin role or higher. Ask an admin of the organization.',
  );
  await page.getByRole('button', { name: 'Upload data' }).click();
  await expect(page).toHaveURL(new RegExp(`/organizations/${organizationId}/data-sources/new`));
  await page.goBack();

  // On a fast machine, the sample is loaded before the message was seen.
  const seen = Promise.withResolvers<void>();
  await page.route('**/sample', async (route) => {
    await seen.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Load sample' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Loading the sample' })).toBeVisible();
  seen.resolve();
  await expect(page).toHaveURL(/\/dashboards\/[0-9a-f-]{36}$/);
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboards' }).click();
  await expect(page.getByRole('link', { name: 'A first look' })).toBeVisible();
});
