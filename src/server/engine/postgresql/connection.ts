import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { QueryFailure } from '../failure.ts';
import type { PostgresqlSource } from './description.ts';

const connectTimeoutMs = 10_000;

/** Connects to the first of the checked addresses that answers. The caller closes it. */
export async function connectPostgresql(source: PostgresqlSource): Promise<pg.Client> {
  let lastError: unknown = new QueryFailure('unreachable', 'The host of the database has no address.');
  for (const address of source.addresses) {
    const client = new pg.Client({
      host: address,
      port: source.port,
      database: source.database,
      user: source.user,
      // A function: for an empty password pg would look into a file of the server's own account, ~/.pgpass.
      password: () => source.password,
      ssl: tlsOptions(source),
      application_name: 'atrium',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      lastError = error;
      await client.end().catch(() => undefined);
      // It has answered, with a no.
      if (error instanceof pg.DatabaseError) break;
    }
  }
  throw lastError;
}

/** Returns how the certificate of the source is checked, or false where TLS is off. */
export function tlsOptions({ host, tls }: PostgresqlSource): ConnectionOptions | false {
  if (tls === 'off') return false;
  // The certificate is for the name, whatever address is connected to.
  const name = isIP(host) === 0 ? { servername: host } : { host };
  return { ...name, rejectUnauthorized: tls === 'verify' };
}
