import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type pg from 'pg';
import { tlsOptions } from './connection.ts';
import type { PostgresqlSource } from './description.ts';
import { openSocket } from './socket.ts';

const cancelTimeoutMs = 5_000;
/** Request codes, sent instead of a protocol version. See PostgreSQL's documentation, section 54.7. */
const sslRequest = [8, 80_877_103];
const cancelRequestCode = 80_877_102;

/** The key that PostgreSQL sent when the connection started. node-postgres stores it, but its types leave it out. */
interface BackendKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * Asks the server, over another connection, to stop the query of `client`. Resolves when the server has handled the request,
 * or can't be reached: the request may still stop the next query of `client`, so end the connection afterwards.
 *
 * Uses the protocol's cancel request, not `pg_cancel_backend`: it doesn't count against the role's connection limit, and a
 * pooler forwards it to the server process that runs the query now.
 */
export async function cancelQuery(source: PostgresqlSource, client: pg.Client): Promise<void> {
  // Sound because node-postgres's own `cancel` reads the same properties.
  const { processID, secretKey } = client as unknown as BackendKey;
  // A pooler may not send a key.
  if (processID === null || secretKey === null) return;
  const socket = await openSocket(source, client.host, cancelTimeoutMs).catch(() => undefined);
  if (socket === undefined) return;
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  // `once` below reports the first error; later ones don't matter.
  socket.on('error', () => undefined);
  const stop = (): void => void socket.destroy(new Error('The server did not respond to the cancel request'));
  signal.addEventListener('abort', stop);
  try {
    const stream = source.tls === 'off' ? socket : await encrypt(socket);
    stream.write(toMessage([16, cancelRequestCode, processID, secretKey]));
    stream.resume();
    await once(stream, 'close');
  } catch {
    // The query then runs until its time limit.
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }

  async function encrypt(socket: Socket) {
    socket.write(toMessage(sslRequest));
    const [reply] = (await once(socket, 'data')) as [Buffer];
    if (reply.toString() !== 'S') throw new Error('The server does not support TLS');
    const encrypted = connectTls({ socket, host: client.host, ...tlsOptions(source) });
    encrypted.on('error', () => undefined);
    await once(encrypted, 'secureConnect');
    return encrypted;
  }
}

function toMessage(integers: readonly number[]): Buffer {
  const message = Buffer.alloc(4 * integers.length);
  for (const [index, integer] of integers.entries()) message.writeInt32BE(integer, 4 * index);
  return message;
}
