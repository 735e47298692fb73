import { closeSync, constants, openSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { Destination } from './sandbox.ts';

/** The socket's name in the worker's directory. */
export const forwarderName = 'forwarder';

/** One for queries, and one for the request to cancel a query. */
const maxConnections = 2;

export interface Forwarder {
  /** Closes the socket and all connections. */
  close(): void;
}

/**
 * Listens on a UNIX socket in a worker's directory, through which a worker without a network reaches its destination: sockets
 * with a path belong to the file system, so they work across network namespaces. Throws if that isn't possible.
 *
 * On each connection, the worker sends one byte, the index of an address, and the server replies with one line: `connected`, or
 * the code of the error. Then it forwards bytes in both directions, at the pace of the reader. It doesn't read them: TLS and the
 * password are the worker's.
 */
export function startForwarder(directory: string, { addresses, port }: Destination): Forwarder {
  const open = new Set<Socket>();

  const server = createServer({ allowHalfOpen: true }, (worker) => {
    // Not the new one: of a worker that has just closed a connection, this can still be the oldest.
    const [oldest] = open;
    if (oldest !== undefined && open.size === maxConnections) oldest.destroy();
    open.add(worker);
    worker.once('close', () => open.delete(worker));
    worker.on('error', () => undefined);
    worker.once('data', ([index = 0]: Buffer) => {
      const address = addresses[index];
      if (address === undefined) worker.destroy();
      else forward(worker, address, port);
    });
  });
  server.on('error', () => undefined);

  // The path of a socket can have up to 107 bytes. Its directory stays open until it is closed, since Node then removes the path.
  const descriptor = openSync(directory, constants.O_DIRECTORY);
  server.listen(`/proc/self/fd/${descriptor}/${forwarderName}`);
  function close(): void {
    server.close();
    closeSync(descriptor);
    for (const worker of open) worker.destroy();
  }
  if (server.listening) return { close };
  closeSync(descriptor);
  throw new Error('The server cannot create a socket in the directory of a query worker.');
}

/** Much more than one message of a database, so that a reader that is slower than it gets many at once. */
const bufferBytes = 256 * 1024;

function forward(worker: Socket, host: string, port: number): void {
  const destination = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    // Results are large. Reading them into one buffer takes a third of the time of `pipe`, which allocates one for each part.
    onread: {
      buffer: Buffer.allocUnsafeSlow(bufferBytes),
      callback(byteCount, bytes: Uint8Array) {
        worker.write(bytes.subarray(0, byteCount), () => destination.resume());
        // Otherwise, the buffer is still in use until `resume` is called.
        return worker.writableLength === 0;
      },
    },
  });
  const refuse = ({ code = 'UNKNOWN' }: NodeJS.ErrnoException): void => void worker.write(`${code}\n`);
  destination.once('error', refuse);
  destination.once('connect', () => {
    destination.off('error', refuse);
    destination.on('error', () => undefined);
    worker.write('connected\n');
  });
  worker.pipe(destination);
  worker.once('close', () => destination.destroy());
  destination.once('close', () => worker.destroySoon());
}
