import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres, type PostgresServer } from './postgres.ts';

/** The self-signed certificate of `database.example`. Its key, next to it, is public. */
export const databaseCertificate = fileURLToPath(new URL('./tls/database.crt', import.meta.url));

/** Starts PostgreSQL with TLS as `database.example`. */
export async function startTlsPostgres(): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-tls-'));
  chmodSync(directory, 0o755);
  cpSync(fileURLToPath(new URL('tls', import.meta.url)), directory, { recursive: true });
  const key = join(directory, 'database.key');
  // PostgreSQL refuses a key that others can read, and does not run as root.
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) chownSync(key, Number(spawnSync('id', ['-u', 'nobody']).stdout), 0);
  const flags = { ssl: 'on', ssl_cert_file: join(directory, 'database.crt'), ssl_key_file: key };
  const server = await startPostgres({
    durable: false,
    postgresFlags: Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
