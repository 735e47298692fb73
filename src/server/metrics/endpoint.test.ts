import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { until } from '../../../tests/support/server/server-process.ts';
import { createMetricsServer } from './endpoint.ts';

const token = 'aA0-'.repeat(8);

function createTestServer(context: TestContext) {
  const options = { publicUrl: 'http://localhost', trustedProxies: [], logger: false } as const;
  const server = createMetricsServer(options, { scrape: async () => 'metrics' }, token);
  context.after(() => server.close());
  return server;
}

test('the port for metrics serves nothing else, and only with the token', async (context) => {
  const server = createTestServer(context);
  const authorized = { authorization: `Bearer ${token}` };
  const statusOf = async (method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST', url: string, headers = {}) =>
    (await server.inject({ method, url, headers })).statusCode;
  assert.equal(await statusOf('GET', '/metrics', authorized), 200);
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}x`,
    `Bearer ${token.toLowerCase()}`,
    `Bearer ${token},Bearer ${token}`,
    `Basic ${token}`,
    token,
  ])
    assert.equal(await statusOf('GET', '/metrics', { authorization }), 401, authorization);
  assert.equal(await statusOf('GET', `/metrics?token=${token}`), 401);
  for (const method of ['HEAD', 'OPTIONS', 'POST'] as const)
    assert.equal(await statusOf(method, '/metrics', authorized), 404, method);
  for (const url of ['/', '/api/health/ready', '/api/server', '/metrics/', '/METRICS', '//metrics'])
    assert.equal(await statusOf('GET', url, authorized), 404, url);
});

test('clients that hang on the port for metrics take few descriptors of the process', async (context) => {
  const server = createTestServer(context);
  await server.listen({ host: '127.0.0.1', port: 0 });
  // Sound because it listens on a port.
  const { port } = server.server.address() as AddressInfo;
  let closedCount = 0;
  const sockets = Array.from({ length: 60 }, () => {
    const socket = connect(port, '127.0.0.1').on('close', () => (closedCount += 1));
    return socket.on('error', () => undefined);
  });
  context.after(() => sockets.forEach((socket) => socket.destroy()));
  await until('the others are refused', async () => closedCount >= 44 || undefined);
  const count = await new Promise((resolve) => server.server.getConnections((_error, open) => resolve(open)));
  assert.equal(count, 16);
});
