import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import {
  ApiProblem,
  createClient,
  isProblemOf,
  Unreachable,
  type Client,
  type Endpoint,
  type ProblemOf,
} from '../../src/client/client.ts';
import { routes } from '#contract/routes.ts';
import type { Operation } from '#contract/routes.ts';
import { startTestServer } from '../support/server/test-server.ts';

// The compiler reports an operation that the client can't name.
type Named = {
  [
    Id in Operation['id']
  ]: `${Extract<Operation, { id: Id }>['method']} ${Extract<Operation, { id: Id }>['path']}`;
};
const everyOperationIsNamed: Named[Operation['id']] extends Endpoint ? true : false = true;

/** Starts a server on a socket, with a client that has a token of a person in an organization. */
async function start(context: TestContext) {
  const server = await startTestServer(context, 'SQLite');
  const person = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(person);
  const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { body, status, text } = await server.call('POST /api/auth/tokens', {
    as: person,
    body: {
      name: 'client',
      organizationId,
      scopes: ['read', 'dashboards:write'],
      expiresAt: new Date(server.clock() + 86_400_000).toISOString(),
    },
  });
  assert.equal(status, 201, text);
  return { server, baseUrl, organizationId, client: createClient({ baseUrl, token: body.token }) };
}

async function toList<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('pages are iterated, edits carry the entity tag, and lines are streamed', async (context) => {
  const { client, organizationId } = await start(context);
  assert.ok(everyOperationIsNamed);
  const created = [];
  for (const name of ['A', 'B', 'C']) {
    created.push(await client.call('POST /api/dashboards', { body: { name, organizationId } }));
  }
  const listed = await toList(client.items('GET /api/dashboards', { query: { limit: '2' } }));
  assert.deepEqual(listed.map(({ name }) => name).toSorted(), ['A', 'B', 'C']);
  const params = { dashboardId: created[0]?.id ?? '' };
  const { body, etag } = await client.callWithEtag('GET /api/dashboards/{dashboardId}', { params });
  assert.equal(body.name, 'A');
  const headers = { 'if-match': etag };
  await client.call('PATCH /api/dashboards/{dashboardId}', { params, headers, body: { name: 'A2' } });
  const lines = await toList(client.lines('GET /api/dashboards/{dashboardId}/results', { params }));
  assert.deepEqual(lines.flat(), []);
});

test('events are streamed until the request is aborted', async (context) => {
  const { client, organizationId } = await start(context);
  const { id } = await client.call('POST /api/dashboards', { body: { name: 'Live', organizationId } });
  const abort = new AbortController();
  const events = client.events('GET /api/dashboards/{dashboardId}/events', {
    params: { dashboardId: id },
    signal: abort.signal,
  });
  const { value } = await events.next();
  assert.equal(value?.event, 'state');
  abort.abort(new Error('enough'));
  await assert.rejects(toList(events), { message: 'enough' });
});

test('an error is a union by the code of its problem', async (context) => {
  const { client } = await start(context);
  const params = { dashboardId: '00000000-0000-7000-8000-000000000000' };
  const error: unknown = await client
    .call('GET /api/dashboards/{dashboardId}', { params })
    .catch((thrown: unknown) => thrown);
  assert.ok(isProblemOf('GET /api/dashboards/{dashboardId}', error));
  assert.equal(error.problem.code, 'not_found');
  // @ts-expect-error -- there is no such code.
  const none: ProblemOf<'GET /api/dashboards/{dashboardId}'>['code'] = 'no_such_code';
  assert.equal(error.problem.status, 404, none);
});

test('a network fault is not a problem, and the page of a proxy becomes one', async () => {
  const proxy = createServer((_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  );
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const client: Client = createClient({
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  });
  await assert.rejects(client.call('GET /api/dashboards'), (error) => {
    assert.ok(error instanceof ApiProblem);
    assert.deepEqual([error.code, error.problem.status], ['unavailable', 502]);
    return true;
  });
  await new Promise((resolve) => proxy.close(resolve));
  await assert.rejects(client.call('GET /api/dashboards'), Unreachable);
});

test('every operation is addressed by its method and path', () => {
  const client = createClient({ baseUrl: 'https://atrium.example.com/' });
  for (const { method, path } of routes) {
    const params = Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => [name, 'a/b']));
    // The compiler checks names above; here they come from the table of routes.
    const address = client.addressOf(`${method} ${path}` as 'GET /api/dashboards', { params } as object);
    assert.equal(address, `https://atrium.example.com${path.replaceAll(/\{\w+\}/g, 'a%2Fb')}`);
  }
});
