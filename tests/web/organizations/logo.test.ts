import { test } from 'node:test';
import type { Locator } from '@playwright/test';
import { onePixel, pngOf } from '../../support/image-files.ts';
import { startDashboardDesk } from '../dashboards/desk.ts';
import { assertAccessible, expect } from '../web-office.ts';

/** Expects that a part of a page shows a logo, and that its file was loaded. */
async function expectLogo(part: Locator, logoId: string): Promise<void> {
  const logo = part.locator(`img[src="/api/logos/${logoId}"]`);
  await expect(logo).toBeVisible();
  await expect(logo).toHaveJSProperty('naturalWidth', 1);
}

test('an admin uploads the logo of an organization, which its pages show', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId, url } = desk;
  const path = `/organizations/${organizationId}/settings`;
  const page = await desk.open(path, owner);
  const chooseFile = async (buffer: Buffer, name = 'logo.png') => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a logo' }).click();
    await (await chooser).setFiles({ name, mimeType: 'image/png', buffer });
  };
  await chooseFile(pngOf(2_000, 10));
  await expect(page.getByText(/A logo can have up to 1,024 in each direction/)).toBeVisible();
  await chooseFile(onePixel);
  await expect(page.getByText('Logo saved.')).toBeVisible();
  await expect(page.getByText(/A logo can have up to/)).toHaveCount(0);
  const { body } = await server.call(`GET /api/organizations/${organizationId}`, { as: owner });
  await expectLogo(page.getByRole('navigation', { name: 'Main' }), body.logoId);
  await expectLogo(page.getByRole('group', { name: 'Logo' }), body.logoId);
  await assertAccessible(page);

  const { id } = await desk.createDashboard([[0, 0, 4, 4]]);
  await page.goto(`${url}/dashboards/${id}/present`);
  await expectLogo(page.getByRole('main'), body.logoId);

  // A session that ends by itself leaves the logo on the sign-in page of this browser; others have never seen it.
  await page.context().clearCookies();
  await page.goto(`${url}/sign-in`);
  await expectLogo(page.getByRole('main'), body.logoId);
  const visitor = await desk.open(`/sign-in?returnTo=/organizations/${organizationId}/settings`);
  await expect(visitor.locator('main img')).toHaveAttribute('src', '/icon.svg');
  const { body: invitation } = await server.call(`POST /api/organizations/${organizationId}/invitations`, {
    as: owner,
    body: { email: 'bob@example.com', role: 'viewer' },
  });
  await visitor.goto(invitation.link);
  await expectLogo(visitor.getByRole('main'), body.logoId);
});

test('signing out forgets the logo, and without one pages show what they did before', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner, organizationId, url } = desk;
  const line = `PUT /api/organizations/${organizationId}/logo`;
  const headers = { 'content-type': 'image/png' };
  const { body } = await server.call(line, { as: owner, headers, body: onePixel });
  const path = `/organizations/${organizationId}/settings`;

  const editors = await desk.open(path, await desk.createEditor('Bob'));
  await expectLogo(editors.getByRole('navigation', { name: 'Main' }), body.logoId);
  await expect(editors.getByRole('button', { name: 'Upload a logo' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(editors.getByRole('button', { name: 'Remove the logo' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await editors.getByRole('button', { name: 'Account of Bob' }).click();
  await editors.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(editors.getByLabel('Email')).toBeVisible();
  await expect(editors.locator('main img')).toHaveAttribute('src', '/icon.svg');

  const page = await desk.open(path, owner);
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await expect(page.getByText('Logo removed.')).toBeVisible();
  await expect(page.locator('img.logo')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove the logo' })).toHaveCount(0);
  await page.goto(`${url}/sign-in`);
  await expect(page.locator('main img')).toHaveAttribute('src', '/icon.svg');
});
