import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createServiceAccount, createToken } from '../../support/credentials/tokens.ts';
import { makeOperator } from '../../support/organizations/operators.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';
import { openAtServerTime } from './desk.ts';

test('tokens that a restore has suspended are confirmed one by one, all at once, and by the person whose they are', async (context) => {
  const office = await startWebOffice(context);
  const { server, organizationId, owner } = office;
  await makeOperator(server, owner);
  const [program, other] = [
    await createServiceAccount(server, owner, { organizationId }),
    await createServiceAccount(server, owner, { organizationId }),
  ];
  const [own, another] = [
    await createToken(server, owner, { organizationId, name: 'Laptop' }),
    await createToken(server, owner, { organizationId, name: 'Notebook' }),
  ];
  const at = new Date(server.clock()).toISOString();
  await server.database.write((transaction) =>
    transaction.execute(`update tokens set suspended_at = '${at}'`),
  );
  const works = async (token: { readonly token: string }) =>
    (await server.call(`GET /api/organizations/${organizationId}`, bearer(token))).status === 200;

  const account = await openAtServerTime(office, '/account', owner);
  const mine = account.getByRole('region', { name: 'Tokens' }).getByRole('listitem');
  await expect(mine.filter({ hasText: 'Laptop' })).toContainText('as soon as you confirm');
  await account.getByRole('button', { name: 'Confirm the token Laptop' }).click();
  await expect(account.getByText('Token confirmed.')).toBeVisible();
  await expect(mine.filter({ hasText: 'Laptop' })).toContainText('Active');
  assert.deepEqual([await works(own), await works(another)], [true, false]);

  const state = await openAtServerTime(office, '/server', owner);
  await expect(
    state.getByText("Tokens that don't work since the server was restored from a backup: 3."),
  ).toBeVisible();

  const page = await openAtServerTime(office, `/organizations/${organizationId}/settings`, owner);
  const section = page.getByRole('region', { name: 'Service accounts' });
  const notice = section.getByRole('alert', { name: '3 tokens are suspended' });
  await expect(notice).toContainText('Revoke the tokens below that were revoked');
  await section
    .getByRole('button', { name: /^Confirm the token/ })
    .first()
    .click();
  await expect(page.getByText('Token confirmed.')).toBeVisible();
  await expect(section.getByRole('alert', { name: '2 tokens are suspended' })).toBeVisible();
  await section.getByRole('button', { name: 'Confirm all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm 2 tokens?' });
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Confirm all' }).click();
  await expect(page.getByText('2 tokens confirmed.')).toBeVisible();
  await expect(section.getByText('Suspended')).toHaveCount(0);
  assert.deepEqual([await works(program), await works(other), await works(another)], [true, true, true]);
});
