import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { watchReaders } from './slow-readers.ts';

const mebibyte = 1024 ** 2;

test('clients that read nothing, or hardly anything, are cut, and those that read or wait are not', async (context) => {
  const responses = new Map<string, ServerResponse>();
  const chunk = Buffer.alloc(64 * 1024);
  const server = createServer(({ url = '' }, response) => {
    responses.set(url, response);
    if (url === '/events') return void response.write('first');
    if (url === '/one-piece') return void response.end(Buffer.alloc(32 * mebibyte));
    Readable.from(endless(), { objectMode: false }).pipe(response);
  });
  function* endless() {
    for (;;) yield chunk;
  }
  let now = 0;
  const check = watchReaders(server, { minBytes: mebibyte, everyMs: 1_000 }, () => now);
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
  const paths = ['/silent', '/drip', '/one-piece'];
  const isCut = (path: string): boolean => responseOf(path).socket?.destroyed ?? true;
  const responseOf = (path: string): ServerResponse => responses.get(path) ?? assert.fail(path);
  const waitingBytes = (path: string): number => responseOf(path).socket?.writableLength ?? 0;
  const sentBytes = (path: string): number =>
    (responseOf(path).socket?.bytesWritten ?? 0) - waitingBytes(path);
  /** Waits until the operating system, whose buffers grow while they are filled, takes no more of what nobody reads. */
  async function settle(): Promise<void> {
    for (let before: number[] = []; ;) {
      const after = paths.filter((path) => !isCut(path)).map(sentBytes);
      if (isDeepStrictEqual(after, before)) return;
      before = after;
      await delay(50);
    }
  }
  /** Lets an interval pass in which the clients read what `read` reads. */
  async function pass(read: () => Promise<unknown> | void = () => undefined): Promise<void> {
    await read();
    now += 1_000;
    check();
    await setImmediate();
  }

  const slow = new Map<string, IncomingMessage>();
  const events = await open('/events');
  const reader = await open('/reader');
  const readSome = async () => {
    for (let left = 2 * mebibyte; left > 0; await setImmediate())
      left -= ((reader.read() as Buffer | null) ?? '').length;
  };
  for (const path of paths) slow.set(path, await open(path));
  for (const path of [...paths, '/reader']) while (waitingBytes(path) === 0) await setImmediate();

  await settle();
  await pass();
  assert.deepEqual(paths.map(isCut), [false, false, false], 'each has an interval');
  await pass(async () => {
    slow.get('/drip')?.read(1);
    await readSome();
    await settle();
  });
  assert.deepEqual(paths.map(isCut), [true, true, false], 'a large piece has more time');
  for (let intervals = 0; intervals < 40 && !isCut('/one-piece'); intervals += 1) await pass(readSome);
  assert.equal(isCut('/one-piece'), true);
  assert.equal(isCut('/reader'), false);
  responseOf('/events').end(' last');
  assert.equal(Buffer.concat(await events.toArray()).toString(), 'first last');
});
