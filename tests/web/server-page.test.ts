import { test } from 'node:test';
import { setOperator } from '../../src/server/organizations/operators.ts';
import { setPassword } from '../support/organizations/passwords.ts';
import { setUpApp } from '../support/organizations/second-factors.ts';
import { makeOperator } from '../support/organizations/operators.ts';
import { testSandbox } from '../support/data-sources/query-sandbox.ts';
import { assertAccessible, expect, startWebOffice } from './web-office.ts';

test('an operator sees the state of the server and changes what it logs', async (context) => {
  const secret = 'canary-canary-canary-canary-canary';
  const office = await startWebOffice(context, { ATRIUM_SECRET_KEY: secret });
  await makeOperator(office.server, office.owner);
  const at = office.server.clock();
  office.server.jobs.push({
    name: 'back up',
    remedy: 'Check the disk.',
    dueAt: at,
    isRunning: false,
    succeededAt: undefined,
    lastDurationMs: 1,
    failureCount: 1,
    isFailing: true,
  });
  const page = await office.open('/server', office.owner);
  await expect(page.getByText('0.0.0-test')).toBeVisible();
  await expect(page.getByText('SQLite', { exact: true })).toBeVisible();
  const attention = page.getByRole('alert', { name: 'Needs attention' });
  await expect(attention.getByText('A maintenance job fails: back up. Check the disk.')).toBeVisible();
  const { kind, reason } = (await testSandbox()).state;
  await expect(
    page.getByText(kind === 'separate_user' ? 'a separate user' : kind, { exact: true }),
  ).toBeVisible();
  if (reason !== undefined) await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByText(office.server.dataDirectory).first()).toBeVisible();
  await expect(page.getByRole('row', { name: 'ATRIUM_SECRET_KEY set, not shown' })).toBeVisible();
  expect(await page.content()).not.toContain('canary');
  await assertAccessible(page);
  await page.getByLabel('Level', { exact: true }).selectOption('warn');
  await expect(page.getByText('The log level is now warn.')).toBeVisible();
  const { body } = await office.server.call('GET /api/server', { as: office.owner });
  expect(body.logLevel).toBe('warn');
  await expect(page.getByText('Requests are logged only at the levels info, debug and trace.')).toBeVisible();
  await page.getByLabel('Level', { exact: true }).selectOption('info');
  await page.getByLabel('Log each request').click();
  await expect(page.getByText('Requests are now logged.')).toBeVisible();
  await expect(page.getByLabel('Log each request')).toBeChecked();
  const { body: after } = await office.server.call('GET /api/server', { as: office.owner });
  expect([after.logLevel, after.logRequests]).toEqual(['info', true]);
  await assertAccessible(page);
});

test('operators without a second factor are led to set one up', async (context) => {
  const office = await startWebOffice(context);
  const { server, owner } = office;
  await setPassword(server, owner, 'correct horse battery');
  await server.database.write((transaction) => setOperator(transaction, owner.id, true));
  const page = await office.open('/server', owner, { viewport: { width: 360, height: 760 } });
  await expect(page.getByRole('heading', { name: 'Operators need a second factor' })).toBeVisible();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  await setUpApp(server, owner);
  await page.goBack();
  await expect(page.getByText('0.0.0-test')).toBeVisible();
});

test('people who aren’t operators see how to become one', async (context) => {
  const office = await startWebOffice(context);
  const page = await office.open('/server', office.owner, { viewport: { width: 360, height: 760 } });
  await expect(page.getByRole('heading', { name: 'You can’t view this page' })).toBeVisible();
  await expect(page.getByText('operator grant --email')).toBeVisible();
  await assertAccessible(page);
});
