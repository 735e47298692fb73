import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOf, type Owner } from '../endings.ts';

/** Starts a server on a loopback address that is not allowed, so it must receive nothing. */
export async function startRecorder(owner: Owner): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const http = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}');
  });
  http.on('connection', () => requests.push('a connection'));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  atEndOf(owner, () => http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, requests };
}
