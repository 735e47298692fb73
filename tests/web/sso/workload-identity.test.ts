import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursMs } from '../../../src/server/base/clock.ts';
import { audience, issuer, startHost, subject } from '../../sso/workload/host.ts';
import { copied, domain, startSurroundings, tenantId } from './office.ts';
import { assertAccessible, expect, startWebServer } from '../web-office.ts';

test('the workload identity of the server is registered, used and stopped where the operator offers it', async (context) => {
  const host = await startHost(context, 'SQLite', 1);
  const { directory, environment } = await startSurroundings(context, tenantId);
  const office = await startWebServer(context, { ...environment, ...host.environment }, host.opened);
  const { server } = office;
  const owner = await server.createPerson('Ada');
  const [named = ''] = host.organizationIds;
  await server.addMember(named, owner, 'owner');
  const other = await server.createOrganization(owner);
  const { clientId, clientSecret } = directory;
  for (const id of [named, other])
    await server.call(`POST /api/sso/orgs/${id}/config`, {
      as: owner,
      body: { provider: 'idp_ad', clientId, clientSecret, tenantId, emailDomains: [domain], enabled: true },
    });
  await host.renewToken(server.clock);

  const page = await office.open(`/organizations/${named}/sso`, owner);
  const region = page.getByRole('region', { name: 'Workload identity instead of a secret' });
  await page.getByRole('button', { name: /^Enter the app details/ }).click();
  await expect(region.getByText('In use')).toBeHidden();
  assert.deepEqual(
    [await copied(page, 'Issuer'), await copied(page, 'Subject identifier'), await copied(page, 'Audience')],
    [issuer, subject, audience],
  );
  await assertAccessible(page);
  await region.getByRole('button', { name: 'Use it…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is the workload identity registered?' });
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Use it' }).click();
  await expect(page.getByText('The workload identity is used now.')).toBeVisible();
  await expect(region.getByText('In use')).toBeVisible();

  // The page says what is wrong with the file.
  server.advance(hoursMs(1));
  await page.reload();
  await page.getByRole('button', { name: /^Enter the app details/ }).click();
  await expect(region.getByText(/contains a token that has expired/)).toBeVisible();
  await assertAccessible(page);
  await region.getByRole('button', { name: 'Stop using it…' }).click();
  const stopping = page.getByRole('dialog', { name: 'Stop using the workload identity?' });
  await stopping.getByRole('button', { name: 'Stop using it' }).click();
  await expect(page.getByText('The workload identity is no longer used.')).toBeVisible();
  await expect(region.getByText('In use')).toBeHidden();
  await expect(region.getByRole('button')).toHaveCount(0);

  await page.goto(`${office.url}/organizations/${other}/sso`);
  await page.getByRole('button', { name: /^Enter the app details/ }).click();
  await expect(page.getByRole('region', { name: 'Certificate instead of a secret' })).toBeVisible();
  await expect(region).toBeHidden();
});
