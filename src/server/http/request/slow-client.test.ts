import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { slowClientSignal } from './slow-client.ts';

test('a client that disconnected before its speed was measured leaves no timer behind', async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined).end();
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
  const closed = once(raw, 'close');
  client.destroy();
  await closed;
  const startTimer = context.mock.method(globalThis, 'setInterval');
  const signal = slowClientSignal({ raw });
  assert.deepEqual([signal.aborted, startTimer.mock.callCount()], [false, 0]);
});
