import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { liftBodyDeadline, limitBodies } from './body-deadline.ts';

const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n';

async function listen(
  context: TestContext,
  answer: RequestListener,
): Promise<{ open(text: string): Promise<Socket>; refused: Promise<unknown[]> }> {
  const server = createServer(answer);
  limitBodies(server, 60_000);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const refused = once(server, 'clientError');
  const open = async (text: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).write(text);
    return socket;
  };
  return { open, refused };
}

describe('the deadline of a body', () => {
  const cases: Record<string, RequestListener> = {
    'that nobody reads': () => undefined,
    'that is read': (request) => void request.resume(),
    'that was answered before its end': (_request, response) => void response.end('no'),
    'that was lifted, and begun again': (request) => liftBodyDeadline(request)(),
  };
  for (const [what, answer] of Object.entries(cases)) {
    test(`ends one ${what}`, async (context) => {
      const seen = Promise.withResolvers<void>();
      const { open, refused } = await listen(context, (request, response) => {
        answer(request, response);
        seen.resolve();
      });
      const socket = await open(`${head}\r\n12345`);
      await seen.promise;
      context.mock.timers.tick(59_999);
      socket.write('6');
      context.mock.timers.tick(1);
      const [error] = (await refused) as [{ code: string }];
      assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT');
    });
  }

  test('does not affect a complete body, a request without a body, or a lifted deadline', async (context) => {
    const seen: string[] = [];
    const { open, refused } = await listen(context, (request, response) => {
      if (request.url === '/lifted') liftBodyDeadline(request);
      void request.resume().once('end', () => {
        seen.push(String(request.url));
        response.end('yes');
      });
    });
    void refused.then(() => seen.push('refused'));
    const lifted = await open(`${head.replace(' / ', ' /lifted ')}\r\n12345`);
    for (const text of [`${head}\r\n1234567890`, 'GET /none HTTP/1.1\r\nHost: x\r\n\r\n'])
      await once(await open(text), 'data');
    context.mock.timers.tick(120_000);
    lifted.write('67890');
    await once(lifted, 'data');
    assert.deepEqual(seen, ['/', '/none', '/lifted']);
  });
});
