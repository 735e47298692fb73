import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { startProvisioning } from '../../support/sso/provisioning.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const domain = 'contoso.test';

test('an admin sees when the directory last sent something and the names of its groups, and removes suspended people', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  const configured = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
    as: owner,
    body: { provider: 'idp_ad', clientId: 'client', emailDomains: [domain], enabled: false },
  });
  assert.equal(configured.status, 200, configured.text);
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  const page = await office.open(`/organizations/${organizationId}/sso`, owner);
  const provisioning = page.getByRole('region', { name: 'Provisioning' });
  await expect(provisioning).toContainText('No service account has this permission yet.');
  const scim = await startProvisioning(server, { id: organizationId, owner, domain });
  await page.reload();
  await expect(provisioning).toContainText('no request yet.');
  const { id } = await scim.createUser('Zoe');
  await scim.setActive(id, false);
  await page.reload();
  await expect(provisioning).toContainText(/last request .* from 127\.0\.0\.1/);
  await assertAccessible(page);

  const yan = (await scim.createUser('Yan')).id;
  // More groups than a page of the list has.
  for (let number = 1; number <= 51; number += 1)
    await scim.createGroup(`Group ${number}`, [yan], { externalId: `a-${number}` });
  await scim.createGroup('Sellers', [yan], { externalId: 'object-2' });
  await page.reload();
  await page.getByRole('button', { name: /^Roles/ }).click();
  await page.getByRole('button', { name: 'Add a mapping' }).click();
  const mapping = page.getByRole('group', { name: 'Mapping 1' });
  await mapping.getByLabel('Claim').selectOption('Group');
  await mapping.getByLabel('Group object ID').fill('object-2');
  await expect(mapping.getByRole('paragraph')).toHaveText('Sellers');
  await assertAccessible(page);

  await page.goto(`${office.url}/organizations/${organizationId}/members`);
  const suspended = page.getByRole('region', { name: 'Suspended members' });
  await expect(suspended).toContainText(`zoe@${domain}`);
  await assertAccessible(page);
  await suspended.getByRole('button', { name: 'End suspension of Zoe' }).click();
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'End suspension' }).click();
  await expect(page.getByText('Ended the suspension of Zoe.')).toBeVisible();
  await expect(suspended).toBeHidden();
});
