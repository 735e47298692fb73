import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { atEndOf, type Owner } from '../support/endings.ts';
import { makePostgresqlSource } from '../support/data-sources/postgresql-source.ts';
import { startTestServer, type Person, type TestServer } from '../support/server/test-server.ts';
import { openFilesOffice } from '../support/data-sources/uploads.ts';
import { makeTpchRows, type TpchRow } from './rows.ts';
import { createIndexesSql, createTablesSql, tpchTableNames, tpchTables } from './schema.ts';

/** An organization with the tables of TPC-H in three data sources, whose ids are given. */
export interface TpchOffice {
  readonly server: TestServer;
  readonly owner: Person;
  readonly organizationId: string;
  readonly postgresql: string;
  /** Uploaded as CSV, so the types are detected: amounts become DOUBLE. */
  readonly csv: string;
  /** Uploaded as the Parquet files that reports over `postgresql` export, with the types of the database. */
  readonly parquet: string;
}

const parquetType = 'application/vnd.apache.parquet';

/** Starts a server with the data of TPC-H at scale 0.01. */
export async function openTpchOffice(owner: Owner): Promise<TpchOffice> {
  const rows = makeTpchRows(1);
  const { source, admin } = await makePostgresqlSource({ after: (work) => atEndOf(owner, work) });
  const { user, password, database, port } = source;
  const host = '127.0.0.1';
  // One engine is enough, since the tests don't depend on the server's own database.
  const server = await startTestServer(owner, 'SQLite', { ATRIUM_SOURCE_PRIVATE_HOSTS: `${host}:${port}` });
  const csv = await openFilesOffice(server);
  const { organizationId } = csv;
  const createSource = async (input: object): Promise<string> => {
    const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
      as: csv.owner,
      body: input,
    });
    assert.equal(created.status, 201, created.text);
    return created.body.id;
  };
  const connection = { host, port, database, user, password, tls: 'off' };
  const postgresql = await createSource({ name: 'Database', kind: 'postgresql', connection });
  const parquet = await createSource({ name: 'Copies', kind: 'files' });
  const office = { server, owner: csv.owner, organizationId, postgresql, csv: csv.id, parquet };

  // COPY reads files as the system user that PostgreSQL runs as.
  const directory = await mkdtemp(join(tmpdir(), 'atrium-tpch-'));
  atEndOf(owner, () => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755);
  await admin.query(createTablesSql);
  for (const table of tpchTableNames) {
    const text = csvOf(Object.keys(tpchTables[table]), rows[table]);
    const file = join(directory, `${table}.csv`);
    await writeFile(file, text);
    await admin.query(`COPY ${table} FROM '${file}' (FORMAT csv, HEADER)`);
    const uploaded = await csv.upload(table, text);
    assert.deepEqual([uploaded.status, uploaded.body.rowCount], [200, rows[table].length], uploaded.text);
  }
  await admin.query(createIndexesSql);
  for (const table of tpchTableNames) {
    const content = await exportTable(office, table);
    const uploaded = await uploadParquet(office, table, content);
    assert.equal(uploaded, rows[table].length);
  }
  return office;
}

/** Returns a table of the database as the Parquet file that a report over it exports. */
async function exportTable(
  { server, owner, organizationId, postgresql }: TpchOffice,
  table: string,
): Promise<Buffer> {
  const created = await server.call('POST /api/reports', {
    as: owner,
    body: { organizationId, name: table, dataSourceId: postgresql, query: `SELECT * FROM ${table}` },
  });
  assert.equal(created.status, 201, created.text);
  // Doesn't use `call`, which reads every response as text.
  const exported = await server.app.inject({
    method: 'POST',
    url: `/api/reports/${created.body.id}/run`,
    headers: { cookie: `${sessionCookie}=${owner.token}`, accept: parquetType },
    payload: {},
  });
  assert.deepEqual([exported.statusCode, exported.headers['content-type']], [200, parquetType]);
  return exported.rawPayload;
}

/** Uploads a Parquet file as a table. Returns its number of rows. */
async function uploadParquet(
  { server, owner, parquet }: TpchOffice,
  table: string,
  body: Buffer,
): Promise<number> {
  const uploaded = await server.call(`PUT /api/data-sources/${parquet}/tables/${table}`, {
    as: owner,
    body,
    headers: { 'content-type': parquetType },
  });
  assert.equal(uploaded.status, 200, uploaded.text);
  return uploaded.body.rowCount;
}

/** Returns rows as CSV (RFC 4180) with a header. */
function csvOf(columns: readonly string[], rows: readonly TpchRow[]): string {
  return [columns, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function csvField(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
