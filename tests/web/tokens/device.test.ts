import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer } from '../../support/credentials/tokens.ts';
import { assertAccessible, expect, startWebOffice, type WebOffice } from '../web-office.ts';
import { hasNoOverflow } from './desk.ts';

const send = ({ server }: WebOffice, operation: string, form: Record<string, string>) =>
  server.call(`POST /api/oauth/${operation}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: 'atrium-cli', ...form }).toString(),
  });

test('a person connects a command line by its code, and denies another', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId } = office;
  const start = async () =>
    (await send(office, 'device_authorization', { scope: 'read dashboards:write' })).body;
  const poll = (code: string) =>
    send(office, 'token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: code,
    });
  const first = await start();
  const page = await office.open('/device', office.owner);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('heading', { level: 1, name: 'Connect a device' })).toBeVisible();
  await page.getByLabel('Code').fill('BBBB-BBBB');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No device is waiting with this code.')).toBeVisible();
  await page.getByLabel('Code').fill(first.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Atrium command line asks to act as you')).toBeVisible();
  await expect(page.getByText(first.user_code)).toBeVisible();
  await assertAccessible(page);
  await hasNoOverflow(page);
  await page.getByLabel('Change dashboards').uncheck();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('The device is connected.')).toBeVisible();
  const { body } = await poll(first.device_code);
  assert.equal(body.scope, 'read');
  const response = await server.call(
    `GET /api/organizations/${organizationId}`,
    bearer({ token: body.access_token }),
  );
  assert.equal(response.status, 200);

  const second = await start();
  await page.goto(`${office.url}/device#${second.user_code}`);
  await page.reload();
  await expect(page.getByLabel('Code')).toHaveValue(second.user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('The device was denied access.')).toBeVisible();
  assert.equal((await poll(second.device_code)).body.error, 'access_denied');

  await page.goto(`${office.url}/account`);
  await expect(page.getByRole('region', { name: 'Tokens' })).toContainText('Atrium command line');
});
