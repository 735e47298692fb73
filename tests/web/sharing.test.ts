import { test } from 'node:test';
import { setGroupsOfMember } from '../../src/server/organizations/groups.ts';
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

  const colleague = await office.open(`/dashboards/${id}`, bob);
  await expect(colleague.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Sales Berlin' }).click();
  await expect(people.getByText('Sales Berlin')).toHaveCount(0);
  office.expectConsole(/404/);
  await colleague.reload();
  await expect(colleague.getByRole('heading', { level: 1, name: 'Sales' })).toHaveCount(0);
});
