import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
} from '../support/server/server-process.ts';

test('with as many connections as descriptors, the server still imports, queries and accepts new ones', async (context) => {
  const environment = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings };
  const server = await startServerProcess(context, { environment, descriptorLimit: 200 });
  const owner = await signInOwner(server);
  const agent = new Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  await send(owner, 'GET /api/organizations', { agent });
  const { hostname, port } = new URL(server.url);
  const sockets = Array.from({ length: 300 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  context.after(() => sockets.forEach((socket) => socket.destroy()));
  await until(
    'connections are refused',
    () => server.output().includes('Connections are refused') || undefined,
  );
  assert.match(server.output(), /"descriptorLimit":200.*RLIMIT_NOFILE/);

  const sources = `/api/organizations/${owner.organizationId}/data-sources`;
  const source = await send(owner, `POST ${sources}`, { agent, body: { name: 'Shop', kind: 'files' } });
  const table = `/api/data-sources/${source.body.id}/tables/orders`;
  const uploaded = await send(owner, `PUT ${table}`, { agent, body: [{ amount: 3 }] });
  assert.equal(uploaded.status, 200, JSON.stringify(uploaded.body));
  const { body } = await send(owner, `GET ${table}/preview`, { agent });
  assert.deepEqual(body.rows, [[3]]);

  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket, 'close')));
  await until('a new connection is taken', async () =>
    (await send(server, 'GET /api/health/ready').catch(() => undefined))?.status === 200 ? true : undefined,
  );
  assert.equal(server.exit(), undefined);
});
