import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { cutSlowReaders } from './slow-readers.ts';

test('clients that read nothing, or hardly anything, are cut, and those that read or wait are not', async (context) => {
  const responses = new Map<string, ServerResponse>();
  const chunk = Buffer.alloc(64 * 1024);
  const server = createServer(({ url = '' }, response) => {
    responses.set(url, response);
    if (url === '/events') return void response.write('first');
    if (url === '/one-piece') return void response.end(Buffer.alloc(16 * 1024 ** 2));
    const chunks = url === '/finite' ? Array.from({ length: 160 }, () => chunk) : endless();
    Readable.from(chunks, { objectMode: false }).pipe(response);
  });
  function* endless() {
    for (;;) yield chunk;
  }
  cutSlowReaders(server, { minBytes: 1024 ** 2, everyMs: 150 });
  server.listen(0, '127.0.0.1');
  context.after(() => server.closeAllConnections());
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (path: string): Promise<IncomingMessage> => {
    const client = get({ port, host: '127.0.0.1', path, agent: false });
    client.on('error', () => undefined);
    // A client that doesn't read doesn't notice that the server has closed the connection.
    context.after(() => client.destroy());
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    return response.on('error', () => undefined);
  };
  const closeOf = (path: string): Promise<unknown> => once(responses.get(path) ?? assert.fail(), 'close');

  const events = await open('/events');
  const reads = open('/finite').then(async (response) => {
    let sizeBytes = 0;
    for await (const bytes of response) sizeBytes += (bytes as Buffer).length;
    return sizeBytes;
  });
  for (const path of ['/silent', '/one-piece', '/drip']) {
    const response = await open(path);
    const timer = path === '/drip' ? setInterval(() => response.read(1), 1) : undefined;
    await closeOf(path);
    clearInterval(timer);
    assert.equal(responses.get(path)?.writableFinished, false, path);
  }
  assert.equal(await reads, 160 * chunk.length);
  responses.get('/events')?.end(' last');
  assert.equal(Buffer.concat(await events.toArray()).toString(), 'first last');
});
