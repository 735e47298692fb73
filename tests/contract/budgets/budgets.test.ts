import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { toRequest } from '../roles/requests/requests.ts';
import type { Request, World } from '../roles/requests/world.ts';
import { expected, routeOf } from '../roles/table.ts';
import { startWorlds } from '../roles/worlds.ts';
import { createServiceAccount } from '../../support/credentials/tokens.ts';
import { budgets, scimBudgets, toolBudgets, type Budget } from './budgets.ts';
import { grow, type Grown } from './content.ts';
import { measure } from './measure.ts';

/** The longest turn of the event loop, during which nobody else gets a response: twice what it should be, for busy machines. */
const maxBlockedMs = 2 * 50;
/** The most that is read of a stream. */
const maxReadBytes = 8 * 1024 ** 2;
/** A turn can be longer by chance, for example because of a garbage collection, but not each time. */
const attempts = 3;

test('each route that reads has a budget', () => {
  const reading = routes.filter(({ method }) => method === 'GET').map(({ path }) => `GET ${path}`);
  assert.deepEqual(Object.keys(budgets).toSorted(), reading.toSorted());
});

test('no response with as much as can be stored exceeds its bytes, or keeps others waiting', async (context) => {
  const { createWorld } = await startWorlds(context, 'SQLite');
  const world = await createWorld('owner');
  const requests = await createRequests(world);
  const grown = findGrown(requests);
  const others = await otherRequests(world, grown);
  const display = { authorization: `Bearer ${await grow(world, grown)}` };
  const exceeded: string[] = [];
  for (const [line, request] of requests) {
    const { path } = routeOf(line);
    const budget = budgets[`GET ${path}`] ?? assert.fail(line);
    const found = await findExceeded(
      world,
      {
        ...request,
        line: aboutGrown(request.line, path, grown),
        ...(path.startsWith('/api/display') && { headers: display }),
      },
      budget,
    );
    if (found.isExceeded) exceeded.push(`${line}: ${found.shown}`);
  }
  for (const [about, request, budget] of others) {
    const found = await findExceeded(world, request, budget);
    if (found.isExceeded) exceeded.push(`${about}: ${found.shown}`);
  }
  assert.deepEqual(exceeded, []);
});

/** Returns the requests that aren't of the contract: of directories and of language models. */
async function otherRequests(
  { server, organizationId, owner: as }: World,
  grown: Grown,
): Promise<(readonly [about: string, request: Request, budget: Budget])[]> {
  const body = { organizationId, name: 'Assistant', scopes: ['read'], expiresAt: '2026-12-01' };
  const { token } = (await server.call('POST /api/auth/tokens', { as, body })).body;
  const directory = await createServiceAccount(server, as, { organizationId, scopes: ['scim'] });
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-06-18',
  };
  return [
    ...Object.entries(scimBudgets).map(
      ([path, budget]) =>
        [
          path,
          {
            line: `GET /scim/v2/${organizationId}/${path}`,
            headers: { authorization: `Bearer ${directory.token}` },
            ids: [],
          },
          budget,
        ] as const,
    ),
    ...toolBudgets.map(([name, input, budget]) => {
      const params = { name, arguments: input(grown) };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return [name, { line: 'POST /mcp', headers, body: message, ids: [] }, budget] as const;
    }),
  ];
}

/** Creates what the requests of the table of roles that read something are about, in one organization. */
async function createRequests(world: World): Promise<Map<string, Request>> {
  const requests = new Map<string, Request>();
  for (const [line, { owner }] of Object.entries(expected))
    if (line.startsWith('GET ') && (owner < 300 || line.startsWith('GET /api/display')))
      requests.set(line, await toRequest(line, world));
  return requests;
}

const idIn = (requests: ReadonlyMap<string, Request>, line: string, noun: string): string =>
  new RegExp(`/${noun}/([^/?]+)`).exec(requests.get(line)?.line ?? '')?.[1] ?? assert.fail(line);

const findGrown = (requests: ReadonlyMap<string, Request>): Grown => ({
  dashboardId: idIn(requests, "GET /api/dashboards/{dashboardId} the organization's", 'dashboards'),
  reportId: idIn(requests, 'GET /api/reports/{reportId}/parameters/{parameter}/values', 'reports'),
  dataSourceId: idIn(requests, 'GET /api/data-sources/{dataSourceId}/tables/{table}/preview', 'data-sources'),
  folderId: idIn(requests, 'GET /api/folders/{folderId}', 'folders'),
  webhookId: idIn(requests, 'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries', 'webhooks'),
  proposalId: idIn(requests, 'GET /api/organizations/{orgId}/proposals/{proposalId}', 'proposals'),
});

/** Returns a request about the largest records, for the longest page. */
function aboutGrown(line: string, path: string, grown: Grown): string {
  const { query } = routes.find((route) => route.method === 'GET' && route.path === path) ?? {};
  const isList = Object.hasOwn((query as { properties?: object } | undefined)?.properties ?? {}, 'limit');
  let about = line;
  for (const [name, id] of Object.entries(grown)) {
    if (!path.includes(`{${name}}`) || path.includes('{widgetId}')) continue;
    const noun = /\/([\w-]+)\/$/.exec(path.slice(0, path.indexOf(`{${name}}`)))?.[1] ?? '';
    about = about.replace(new RegExp(`/${noun}/[^/?]+`), `/${noun}/${id}`);
  }
  return isList ? `${about}${about.includes('?') ? '&' : '?'}limit=200` : about;
}

async function findExceeded(
  world: World,
  request: Request,
  { atLeast, atMost, blockedMs: maxMs = maxBlockedMs, problem }: Budget,
): Promise<{ isExceeded: boolean; shown: string }> {
  let blockedMs = Infinity;
  let bytes = 0;
  for (let attempt = 0; attempt < attempts && blockedMs > maxMs; attempt += 1) {
    const cost = await measure(world, request, Math.min(atMost, maxReadBytes));
    // An export that was left goes on for a moment.
    if (cost.problem === 'unavailable' && attempt > 0) break;
    if (cost.problem !== problem) return { isExceeded: true, shown: cost.problem ?? 'no problem' };
    blockedMs = Math.min(blockedMs, cost.blockedMs);
    bytes = cost.bytes;
  }
  const isExceeded = bytes < atLeast || bytes > atMost || blockedMs > maxMs;
  return { isExceeded, shown: `${bytes} bytes, ${Math.round(blockedMs)} ms` };
}
