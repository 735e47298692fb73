import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createToken } from '../../support/credentials/tokens.ts';
import { createDashboard } from '../../support/dashboards/team.ts';
import { setGroupsOfMember } from '../../../src/server/organizations/groups/groups.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an admin reviews access, and removes what a person, a token and a link have', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const [bob, eve] = [
    await server.createMember(organizationId, 'editor'),
    await server.createMember(organizationId, 'viewer'),
  ];
  await server.database.write((transaction) =>
    setGroupsOfMember(transaction, { organizationId, userId: eve.id }, ['sales']),
  );
  const dashboardId = await createDashboard(server, owner, { name: 'Plan', organizationId, widgets: [] });
  await server.call(`PUT /api/dashboards/${dashboardId}/access`, {
    as: owner,
    body: {
      restricted: true,
      members: [{ userId: bob.id, access: 'edit' }],
      groups: [{ groupId: 'sales', access: 'view' }],
    },
  });
  await server.call(`POST /api/dashboards/${dashboardId}/display-links`, {
    as: owner,
    body: { name: 'Lobby' },
  });
  await createToken(server, bob, { organizationId });

  const page = await office.open(`/organizations/${organizationId}/access-review`, owner);
  const rows = page.getByRole('row');
  const remove = (name: string) => page.getByRole('button', { name: `Remove: ${name}`, exact: true });
  await expect(rows.filter({ hasText: 'Token “Script”' })).toHaveCount(1);
  await assertAccessible(page);

  // A group of the directory gives this: the button says where to end it.
  const byGroup = rows.filter({ hasText: 'Shared with the group sales' });
  await expect(byGroup).toContainText(eve.email);
  const disabled = byGroup.getByRole('button');
  await expect(disabled).toHaveAttribute('aria-disabled', 'true');
  await disabled.hover();
  await expect(
    page.getByRole('tooltip', { name: /The group sales of the directory gives this/ }),
  ).toBeVisible();

  await page.getByLabel('Who').selectOption(bob.id);
  await expect(rows).toHaveCount(4);
  await page.getByLabel('What').selectOption('dashboard');
  await expect(rows).toHaveCount(2);
  await remove('editor, Plan').click();
  await expect(page.getByText('Plan is no longer shared with editor.')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Nothing matches')).toBeVisible();
  const access = await server.call(`GET /api/dashboards/${dashboardId}/access`, { as: owner });
  expect(access.body).toMatchObject({ restricted: true, members: [], groups: [{ groupId: 'sales' }] });

  await page.getByRole('button', { name: 'Clear' }).click();
  await rows.filter({ hasText: 'Token “Script”' }).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows.filter({ hasText: 'Token “Script”' })).toHaveCount(0);
  await remove('Lobby, Plan').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows.filter({ hasText: 'Lobby' })).toHaveCount(0);
  await rows.filter({ hasText: bob.email }).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows.filter({ hasText: bob.email })).toHaveCount(0);

  // The link of an object shows who may do something with it.
  await page.getByRole('link', { name: 'Only Plan' }).first().click();
  await expect(page).toHaveURL(/objectKind=dashboard&objectId=/);
  await expect(rows.filter({ hasText: 'Owner' })).toContainText(owner.email);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as CSV' }).click(),
  ]);
  const lines = (await text(await download.createReadStream())).trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',', 1)[0])).toEqual(['reason', 'named', 'group', 'owner']);
});

test('an editor sees which role a review requires', async (context) => {
  const office = await startWebOffice(context);
  const editor = await office.server.createMember(office.organizationId, 'editor');
  const page = await office.open(`/organizations/${office.organizationId}/access-review`, editor);
  await expect(page.getByRole('heading', { name: 'You can’t review access' })).toBeVisible();
  await assertAccessible(page);
});
