import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { PostgresqlSource } from './description.ts';

/**
 * Connects to one of the addresses of a source, through the forwarder (see `../sandbox/forwarder.ts`) if the worker has no
 * network. Rejects with the same errors in both cases.
 */
export async function openSocket(
  { addresses, port, forwarder }: PostgresqlSource,
  address: string,
  timeoutMs: number,
): Promise<Socket> {
  const socket = forwarder === undefined ? connect(port, address) : connect(forwarder);
  const timer = setTimeout(() => socket.destroy(new Error('timeout expired')), timeoutMs);
  try {
    await once(socket, 'connect');
    if (forwarder === undefined) return socket;
    socket.write(Uint8Array.of(addresses.indexOf(address)));
    const status = await readLine(socket);
    if (status === 'connected') return socket;
    throw Object.assign(new Error(`connect ${status} ${address}:${port}`), { code: status });
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a line, and nothing after it. */
async function readLine(socket: Socket): Promise<string> {
  for (let line = ''; ;) {
    await once(socket, 'readable');
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) throw new Error('The server closed the connection');
    const end = bytes.indexOf('\n');
    line += bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
    if (end < 0) continue;
    // What isn't a database may send something at once.
    if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
    return line;
  }
}
