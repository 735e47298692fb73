import { isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { QueryFailure } from '../failure.ts';
import type { PostgresqlSource } from './description.ts';
import { openSocket } from './socket.ts';

const connectTimeoutMs = 10_000;

/** Connects to the first of the checked addresses that responds. The caller closes the connection. */
export async function connectPostgresql(source: PostgresqlSource): Promise<pg.Client> {
  let lastError: unknown = new QueryFailure('unreachable', 'The host name of the database has no address.');
  for (const address of source.addresses) {
    let socket: Socket | undefined;
    try {
      socket = await openSocket(source, address, connectTimeoutMs);
      const client = new pg.Client({
        stream: asUnconnected(socket),
        host: address,
        port: source.port,
        database: source.database,
        user: source.user,
        // A function, because pg looks up an empty password in ~/.pgpass of the account that runs the server.
        password: () => source.password,
        ssl: tlsOptions(source),
        application_name: 'atrium',
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
      });
      await client.connect();
      return client;
    } catch (error) {
      lastError = error;
      // Doesn't wait for what may not be a database to close the connection.
      socket?.destroy();
      // The server has responded, and rejected the connection.
      if (error instanceof pg.DatabaseError) break;
    }
  }
  throw lastError;
}

/** Returns what makes a connected socket into one that pg can connect. */
const asUnconnected = (socket: Socket) => (): Socket =>
  Object.assign(socket, {
    connect() {
      // pg listens to this event only after it has called the method.
      queueMicrotask(() => socket.emit('connect'));
      return socket;
    },
  });

/** Returns the TLS options of the source, or false if TLS is off. */
export function tlsOptions({ host, tls }: PostgresqlSource): ConnectionOptions | false {
  if (tls === 'off') return false;
  // The certificate is checked for the host name, not for the address that is connected to.
  const name = isIP(host) === 0 ? { servername: host } : { host };
  return { ...name, rejectUnauthorized: tls === 'verify' };
}
