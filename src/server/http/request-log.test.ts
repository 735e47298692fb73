import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openEvents } from '../../../tests/support/server/event-reader.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server/test-server.ts';

type Line = Readonly<Record<string, unknown>>;

const linesOf = ({ log }: TestServer): Line[] =>
  log.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'Request');

/** Returns the lines of requests once there are as many. */
async function untilLogged(server: TestServer, count: number): Promise<Line[]> {
  while (linesOf(server).length < count) await setImmediate();
  return linesOf(server);
}

/** Starts a server that logs requests and listens. */
async function startLogging(context: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(context, 'SQLite');
  server.app.requestLog.isOn = true;
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}

/** Sends bytes over a connection of their own, and returns everything that comes back. */
async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

test('a request is logged with ids, and without anything that a person has typed', async (context) => {
  const { server, url } = await startLogging(context);
  const ada = await server.createPerson('Ada');
  const orgId = await server.createOrganization(ada);
  const limited = await server.createSsoSession(ada, orgId);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const cookieOf = ({ token }: { token: string }) => `auth.session_token=${token}`;
  const sent = [
    await fetch(`${url}/api/organizations/${orgId}/groups?q=canary`, {
      headers: { cookie: cookieOf(ada), traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    }),
    await fetch(`${url}/api/dashboards`, {
      method: 'POST',
      headers: { cookie: cookieOf(limited), 'content-type': 'application/json', traceparent: 'canary' },
      body: JSON.stringify({ name: 'canary' }),
    }),
    await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'canary@example.com', password: 'canary' }),
    }),
    await fetch(`${url}/nowhere.js?canary`),
    await fetch(`${url}/api/%zz?canary`),
  ];
  for (const response of sent) await response.text();
  const lines = await untilLogged(server, sent.length);
  assert.doesNotMatch(JSON.stringify(lines), /canary|Ada|@/);
  const facts = lines.map(({ time, pid, hostname, durationMs, bytes, requestId, ...rest }) => {
    assert.ok(Number(durationMs) >= 0 && Number(bytes) > 100, JSON.stringify({ durationMs, bytes }));
    assert.ok([time, pid, hostname].every((value) => value !== undefined));
    assert.equal(typeof requestId, 'string');
    return rest;
  });
  const line = { level: 30, msg: 'Request' };
  assert.deepEqual(facts, [
    {
      ...line,
      traceId,
      method: 'GET',
      route: '/api/organizations/{orgId}/groups',
      path: `/api/organizations/${orgId}/groups`,
      status: 200,
      userId: ada.id,
      organizationId: orgId,
    },
    {
      ...line,
      method: 'POST',
      route: '/api/dashboards',
      path: '/api/dashboards',
      status: 403,
      userId: ada.id,
      organizationId: orgId,
    },
    {
      ...line,
      method: 'POST',
      route: '/api/auth/sign-in/email',
      path: '/api/auth/sign-in/email',
      status: 401,
    },
    { ...line, method: 'GET', path: '/nowhere.js', status: 404 },
    { ...line, method: 'GET', path: '/api/%zz', status: 400 },
  ]);
  assert.deepEqual(
    lines.map(({ requestId }) => requestId),
    sent.map(({ headers }) => headers.get('x-request-id')),
  );
});

test('a request is logged even if it is malformed, or its client disconnects', async (context) => {
  const { server, port, url } = await startLogging(context);
  const response = await sendBytes(port, 'NONSENSE\r\n\r\n');
  const [malformed] = await untilLogged(server, 1);
  assert.equal(malformed?.['status'], 400);
  assert.ok(response.includes(`X-Request-Id: ${String(malformed['requestId'])}`), response);

  const ada = await server.createPerson('Ada');
  const { body: dashboard } = await server.call('POST /api/dashboards', { as: ada, body: { name: 'D' } });
  const events = await openEvents(context, `${url}/api/dashboards/${dashboard.id}/events`, {
    cookie: `auth.session_token=${ada.token}`,
  });
  await events.next();
  events.close();
  const lines = await untilLogged(server, 3);
  assert.deepEqual([lines[2]?.['status'], lines[2]?.['isAborted']], [200, true]);
});

