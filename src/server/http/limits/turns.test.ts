import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { watchTurns } from '../../../../tests/contract/budgets/measure.ts';
import { credentialOf, startTestServer } from '../../../../tests/support/server/test-server.ts';

test('a person who sends many large requests at once keeps others waiting for few of them', async (context) => {
  const server = await startTestServer(context, 'SQLite');
  const as = await server.createPerson('Ada');
  const body = { name: 'D', description: 'é'.repeat(450_000) };
  for (let count = 0; count < 2; count += 1) await server.call('POST /api/dashboards', { as, body });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const head = `GET /api/dashboards HTTP/1.1\r\nhost: localhost\r\ncookie: ${credentialOf(as)['cookie']}\r\n\r\n`;

  /** Sends requests over connections that are open already, so that all of them arrive in one turn, and reads how responses begin. */
  async function longestTurnMs(count: number): Promise<number> {
    const sockets = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port, '127.0.0.1');
        socket.write('GET /api/health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
        await once(socket, 'data');
        return socket;
      }),
    );
    const turns = watchTurns();
    const responses = sockets.map(async (socket) => {
      socket.write(head);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return bytes.subarray(0, 15).toString();
    });
    assert.deepEqual([...new Set(await Promise.all(responses))], ['HTTP/1.1 200 OK']);
    return turns.end();
  }
  await longestTurnMs(1);
  const oneMs = await longestTurnMs(1);
  const manyMs = await longestTurnMs(40);
  assert.ok(manyMs < 40 + 5 * oneMs, `${manyMs} ms instead of ${oneMs}`);
});
