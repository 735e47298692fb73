import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { forwarderName, startForwarder } from './forwarder.ts';

const onlyLinux = { skip: process.platform === 'linux' ? false : 'only Linux has /proc/self/fd' };
const mebibyte = 1024 * 1024;

/** Starts a destination, and a forwarder to it in a directory whose path is too long for a socket. */
async function start(context: TestContext, onConnection: (socket: Socket) => void = () => undefined) {
  const accepted: Socket[] = [];
  const destination = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  destination.listen(0, '127.0.0.1');
  await once(destination, 'listening');
  const { port } = destination.address() as AddressInfo;
  const top = mkdtempSync(join(tmpdir(), 'atrium-forwarder-'));
  const directory = join(top, 'long'.repeat(40));
  mkdirSync(directory);
  const forwarder = startForwarder(directory, { addresses: ['127.0.0.2', '127.0.0.1'], port });
  const descriptor = openSync(directory, 'r');
  const opened: Socket[] = [];
  context.after(() => {
    for (const socket of [...opened, ...accepted]) socket.destroy();
    closeSync(descriptor);
    destination.close();
    rmSync(top, { recursive: true });
  });
  /** Connects like a worker, which asks for an address. */
  async function open(...firstBytes: number[]): Promise<Socket> {
    const socket = connect({ path: `/proc/self/fd/${descriptor}/${forwarderName}`, allowHalfOpen: true });
    opened.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (firstBytes.length > 0) socket.write(Uint8Array.from(firstBytes));
    return socket;
  }
  /** Opens a connection, and reads its status. */
  async function openConnected(): Promise<Socket> {
    const socket = await open(1);
    await once(socket, 'readable');
    assert.equal(String(socket.read('connected\n'.length)), 'connected\n');
    return socket;
  }
  return { top, directory, forwarder, open, openConnected, accepted };
}

describe('the forwarder of a worker', onlyLinux, () => {
  it('forwards bytes unchanged in both directions, to readers of any speed', async (context) => {
    const sent = randomBytes(24 * mebibyte);
    const received = Promise.withResolvers<Buffer>();
    const { openConnected, forwarder } = await start(context, (socket) => {
      received.resolve(readAll(socket));
      for (let end = 0, size = 1; end < sent.length; size = (size * 7) % 300_007) {
        socket.write(sent.subarray(end, end + size));
        end += size;
      }
      socket.end();
    });
    const worker = await openConnected();
    worker.end(sent.subarray(mebibyte));
    assert.ok((await readAll(worker, (count) => count % 50 === 0)).equals(sent));
    assert.ok((await received.promise).equals(sent.subarray(mebibyte)));
    forwarder.close();
  });

  it('reads no more from the database while the worker does not read', async (context) => {
    const size = 64 * mebibyte;
    const { openConnected, forwarder, accepted } = await start(context, (socket) => {
      socket.end(Buffer.alloc(size));
    });
    const worker = await openConnected();
    const [socket] = accepted;
    // What the system accepts until its buffers are full.
    let taken = -1;
    for (let now = 0; now !== taken; now = socket?.bytesWritten ?? 0) {
      taken = now;
      await delay(200);
    }
    const handle = socket as unknown as { _handle: { writeQueueSize: number } };
    assert.ok(size - handle._handle.writeQueueSize < 24 * mebibyte, 'the forwarder stores it');
    assert.equal((await buffer(worker)).length, size);
    forwarder.close();
  });

  it('reports why an address cannot be reached, and closes the connection', async (context) => {
    const { open, forwarder, accepted } = await start(context);
    assert.equal(String(await buffer(await open(0))), 'ECONNREFUSED\n');
    assert.equal(accepted.length, 0);
    forwarder.close();
  });

  it('connects to nothing but the checked addresses', async (context) => {
    const { open, forwarder, accepted } = await start(context);
    for (const index of [2, 49, 255]) assert.equal(String(await buffer(await open(index))), '');
    assert.equal(accepted.length, 0);
    forwarder.close();
  });

  it('has two connections at most, and closes the oldest for another one', async (context) => {
    const { open, openConnected, forwarder, accepted } = await start(context, (socket) => {
      socket.resume().once('end', () => socket.end());
    });
    for (let count = 0; count < 100; count += 1) await open(...(count % 2 === 0 ? [] : [1]));
    const first = await openConnected();
    const second = await openConnected();
    const firstEnd = once(first.resume(), 'end');
    const third = await openConnected();
    await firstEnd;
    for (const socket of accepted.slice(0, -2)) if (!socket.closed) await once(socket, 'close');
    assert.deepEqual([second.readyState, third.readyState], ['open', 'open']);
    forwarder.close();
  });

  it('forwards the last bytes of either side before it closes the connection', async (context) => {
    const { openConnected, forwarder } = await start(context, (socket) => {
      void readAll(socket).then((bytes) => socket.end(`response to ${bytes.toString()}`));
    });
    const worker = await openConnected();
    worker.end('request');
    assert.equal(String(await readAll(worker)), 'response to request');
    forwarder.close();
  });

  it('is not misled by a worker that replaces the socket', async (context) => {
    const { top, directory, forwarder, openConnected } = await start(context);
    const path = join(directory, forwarderName);
    const worker = await openConnected();
    writeFileSync(join(top, 'other'), 'untouched');
    rmSync(path);
    symlinkSync(join(top, 'other'), path);
    assert.equal(worker.readyState, 'open');
    forwarder.close();
    assert.equal(readFileSync(join(top, 'other'), 'utf8'), 'untouched');
  });

  it('ends everything when it is closed', async (context) => {
    const { directory, forwarder, openConnected, open, accepted } = await start(context, (socket) => {
      socket.write(Buffer.alloc(mebibyte));
    });
    const workers = [await open(), await openConnected()];
    forwarder.close();
    for (const socket of [...workers, ...accepted]) {
      socket.resume().once('end', () => socket.destroy());
      while (!socket.closed) await setImmediate();
    }
    assert.deepEqual(readdirSync(directory), []);
    const links = readdirSync('/proc/self/fd').map(linkOf);
    // That of the test.
    assert.equal(links.filter((link) => link === directory).length, 1);
  });
});

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

/** Reads a socket to its end, without closing it; waits after some of the parts. */
async function readAll(socket: Socket, isSlow = (_count: number) => false): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => {
    if (!isSlow(parts.push(part))) return;
    socket.pause();
    setTimeout(() => socket.resume(), 2);
  });
  await once(socket, 'end');
  return Buffer.concat(parts);
}
