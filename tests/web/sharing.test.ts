import { test } from 'node:test';
import { setGroupsOfMember } from '../../src/server/organizations/groups/groups.ts';
import { openNewsroom } from '../support/reports/newsroom.ts';
import { startProvisioning } from '../support/sso/provisioning.ts';
import { createDashboard } from '../support/dashboards/team.ts';
import { assertAccessible, expect, startWebOffice } from './web-office.ts';

test('a dashboard is shared with a directory group that members have, and with one that is typed', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const bob = await server.createMember(organizationId, 'viewer');
  await server.database.write((transaction) =>
    setGroupsOfMember(transaction, { organizationId, userId: bob.id }, ['Sales Berlin', 'Sales Paris']),
  );
  const id = await createDashboard(server, owner, { name: 'Sales', organizationId });
  const page = await office.open(`/dashboards/${id}`, owner, { viewport: { width: 360, height: 740 } });
  await page.getByRole('button', { name: 'Share' }).click();
  const people = page.getByRole('list', { name: 'People with access' });
  const picker = page.getByRole('combobox', { name: 'Add a member or group' });
  await page.getByRole('switch', { name: 'Restrict to people listed below' }).press('Space');
  await expect(people).toContainText('Only its owner and the admins');

  await picker.fill('berlin');
  await expect(page.getByRole('option')).toHaveText(['Sales Berlin (1 member)', 'Group “berlin”']);
  await picker.press('ArrowDown');
  await picker.press('Enter');
  await expect(people.getByText('Directory group, 1 member')).toBeVisible();
  await picker.fill('Nobody yet');
  await page.getByRole('option', { name: 'Group “Nobody yet”' }).click();
  await expect(people.getByText('Directory group, 0 members')).toBeVisible();
  await assertAccessible(page);

  const why = page.getByRole('combobox', { name: 'Member', exact: true });
  await why.fill('viewer');
  await page.getByRole('option', { name: /^viewer \(/ }).click();
  await expect(page.getByRole('status').getByRole('listitem')).toHaveText([
    'Directory group Sales Berlin: can see',
  ]);
  await why.fill('ada');
  await page.getByRole('option', { name: /^Ada \(/ }).click();
  await expect(page.getByRole('status').getByRole('listitem')).toHaveText([
    'The role owner: can edit and share',
    'Owner: can edit and share',
  ]);
  await assertAccessible(page);

  const colleague = await office.open(`/dashboards/${id}`, bob);
  await expect(colleague.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Sales Berlin' }).click();
  await expect(people.getByText('Sales Berlin')).toHaveCount(0);
  office.expectConsole(/404/);
  await colleague.reload();
  await expect(colleague.getByRole('heading', { level: 1, name: 'Sales' })).toHaveCount(0);
});

test('groups with the same name are told apart by their IDs', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner, organizationId } = office;
  const bob = await server.createMember(organizationId, 'viewer');
  const scim = await startProvisioning(server, { id: organizationId, owner, domain: 'example.com' });
  for (const externalId of ['real', 'fake']) await scim.createGroup('Board', [], { externalId });
  await server.database.write((transaction) =>
    setGroupsOfMember(transaction, { organizationId, userId: bob.id }, ['real', 'fake']),
  );
  const id = await createDashboard(server, owner, { name: 'Minutes', organizationId });
  const page = await office.open(`/dashboards/${id}`, owner);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('combobox', { name: 'Add a member or group' }).fill('board');
  const options = page.getByRole('option', { name: 'Board (1 member)' });
  await expect(options).toContainText(['Group ID: fake', 'Group ID: real']);
  await options.filter({ hasText: 'Group ID: real' }).click();
  const people = page.getByRole('list', { name: 'People with access' });
  await expect(people.getByText('Group ID: real')).toBeVisible();
  await page.getByRole('combobox', { name: 'Member', exact: true }).fill('viewer');
  await page.getByRole('option', { name: /^viewer \(/ }).click();
  await expect(page.getByRole('status').getByRole('listitem').filter({ hasText: 'Board' })).toContainText(
    'Group ID: real',
  );
  await assertAccessible(page);
});

test('a data source is restricted and shared to query, and its reports still run', async (context) => {
  const office = await startWebOffice(context);
  const { server } = office;
  const newsroom = await openNewsroom(server);
  const bob = await server.createMember(newsroom.organizationId, 'editor');
  const report = await newsroom.save({ name: 'Regions', query: 'SELECT region FROM sales' });
  const path = `/data-sources/${newsroom.id}`;

  const page = await office.open(path, newsroom.owner, { viewport: { width: 360, height: 740 } });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('switch', { name: 'Restrict to people listed below' }).press('Space');
  await expect(page.getByText('Reports that use it still run')).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('combobox', { name: 'Add a member or group' }).fill('editor');
  await page.getByRole('option', { name: /^editor \(/ }).click();
  const level = page.getByRole('combobox', { name: 'Access of editor' });
  await expect(level).toHaveValue('Can query');

  const colleague = await office.open(path, bob);
  await expect(colleague.getByRole('heading', { level: 3, name: 'sales' })).toBeVisible();
  await expect(colleague.getByRole('button', { name: 'Edit', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await level.click();
  await page.getByRole('option', { name: 'Can see' }).click();
  await expect(level).toHaveValue('Can see');
  await colleague.reload();
  await expect(colleague.getByText(/You can’t query this data source/).first()).toBeVisible();
  await assertAccessible(colleague);
  await page.getByRole('button', { name: 'Remove editor' }).click();
  await expect(level).toHaveCount(0);
  await colleague.goto(`${office.url}/reports/${report.id}`);
  await expect(colleague.getByRole('cell', { name: 'north' }).first()).toBeVisible();
});
