import { rmSync } from 'node:fs';
import { openDatabase } from '../../../../src/server/storage/open-database.ts';
import type { Owner } from '../../endings.ts';
import { makeDataDirectory } from '../../server/data-directory.ts';
import {
  openTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestPlace,
  type TestServer,
} from '../../server/test-server.ts';
import type { S3Server } from './s3-server.ts';

/** Returns the settings of a server whose uploaded tables are in a bucket. */
export const s3Settings = ({ endpoint }: S3Server, prefix = 'atrium'): Readonly<Record<string, string>> => ({
  // Only its presence counts: tests open the database themselves.
  DATABASE_URL: 'postgres://localhost/atrium',
  ATRIUM_SECRET_KEY: 'the root key of the tests of replicas',
  ATRIUM_TABLES_URL: `s3://tables/${prefix}`,
  AWS_ENDPOINT_URL_S3: endpoint,
});

/** Starts replicas on one database and one bucket, each with a data directory of its own. `opened` is the database of another server. */
export async function startReplicas(
  owner: Owner,
  server: S3Server,
  more: Readonly<Record<string, string>> = {},
  opened?: TestDatabase,
): Promise<{ one: TestServer; other: TestServer }> {
  const first = opened ?? (await openTestDatabase('PostgreSQL'));
  const environment = { ...s3Settings(server), ...more };
  const startAnother = async () => {
    const place: TestPlace = {
      databaseUrl: first.databaseUrl,
      dataDirectory: makeDataDirectory(),
      drop: async () => rmSync(place.dataDirectory, { recursive: true, force: true }),
    };
    const database = await openDatabase(place);
    return startTestServer(owner, 'PostgreSQL', environment, { ...place, database });
  };
  const one =
    opened === undefined
      ? await startTestServer(owner, 'PostgreSQL', environment, first)
      : await startAnother();
  return { one, other: await startAnother() };
}
