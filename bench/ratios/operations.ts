import type { Account, LoadRequest } from '../load/requests.ts';
import {
  createDashboard,
  getSession,
  listDashboardsBy,
  readDashboard,
  readOrganization,
  runReport,
} from '../load/requests.ts';
import { prepareSaves, widgetCount } from '../load/saves.ts';
import type { LoadJob } from '../load/load.ts';
import { send, sendForId, signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import type { Target } from '../server/process-usage.ts';

/** What is sent in one round. */
export type Load = Pick<LoadJob, 'requests' | 'until'>;

export const operationNames = [
  'get-session',
  'read a dashboard',
  'list 20 dashboards',
  'cached result',
  'save with merge',
  'read an organization',
  'the same by token',
  // Last, since the server indexes dashboards after it has created them.
  'create a dashboard',
] as const;
export type OperationName = (typeof operationNames)[number];

/** A server, and the requests of each hot operation. */
export interface Server extends Target {
  readonly account: Account;
  /** Returns the requests of one round, or undefined if the server doesn't have the operation. */
  loadOf(name: OperationName, round: number): Load | undefined;
  stop(): Promise<void>;
}

interface RoundOptions {
  readonly rounds: number;
  /** How many requests of each operation are sent in a round, and in the first one, in which code is compiled. */
  readonly requestCount: number;
  readonly warmUpCount: number;
  /** How many saves are sent in a round. */
  readonly saveCount: number;
}

/** Starts a server from the code in a directory, and creates what the operations need. */
export async function startServer(
  code: string | undefined,
  { rounds, requestCount, warmUpCount, saveCount }: RoundOptions,
): Promise<Server> {
  const settings = { ATRIUM_API_REQUESTS_PER_MINUTE: '9999999' };
  const server = await startAtrium(makeTemporaryDirectory(), settings, code);
  const { origin } = server;
  const account = await signIn(origin);
  const create = createDashboard(account);
  const id = await sendForId(origin, create);
  const saves = await prepareSaves(server, account, ((rounds + 1) * saveCount) / widgetCount);
  const token = await createToken(origin, account);
  const requests: Readonly<Record<Exclude<OperationName, 'save with merge'>, LoadRequest | undefined>> = {
    'get-session': getSession(account),
    'read a dashboard': readDashboard(account, id),
    'list 20 dashboards': listDashboardsBy(account, 'list 20 dashboards', '?limit=20'),
    'cached result': await cachedReport(origin, account),
    'read an organization': readOrganization(account),
    'the same by token': token === undefined ? undefined : byToken(readOrganization(account), token),
    'create a dashboard': create,
  };
  const loadOf = (name: OperationName, round: number): Load | undefined => {
    if (name === 'save with merge') {
      // One more than is sent, since the first is sent before the others.
      const part = saves.slice(round * saveCount, (round + 1) * saveCount);
      return { requests: part, until: { requestCount: saveCount - savesLeft } };
    }
    const request = requests[name];
    const until = { requestCount: round === 0 ? warmUpCount : requestCount };
    return request && { requests: [request], until };
  };
  return { ...server, account, loadOf };
}

/** How many saves of a round aren't sent: each connection has a share of them, and no save is sent twice. */
export const savesLeft = 50;

/** Returns a token, or undefined if the server has none. */
async function createToken(origin: string, account: Account): Promise<string | undefined> {
  const { organizationId } = account;
  const response = await fetch(`${origin}/api/auth/tokens`, {
    method: 'POST',
    headers: { cookie: account.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      organizationId,
      name: 'Benchmark',
      scopes: ['read', 'dashboards:write'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    }),
  });
  if (response.status === 404) return undefined;
  if (response.status !== 201) throw new Error(`A token was answered with status ${response.status}.`);
  // Sound because the contract says so.
  return ((await response.json()) as { readonly token: string }).token;
}

const byToken = (
  { headers: { cookie: _, ...headers }, ...request }: LoadRequest,
  token: string,
): LoadRequest => ({ ...request, headers: { ...headers, authorization: `Bearer ${token}` } });

/** Uploads a table of 100 rows, creates a report of all of them, and runs it once. */
async function cachedReport(origin: string, account: Account): Promise<LoadRequest> {
  const { cookie, organizationId } = account;
  const create = (path: string, body: unknown) =>
    sendForId(origin, {
      name: path,
      method: 'POST',
      path,
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      status: 201,
    });
  const path = `/api/organizations/${organizationId}/data-sources`;
  const dataSourceId = await create(path, { name: 'Shop', kind: 'files' });
  const rows = Array.from({ length: 100 }, (_, index) => `${index},region ${index % 7},${index * 3.5}`);
  await send(origin, {
    name: 'upload',
    method: 'PUT',
    path: `/api/data-sources/${dataSourceId}/tables/orders`,
    headers: { cookie, 'content-type': 'text/csv' },
    body: ['number,region,amount', ...rows].join('\n'),
    status: 200,
  });
  const report = {
    organizationId,
    dataSourceId,
    name: 'Orders',
    query: 'select * from orders order by number',
    cacheSeconds: 86_400,
  };
  const id = await create('/api/reports', report);
  const run = runReport(account, { name: 'cached result', id, isForced: false });
  await send(origin, run);
  return run;
}