test('every response has the id of its request, and the client can’t choose it', async (context) => {
  const { server, port, url } = await startLogging(context);
  const ada = await server.createPerson('Ada');
  const cookie = `auth.session_token=${ada.token}`;
  const { body: dashboard } = await server.call('POST /api/dashboards', { as: ada, body: { name: 'D' } });
  const etag = (await fetch(`${url}/api/dashboards/${dashboard.id}`, { headers: { cookie } })).headers.get(
    'etag',
  );
  const host = 'Host: a\r\nX-Request-Id: chosen\r\n';
  const close = `${host}Connection: close\r\n`;
  const withBody = 'Content-Type: application/json\r\nContent-Length: ';
  const cases: readonly [name: string, request: string, status: number][] = [
    ['a page', `GET / HTTP/1.1\r\n${close}\r\n`, 200],
    ['a static file', `GET /icon.svg HTTP/1.1\r\n${close}\r\n`, 200],
    ['a static file that is missing', `GET /missing.js HTTP/1.1\r\n${close}\r\n`, 404],
    ['the documentation', `GET /api/docs HTTP/1.1\r\n${close}\r\n`, 200],
    ['live', `GET /api/health/live HTTP/1.1\r\n${close}\r\n`, 200],
    ['ready', `GET /api/health/ready HTTP/1.1\r\n${close}\r\n`, 200],
    ['ready by HEAD', `HEAD /api/health/ready HTTP/1.1\r\n${close}\r\n`, 200],
    ['an unknown operation', `GET /api/nothing HTTP/1.1\r\n${close}\r\n`, 404],
    ['an unknown probe', `GET /healthz HTTP/1.1\r\n${close}\r\n`, 404],
    ['another method', `DELETE /api/health/live HTTP/1.1\r\n${close}\r\n`, 405],
    ['an unknown method', `PROPFIND / HTTP/1.1\r\n${close}\r\n`, 404],
    ['OPTIONS', `OPTIONS /api/health/live HTTP/1.1\r\n${close}\r\n`, 204],
    ['no session', `GET /api/dashboards HTTP/1.1\r\n${close}\r\n`, 401],
    ['a URL that can’t be decoded', `GET /api/%zz HTTP/1.1\r\n${close}\r\n`, 400],
    ['no host', `GET / HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ['another site', `POST /api/dashboards HTTP/1.1\r\n${close}Origin: https://evil.example\r\n\r\n`, 403],
    ['no JSON', `POST /api/auth/sign-in/email HTTP/1.1\r\n${close}${withBody}1\r\n\r\n{`, 400],
    ['a long body', `POST /api/auth/sign-in/email HTTP/1.1\r\n${close}${withBody}99999999\r\n\r\n`, 413],
    ['an expectation', `GET / HTTP/1.1\r\n${close}Expect: nothing\r\n\r\n`, 200],
    [
      'an unchanged dashboard',
      `GET /api/dashboards/${dashboard.id} HTTP/1.1\r\n${close}Cookie: ${cookie}\r\nIf-None-Match: ${etag}\r\n\r\n`,
      304,
    ],
    ['not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['long header fields', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'a broken chunk',
      `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`,
      400,
    ],
    ['an upgrade', `GET / HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`, 200],
  ];
  const ids = new Set<string>();
  for (const [name, request, status] of cases) {
    const response = await sendBytes(port, request);
    const [head = ''] = response.split('\r\n\r\n');
    const found = [...head.matchAll(/^x-request-id: ([0-9a-f-]{36})\r?$/gim)].map(([, id]) => id ?? '');
    assert.deepEqual([head.slice(9, 12), found.length], [String(status), 1], `${name}: ${head}`);
    assert.ok(!ids.has(found[0] ?? ''), name);
    ids.add(found[0] ?? '');
  }
  const events = await openEvents(context, `${url}/api/dashboards/${dashboard.id}/events`, { cookie });
  assert.match(events.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, 'a stream');
  const logged = new Set((await untilLogged(server, cases.length)).map(({ requestId }) => requestId));
  assert.deepEqual(
    [...ids].filter((id) => !logged.has(id)),
    [],
  );
});
