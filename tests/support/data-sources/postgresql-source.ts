import { createPostgresDatabase } from '../storage/postgres.ts';
import pg from 'pg';
import type { PostgresqlSource } from '../../../src/server/engine/postgresql/description.ts';
import { engine } from '../../../src/server/engine/postgresql/engine.ts';

/** Creates a database as a source, and opens a superuser's connection to it. Both end with the test. */
export async function makePostgresqlSource(
  context: { after(cleanUp: () => Promise<void>): void },
  sql = '',
): Promise<{ source: PostgresqlSource; admin: pg.Client }> {
  const { url, drop } = await createPostgresDatabase();
  const { hostname, port, pathname, username, password } = new URL(url);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  context.after(async () => {
    await admin.end();
    await drop();
  });
  await admin.query(sql);
  const source = {
    engine,
    host: 'database.example',
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    password,
    tls: 'off',
    addresses: [hostname],
  } as const;
  return { source, admin };
}
