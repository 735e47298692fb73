import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort } from '../../support/network/free-port.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import {
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  temporaryDirectory,
} from '../../support/server/server-process.ts';
import { startDashboardDesk } from './desk.ts';
import { startBrowser } from '../../support/browser.ts';
import { assertAccessible, expect } from '../web-office.ts';

test('a draft survives a closed tab, and can be continued or discarded', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const address = `${desk.url}/dashboards/${dashboard.id}/edit`;
  const tab = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  await tab.getByLabel('Name').fill('Half an hour of work');
  await expect(tab.getByText('Draft saved in this browser')).toBeVisible();
  await tab.getByRole('button', { name: 'Close' }).click();
  await expect(tab.getByText("Your changes aren't saved yet.")).toBeVisible();
  await expect(tab.getByRole('heading', { name: 'Traffic' })).toBeVisible();
  const browser = tab.context();
  await tab.close();

  const next = await browser.newPage();
  await next.goto(address);
  await expect(next.getByText(/^You're continuing your draft, last changed/)).toBeVisible();
  await expect(next.getByLabel('Name')).toHaveValue('Half an hour of work');
  await assertAccessible(next);
  await next.getByRole('button', { name: 'Undo' }).click();
  await expect(next.getByLabel('Name')).toHaveValue('Traffic');
  await next.getByRole('button', { name: 'Redo' }).click();

  // The draft is based on an older version, so its save is merged.
  await desk.server.call(`PATCH /api/dashboards/${dashboard.id}`, {
    as: desk.owner,
    headers: { 'if-match': '*' },
    body: { description: 'Saved meanwhile' },
  });
  await next.reload();
  await expect(next.getByText(/saved version 2\. Your changes will be merged/)).toBeVisible();
  await next.getByRole('button', { name: 'Discard draft…' }).click();
  await assertAccessible(next);
  await next.getByRole('button', { name: 'Keep draft' }).click();
  await expect(next.getByRole('dialog')).toBeHidden();
  await next.keyboard.press('Control+s');
  await expect(next.getByText('No changes')).toBeVisible();
  const { name, description } = await desk.readDashboard(dashboard.id);
  assert.deepEqual([name, description], ['Half an hour of work', 'Saved meanwhile']);

  await next.getByLabel('Name').fill('Thrown away');
  await next.reload();
  await next.getByRole('button', { name: 'Discard draft…' }).click();
  await next.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(next.getByLabel('Name')).toHaveValue('Half an hour of work');
  await expect(next.getByText('No changes')).toBeVisible();
  await expect(next.getByText("Your changes aren't saved yet.")).toBeHidden();
});

test('a draft whose base version the server does not have can be saved as a new dashboard or overwrite the saved version', async (context) => {
  const desk = await startDashboardDesk(context);
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, desk.owner);
  await page.getByLabel('Name').fill('From before the backup');
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();
  await page.evaluate(`{
    const [name] = Object.keys(localStorage).filter((key) => key.startsWith('atrium:draft:dashboard:'));
    const draft = JSON.parse(localStorage[name]);
    localStorage[name] = JSON.stringify({ ...draft, base: { ...draft.base, etag: '"99"' } });
  }`);
  await page.reload();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save as a new dashboard' })).toBeVisible();
  await assertAccessible(page);
  assert.equal((await desk.readDashboard(dashboard.id)).name, 'Traffic');
  await page.getByRole('button', { name: 'Overwrite the saved version' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  assert.equal((await desk.readDashboard(dashboard.id)).name, 'From before the backup');
});

test('a person who is signed out while editing signs in again and continues', async (context) => {
  const desk = await startDashboardDesk(context);
  const { server, owner } = desk;
  await setPassword(server, owner, 'the password of Ada');
  const dashboard = await desk.createDashboard([[0, 0, 6, 4]]);
  const page = await desk.open(`/dashboards/${dashboard.id}/edit`, owner);
  await page.getByLabel('Name').fill('Typed before the session ended');
  await server.call('POST /api/auth/sign-out', { as: owner });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByRole('link', { name: 'Sign in' }).click();
  const email = page.getByLabel('Email');
  if (await email.isEditable()) {
    await email.fill(owner.email);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await page.getByLabel(/^Password/).fill('the password of Ada');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Typed before the session ended');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
  assert.equal(
    (await server.call(`GET /api/dashboards/${dashboard.id}`, { as: await newSession() })).body.name,
    'Typed before the session ended',
  );

  async function newSession() {
    const cookies = await page.context().cookies();
    return { ...owner, token: cookies.find(({ name }) => name === 'auth.session_token')?.value ?? '' };
  }
});

test('an edit survives when the server is killed', async (context) => {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const environment = {
    ...ownerSettings,
    PORT: `${port}`,
    ATRIUM_PUBLIC_URL: url,
    ATRIUM_DATA_DIR: temporaryDirectory(context),
  };
  const killed = await startServerProcess(context, { environment });
  const account = await signInOwner(killed);
  const created = await send(account, 'POST /api/dashboards', {
    body: { name: 'Traffic', organizationId: account.organizationId },
  });
  const browser = await startBrowser(context);
  const tab = await browser.newContext();
  const [name = '', value = ''] = account.cookie.split('=');
  await tab.addCookies([{ name, value, url }]);
  const page = await tab.newPage();
  await page.goto(`${url}/dashboards/${created.body.id}/edit`);
  await page.getByLabel('Name').fill('Typed before the server was killed');

  await killed.end('SIGKILL');
  await page.getByLabel('Description').fill('Typed while it was down');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('The server can’t be reached');
  await expect(page.getByText('Draft saved in this browser')).toBeVisible();
  await assertAccessible(page);

  await startServerProcess(context, { environment });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  const { body } = await send(account, `GET /api/dashboards/${created.body.id}`);
  assert.deepEqual(
    [body.name, body.description],
    ['Typed before the server was killed', 'Typed while it was down'],
  );
});
