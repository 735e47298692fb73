import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an owner limits sessions, is kept from locking themselves out, and members see the limits', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const page = await office.open(`/organizations/${organizationId}/settings`, owner);
  const section = page.getByRole('region', { name: 'Sessions' });
  await section.getByLabel('Minutes without use').fill('30');
  await section.getByLabel('Allowed addresses').fill('office\n198.51.100.0/24');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('“office” is neither an IP address nor a range');
  await assertAccessible(page);
  await section.getByLabel('Allowed addresses').fill('198.51.100.0/24');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('Must contain the address that you use now');
  await section.getByLabel('Allowed addresses').fill('127.0.0.1, ::1');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Session limits saved.')).toBeVisible();
  const { body } = await server.call(`GET /api/organizations/${organizationId}/session-policy`, {
    as: owner,
  });
  assert.deepEqual(body, { idleMinutes: 30, addresses: ['127.0.0.1', '::1'] });
});

test('an admin changes limits, but not the addresses, and sees why', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const line = `/api/organizations/${organizationId}/session-policy`;
  const body = { addresses: ['127.0.0.1', '::1'] };
  assert.equal((await server.call(`PUT ${line}`, { as: owner, body })).status, 200);
  const admin = await server.createMember(organizationId, 'admin');
  const page = await office.open(`/organizations/${organizationId}/settings`, admin);
  const section = page.getByRole('region', { name: 'Sessions' });
  const addresses = section.getByLabel('Allowed addresses');
  await expect(addresses).toHaveAttribute('readonly');
  await expect(addresses).toHaveAccessibleDescription(/Requires the owner role/);
  await section.getByLabel('Minutes without use').fill('60');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Session limits saved.')).toBeVisible();
  await assertAccessible(page);
  assert.deepEqual((await server.call(`GET ${line}`, { as: admin })).body, { idleMinutes: 60, ...body });
});
