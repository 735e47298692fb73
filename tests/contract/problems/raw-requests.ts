import { connect, type AddressInfo } from 'node:net';
import type { TestResponse, TestServer } from '../../support/server/test-server.ts';

type Send = (
  request: string,
  goOn?: (write: (text: string) => void, leave: () => void) => Promise<void>,
) => Promise<string>;

/** Makes the server listen. Returns a function that sends raw bytes, one per character, and returns the response. */
export async function listen({ app }: TestServer): Promise<Send> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return (request, goOn) =>
    new Promise((resolve, reject) => {
      let received = '';
      const socket = connect(port, '127.0.0.1');
      socket.setTimeout(60_000, () =>
        reject(new Error(`The response to ${request} does not end: ${received}`)),
      );
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      socket.on('error', reject);
      const goingOn = goOn?.(
        (text) => socket.write(text, 'latin1'),
        () => socket.destroy(),
      );
      socket.on('close', () => resolve(Promise.resolve(goingOn).then(() => received)));
      socket.write(request, 'latin1');
    });
}

/** Parses one HTTP response. */
export function toResponse(received: string): TestResponse {
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const isJson = /json/.test(headers['content-type'] ?? '');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    bytes: Buffer.from(text, 'latin1'),
    body: isJson ? JSON.parse(text) : undefined,
  };
}
