import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createOutgoing } from '../../../src/server/outgoing/outgoing.ts';
import { createWebhookSender } from '../../../src/server/webhooks/sender.ts';
import { findFreePort } from '../../support/network/free-port.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

test('an admin creates a webhook, tests it, sees what was sent, sends it again and deletes it', async (context) => {
  const port = await findFreePort();
  let respond = (response: ServerResponse): void => void response.writeHead(500).end('Out of order');
  const ids: unknown[] = [];
  const receiver = createServer((request, response) => {
    ids.push(request.headers['webhook-id']);
    request.resume().on('end', () => respond(response));
  }).listen(port, '127.0.0.1');
  context.after(() => receiver.close());
  const office = await startWebOffice(context, { ATRIUM_WEBHOOK_PRIVATE_HOSTS: `127.0.0.1:${port}=*` });
  const { database, clock, secretBox } = office.server;
  const outgoing = createOutgoing([{ host: '127.0.0.1', port }]);
  context.after(() => outgoing.close());
  const sender = createWebhookSender({ database, clock, secretBox, outgoing, onFailure: assert.ifError });

  const page = await office.open(`/organizations/${office.organizationId}/settings`, office.owner);
  const section = page.getByRole('region', { name: 'Webhooks' });
  await section.getByRole('button', { name: 'Create a webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a webhook' });
  await dialog.getByLabel('URL').fill('https://169.254.169.254/latest');
  await dialog.getByRole('button', { name: 'Create the webhook' }).click();
  await expect(dialog.getByText(/it is in a private network/)).toBeVisible();
  const url = `http://127.0.0.1:${port}/hook`;
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('Member joined').uncheck();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Create the webhook' }).click();
  const secret = section.getByRole('textbox', { name: 'Secret' });
  await expect(secret).toHaveValue(/^whsec_[\w+/]{43}=$/);
  const first = await secret.inputValue();

  const item = section.getByRole('list', { name: 'Webhooks' }).getByRole('listitem').first();
  await expect(item).toContainText('Enabled');
  await expect(item).not.toContainText('Member joined');
  await item.getByRole('button', { name: 'Send a test event' }).click();
  const delivery = item.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await expect(delivery).toContainText('Waiting');
  await sender.sendDue();
  await expect(delivery).toContainText('Failed');
  await expect(delivery).toContainText('1 attempt · status 500');
  await delivery.getByText('Details').click();
  // The receiver is in a private network.
  await expect(delivery).not.toContainText('Out of order');
  await assertAccessible(page);
  respond = (response) => void response.writeHead(204).end();
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await expect(delivery).toContainText('Will be tried again');
  await sender.sendDue();
  await expect(delivery).toContainText('Delivered');
  await expect(delivery).toContainText('2 attempts · status 204');
  assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);

  await item.getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await expect(section.getByText('For 24 hours, requests are also signed')).toBeVisible();
  await expect(secret).not.toHaveValue(first);
  await page.reload();
  await expect(item).toContainText('Enabled');
  await expect(secret).toHaveCount(0);
  await item.getByRole('button', { name: 'Disable' }).click();
  await expect(item).toContainText('Disabled');
  await item.getByRole('button', { name: `Delete the webhook to ${url}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Webhook deleted.')).toBeVisible();
  await expect(section.getByRole('list', { name: 'Webhooks' })).toHaveCount(0);
});

test('an editor sees who can manage webhooks', async (context) => {
  const office = await startWebOffice(context);
  const editor = await office.server.createMember(office.organizationId, 'editor');
  const page = await office.open(`/organizations/${office.organizationId}/settings`, editor);
  const section = page.getByRole('region', { name: 'Webhooks' });
  await expect(section).toContainText('Requires the admin role or higher');
  await expect(section.getByRole('button')).toHaveCount(0);
});
