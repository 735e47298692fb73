import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { domain, startReadyOffice } from './office.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('single sign-on is required by an owner who signed in through it, and nobody is locked out', async (context) => {
  const { office, owner, organizationId, becomePerson } = await startReadyOffice(context);
  const { server } = office;
  const guide = `/organizations/${organizationId}/sso`;

  // After signing in with a password, an owner can create codes, but can't require a sign-in that they haven't tried.
  const page = await office.open(guide, owner);
  await button(page, /^Require single sign-on Optional/).click();
  await expect(
    page.getByRole('row', { name: /^Owners with a recovery code, each valid once No/ }),
  ).toBeVisible();
  await button(page, 'Require single sign-on…').hover();
  await expect(page.getByRole('tooltip')).toHaveText(/Create recovery codes/);
  // A session that was left open doesn't confirm the person's identity.
  server.advance(minutesMs(11));
  await button(page, 'Create recovery codes').click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await assertAccessible(page);
  await proof.getByLabel(/^Password/).fill('a guess');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByRole('alert')).toContainText('Incorrect password.');
  await proof.getByLabel(/^Password/).fill('correct horse battery');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(codes.getByRole('button', { name: 'Done' })).toHaveAttribute('aria-disabled', 'true');
  const download = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('atrium-recovery-codes.txt');
  await codes.getByLabel('I have stored the codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(codes).toBeHidden();
  await expect(page.getByRole('row', { name: /^Owners .* Yes: 10 left/ })).toBeVisible();
  await button(page, 'Require single sign-on…').hover();
  await expect(page.getByRole('tooltip')).toHaveText(/^Sign in through the directory yourself/);

  // The same person, through the directory.
  const through = await office.open('/sign-in');
  await becomePerson(through, 'Ada');
  await through.goto(`${office.url}/api/sso/start/${organizationId}?returnTo=${guide}`);
  await expect(through.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await expect(through.getByLabel('Email')).toHaveValue(owner.email);
  await assertAccessible(through);
  await through.getByLabel(/^Password/).fill('a guess');
  await button(through, 'Link and sign in').click();
  await expect(through.getByRole('alert')).toContainText('Incorrect password.');
  await through.getByLabel(/^Password/).fill('correct horse battery');
  await button(through, 'Link and sign in').click();
  await button(through, /^Require single sign-on Optional/).click();
  await button(through, 'Require single sign-on…').click();
  const require = through.getByRole('dialog', { name: 'Require single sign-on?' });
  await expect(require).toContainText(
    'Owners can sign in with a recovery code when the directory fails: 10 left.',
  );
  await assertAccessible(through);
  await require.getByRole('button', { name: 'Require' }).click();
  await expect(through.getByRole('region', { name: 'Status' })).toContainText('must sign in through');
  await expect(through.getByRole('row', { name: /^Members who have a password .* No/ })).toBeVisible();

  // The consequences are listed first.
  await button(through, /^Turn on Done/).click();
  await button(through, 'Turn off…').click();
  const off = through.getByRole('dialog', { name: 'Turn off single sign-on?' });
  await expect(off).toContainText('1 session started through the directory ends, including yours.');
  await expect(off).toContainText('Single sign-on is no longer required');
  await assertAccessible(through);
  await off.getByRole('button', { name: 'Cancel' }).click();
  await button(through, /^Verify your email domain/).click();
  await button(through, `Remove ${domain}`).hover();
  await expect(through.getByRole('tooltip')).toContainText('A configuration needs at least one domain.');
});

test('an admin sees what requires an owner, and others see which role they need', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId } = office;
  const guide = `/organizations/${organizationId}/sso`;
  const admin = await office.open(guide, await server.createMember(organizationId, 'admin'), {
    viewport: { width: 360, height: 800 },
  });
  await button(admin, /^Require single sign-on/).click();
  await button(admin, 'Create recovery codes').hover();
  await expect(admin.getByRole('tooltip')).toHaveText('Only owners of the organization can do this.');
  await button(admin, /^Roles/).click();
  await button(admin, 'Add a mapping').click();
  const mapping = admin.getByRole('group', { name: 'Mapping 1' });
  await expect(mapping.getByLabel('Role').getByRole('option')).toHaveText(['admin', 'editor', 'viewer']);
  await mapping.getByLabel('App role value').fill('Atrium.Editor');
  await assertAccessible(admin);
  await button(admin, 'Save roles').click();
  await expect(button(admin, /^Roles Done · 1 mapped/)).toBeVisible();

  for (const role of ['editor', 'viewer'] as const) {
    const page = await office.open(guide, await server.createMember(organizationId, role));
    await expect(page.getByRole('heading', { name: 'You can’t manage single sign-on' })).toBeVisible();
    await expect(page.getByText(`Your role in Organization is ${role}.`)).toBeVisible();
    await assertAccessible(page);
  }
});
