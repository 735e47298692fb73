import { openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DashboardInput } from '#contract/dashboards/dashboards.ts';
import type { ReportInput } from '#contract/reports/reports.ts';
import { send, sendForId, signIn } from '../server/account.ts';
import { startAtrium, type AtriumServer } from '../server/atrium-server.ts';
import { startDirectClient, type DirectClient } from './direct-client.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import type { Account, LoadRequest } from '../load/requests.ts';

/** A server with a table of a data source, and DuckDB itself on the same file. */
export interface ReportServer {
  readonly server: AtriumServer;
  readonly account: Account;
  readonly dataSourceId: string;
  readonly direct: DirectClient;
}

/** Generates the rows of a table, uploads them as a Parquet file, and opens the server's copy in the direct client. */
export async function startReportServer(rowsQuery: string, table: string): Promise<ReportServer> {
  const direct = startDirectClient();
  const parquetFile = join(makeTemporaryDirectory(), `${table}.parquet`);
  await direct.do({ kind: 'make', query: rowsQuery, parquetFile });
  const directory = makeTemporaryDirectory();
  const server = await startAtrium(directory);
  const account = await signIn(server.origin);
  const path = `/api/organizations/${account.organizationId}/data-sources`;
  const dataSourceId = await sendForId(
    server.origin,
    post(account, path, { name: 'Shop', kind: 'files' }, 201),
  );
  const uploaded = await fetch(`${server.origin}/api/data-sources/${dataSourceId}/tables/${table}`, {
    method: 'PUT',
    headers: { cookie: account.cookie, 'content-type': 'application/vnd.apache.parquet' },
    body: await openAsBlob(parquetFile),
  });
  if (uploaded.status !== 200) throw new Error(`The upload returned status ${uploaded.status}.`);
  await direct.do({ kind: 'open', databaseFile: findDatabaseFile(directory), table });
  return { server, account, dataSourceId, direct };
}

/** Creates a report on the orders, and returns its id. */
export function createReport(
  { server, account, dataSourceId }: ReportServer,
  input: Pick<ReportInput, 'name' | 'query' | 'visualization'>,
): Promise<string> {
  const { organizationId } = account;
  return sendForId(
    server.origin,
    post(account, '/api/reports', { ...input, organizationId, dataSourceId }, 201),
  );
}

/** Creates a dashboard with a widget for each report, in rows of four, and returns its id. */
export function createDashboardOf(
  { server, account: { cookie, organizationId } }: ReportServer,
  reportIds: readonly string[],
): Promise<string> {
  const widgets = reportIds.map((reportId, index) => ({
    reportId,
    layout: { x: (index % 4) * 3, y: Math.floor(index / 4) * 4, w: 3, h: 4 },
  }));
  const input: DashboardInput = { name: 'Orders', organizationId, widgets };
  return sendForId(server.origin, post({ cookie, organizationId }, '/api/dashboards', input, 201));
}

/** Has people join the organization as viewers, and returns a session of each. */
export async function addPeople({ server, account }: ReportServer, count: number): Promise<Account[]> {
  const people: Account[] = [];
  for (let number = 0; number < count; number += 1) {
    const path = `/api/organizations/${account.organizationId}/invitations`;
    const invited = { email: `viewer.${number}@example.com`, role: 'viewer' };
    const { link } = (await send(server.origin, post(account, path, invited, 201))) as { link: string };
    const response = await fetch(`${server.origin}/api/invitations/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token: new URL(link).hash.slice(1),
        name: `Viewer ${number}`,
        password: 'the password of a viewer',
      }),
    });
    if (response.status !== 201)
      throw new Error(`A sign-up answered ${response.status}: ${await response.text()}`);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    people.push({ cookie, organizationId: account.organizationId });
  }
  return people;
}

/** Returns the only file that the server stores, which is the uploaded table. */
function findDatabaseFile(dataDirectory: string): string {
  const file = readdirSync(join(dataDirectory, 'sources'), { recursive: true, encoding: 'utf8' }).find(
    (name) => name.endsWith('.duckdb'),
  );
  if (file === undefined) throw new Error('The upload has left no file.');
  return join(dataDirectory, 'sources', file);
}

const post = ({ cookie }: Account, path: string, body: unknown, status: number): LoadRequest => ({
  name: path,
  method: 'POST',
  path,
  headers: { cookie, 'content-type': 'application/json' },
  body: JSON.stringify(body),
  status,
});
