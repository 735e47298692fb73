import { test } from 'node:test';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const phone = { viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1440, height: 900 } };

test('admins see how much is stored, and are warned before and when a limit is reached', async (context) => {
  const office = await startWebOffice(context, {
    ATRIUM_ORGANIZATION_MAX_RECORDS: '5',
    ATRIUM_PERSONAL_MAX_RECORDS: '1',
  });
  const { server, owner, organizationId } = office;
  const create = async (body: object): Promise<void> => {
    expect((await server.call('POST /api/dashboards', { as: owner, body })).status).toBe(201);
  };
  for (const name of ['One', 'Two', 'Three', 'Four']) await create({ name, organizationId });
  const settings = `/organizations/${organizationId}/settings`;
  for (const options of [phone, desktop]) {
    const page = await office.open(settings, owner, options);
    const usage = page.getByRole('region', { name: 'Usage', exact: true });
    const bar = usage.getByRole('progressbar', { name: 'Dashboards, reports, folders and data sources' });
    await expect(bar).toHaveAttribute('aria-valuetext', '4 of 5');
    await expect(usage.getByText('The limit of what can be stored is near')).toBeVisible();
    await assertAccessible(page);
  }

  await create({ name: 'Five', organizationId });
  const list = await office.open(`/organizations/${organizationId}/dashboards`, owner, phone);
  await expect(list.getByText('The organization has 5 of 5 dashboards')).toBeVisible();
  await assertAccessible(list);
  await list.getByRole('button', { name: 'New dashboard' }).click();
  await list.getByRole('dialog').getByLabel(/^Name/).fill('Six');
  await list.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await expect(list.getByText('Delete what is no longer needed').last()).toBeVisible();
  await expect(list.getByText('A limit of what may be stored is reached')).toBeVisible();

  await create({ name: 'Private' });
  const account = await office.open('/account', owner, desktop);
  const own = account.getByRole('region', { name: 'Usage', exact: true });
  await expect(own.getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(own.getByText('No more can be stored')).toBeVisible();
  await assertAccessible(account);

  const editor = await server.createMember(organizationId, 'editor');
  const editors = await office.open(settings, editor, phone);
  const hidden = editors.getByRole('region', { name: 'Usage', exact: true });
  await expect(hidden.getByText('Requires the Admin role or higher.')).toBeVisible();
  const editorsList = await office.open(`/organizations/${organizationId}/dashboards`, editor, phone);
  await expect(editorsList.getByRole('link', { name: 'Five' }).first()).toBeVisible();
  await expect(editorsList.getByText('No more can be stored')).toHaveCount(0);
});
