import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { SignJWT } from 'jose';
import { daysMs } from '../../../src/server/base/clock.ts';
import { basic, createClient, sendForm } from '../../support/credentials/oauth.ts';
import { bearer, createServiceAccount, createToken } from '../../support/credentials/tokens.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';
import { expectNoTrace, hasNoOverflow, openAtServerTime, shownToken } from './desk.ts';

const grant = { grant_type: 'client_credentials' };

test('an admin creates a client secret, replaces it by a second, and revokes the first', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const { userId } = await createServiceAccount(server, owner, { organizationId });
  const page = await openAtServerTime(office, `/organizations/${organizationId}/settings`, owner);
  const section = page.getByRole('region', { name: 'Service accounts' });
  const dialog = page.getByRole('dialog');
  await expect(section).not.toContainText('Client ID');
  await section.getByRole('button', { name: 'Create a credential of Pipeline' }).click();
  await dialog.getByLabel('Name').fill('Export job');
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Client secret');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Create the client secret' }).click();
  const first = await shownToken(page, 'Client secret');
  await expect(dialog.getByRole('textbox', { name: 'Client ID' })).toHaveValue(userId);
  await expect(dialog.getByRole('textbox', { name: 'Token URL' })).toHaveValue(
    `${office.url}/api/oauth/token`,
  );
  await expect(dialog.getByRole('alert')).toContainText('it isn’t shown again');
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog, 'the secret is not lost by mistake').toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await expectNoTrace(page, first);
  await expect(section).toContainText(`Client ID: ${userId}`);
  const item = section.getByRole('listitem').filter({ hasText: 'Client secret' });
  await expect(item.last()).toContainText('Export job');
  const ask = async (secret: string) =>
    (await sendForm(server, 'token', grant, basic(userId, secret))).status;
  assert.equal(await ask(first), 200);

  await section.getByRole('button', { name: 'Replace the token Export job' }).click();
  await expect(dialog).toContainText('Replace the client secret “Export job”');
  await expect(dialog.getByRole('combobox', { name: 'Type' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Create the second client secret' }).click();
  const second = await shownToken(page, 'Client secret');
  await expect(dialog).toContainText('The previous one still works.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  assert.deepEqual([await ask(first), await ask(second)], [200, 200]);
  await section.getByRole('button', { name: 'Revoke the token Export job' }).last().click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Token revoked.')).toBeVisible();
  assert.deepEqual([await ask(first), await ask(second)], [401, 200]);
});

test('an admin registers a public key, and a private one never leaves the browser', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const { userId } = await createServiceAccount(server, owner, { organizationId });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const page = await openAtServerTime(office, `/organizations/${organizationId}/settings`, owner);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create a credential of Pipeline' }).click();
  await dialog.getByLabel('Name').fill('Signing job');
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Public key');
  const field = dialog.getByRole('textbox', { name: 'Public key' });
  const register = dialog.getByRole('button', { name: 'Register the key' });
  const secret = privateKey.export({ format: 'jwk' });
  await field.fill(JSON.stringify(secret));
  await register.click();
  await expect(dialog).toContainText('This is a private key.');
  await assertAccessible(page);
  assert.ok(!sent.some((body) => body.includes(secret.d ?? '')));
  await field.fill('{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}');
  await register.click();
  await expect(dialog).toContainText('Must be an RSA key, or a key on P-256');
  await field.fill(publicKey.export({ format: 'pem', type: 'spki' }));
  await register.click();
  await expect(dialog).toContainText('The key is registered');
  await expect(dialog.getByRole('textbox', { name: 'Client ID' })).toHaveValue(userId);
  await assertAccessible(page);
  const aud = await dialog.getByRole('textbox', { name: 'Token URL' }).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const now = server.clock() / 1_000;
  const assertion = await new SignJWT({ iss: userId, sub: userId, aud, jti: 'j1', exp: now + 60 })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey);
  const { body } = await sendForm(server, 'token', {
    ...grant,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });
  const read = await server.call(
    `GET /api/organizations/${organizationId}`,
    bearer({ token: body.access_token }),
  );
  assert.equal(read.status, 200);
});

test('the pages warn before tokens, secrets and keys expire', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const inDays = (days: number) => new Date(server.clock() + daysMs(days)).toISOString();
  await createClient(server, owner, { organizationId, expiresAt: inDays(90) });
  await createToken(server, owner, { organizationId, name: 'Mine', expiresAt: inDays(90) });
  const settings = `/organizations/${organizationId}/settings`;
  const page = await openAtServerTime(office, settings, owner);
  const section = page.getByRole('region', { name: 'Service accounts' });
  await expect(section).toContainText('Client');
  await expect(section.getByRole('alert')).toHaveCount(0);
  await page.clock.setFixedTime(server.clock() + daysMs(61));
  await page.goto(`${office.url}${settings}`);
  await expect(section.getByRole('alert')).toContainText('Replace these before they expire');
  await expect(section.getByRole('alert')).not.toContainText('Nightly');
  await expect(section.getByRole('alert')).toContainText('“Client” of Pipeline expires Feb 19, 2027');
  await expect(section).toContainText('Expires soon');
  await assertAccessible(page);
  await page.goto(`${office.url}/account`);
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await expect(tokens.getByRole('alert')).toContainText('“Mine” expires Feb 19, 2027');
  await assertAccessible(page);
});

test('client credentials are managed in German, on a phone, by keyboard', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  await createServiceAccount(server, owner, { organizationId });
  const page = await openAtServerTime(office, `/organizations/${organizationId}/settings`, owner, {
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole('button', { name: 'Zugangsdaten erstellen für Pipeline' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Auftrag');
  await dialog.getByRole('combobox', { name: 'Typ' }).selectOption('Client-Geheimnis');
  await assertAccessible(page);
  await hasNoOverflow(page);
  await dialog.getByRole('button', { name: 'Client-Geheimnis erstellen' }).press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Client-ID' })).toBeVisible();
  await assertAccessible(page);
  await hasNoOverflow(page);
  await dialog.getByRole('button', { name: 'Fertig' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Dienstkonten' })).toContainText('Client-ID:');
  await hasNoOverflow(page);
});
