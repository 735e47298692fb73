import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { findFreePort } from '../support/network/free-port.ts';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

describeOnUsualEngine('a webhook of a server process', (engine) => {
  test('is sent events soon, and after a restart what the server could not send before it was killed', async (context) => {
    const port = await findFreePort();
    const names: string[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const { data } = JSON.parse(body) as { data: { dashboard: { name: string } } };
        names.push(data.dashboard.name);
        response.writeHead(204).end();
      });
    });
    const listen = () => new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
    await listen();
    context.after(() => receiver.close());
    const environment = {
      ...(await freshPlace(context, engine)),
      ...ownerSettings,
      ATRIUM_WEBHOOK_PRIVATE_HOSTS: `127.0.0.1:${port}=*`,
    };
    const first = await startServerProcess(context, { environment });
    const account = await signInOwner(first);
    const { organizationId } = account;
    const created = await send(account, `POST /api/organizations/${organizationId}/webhooks`, {
      body: { url: `http://127.0.0.1:${port}/`, events: ['dashboard.created'] },
    });
    assert.equal(created.status, 201);
    const save = async (name: string) => {
      const { status } = await send(account, 'POST /api/dashboards', { body: { name, organizationId } });
      assert.equal(status, 201);
    };
    await save('At once');
    await until('the event is sent', () => names[0]);
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await save('Later');
    await first.end('SIGKILL');
    await listen();
    await startServerProcess(context, { environment });
    await until('the event is sent after the restart', () => names[1]);
    assert.deepEqual(names, ['At once', 'Later']);
  });
});
