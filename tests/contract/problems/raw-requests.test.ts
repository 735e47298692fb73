import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { ProblemCode } from '#contract/problem.ts';
import { startTestServer } from '../../support/server/test-server.ts';
import { assertProblem } from './assertion.ts';
import { listen, toResponse } from './raw-requests.ts';

describe('a raw request', () => {
  test('gets a problem document even if Node rejects it', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const send = await listen(server);
    const head = 'Host: x\r\nConnection: close\r\n';
    const post = `POST /api/auth/sign-in/email HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
    const tried: Record<string, ProblemCode> = {
      'nonsense\r\n\r\n': 'malformed_request',
      '{"name":"D"}\r\n\r\n': 'malformed_request',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n': 'malformed_request',
      [`BREW /api/dashboards HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/dashboards HTTP/9.9\r\n${head}\r\n`]: 'malformed_request',
      [`GET api/dashboards HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      'GET /api/dashboards HTTP/1.1\r\nConnection: close\r\n\r\n': 'malformed_request',
      'GET /api/dashboards HTTP/1.1\r\nConnection: close\r\nHost x\r\n\r\n': 'malformed_request',
      [`GET /api/dashboards HTTP/1.1\r\n${head}Host: y\r\n\r\n`]: 'malformed_request',
      [`GET /api/dashboards HTTP/1.1\r\n${head}hOST: x\r\n\r\n`]: 'malformed_request',
      [`GET /api/dash\x01 HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/\xe9 HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/% HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/%zz HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET //evil.example/api HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/x HTTP/1.1\r\n${head}X: a\x00b\r\n\r\n`]: 'malformed_request',
      [`GET /api/x HTTP/1.1\r\n${head}A Header: 1\r\n\r\n`]: 'malformed_request',
      [`GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\n${head}\r\n`]: 'headers_too_large',
      [`GET /api/x HTTP/1.1\r\n${head}X: ${'x'.repeat(20_000)}\r\n\r\n`]: 'headers_too_large',
      [`${post}Content-Length: two\r\n\r\n{}`]: 'malformed_request',
      [`${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`]: 'malformed_request',
      [`${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`]: 'malformed_request',
      [`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`]: 'malformed_request',
      [`${post}Transfer-Encoding: gzip\r\n\r\n{}`]: 'malformed_request',
      [`${post}Content-Length: 2000000\r\n\r\n{}`]: 'body_too_large',
      [`${post}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`]: 'invalid_body',
      [`GET /api/../index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/%2e%2e/index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/docs/../../index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/..\\index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`OPTIONS * HTTP/1.1\r\n${head}\r\n`]: 'not_found',
      [`MKCOL /api/dashboards HTTP/1.1\r\n${head}\r\n`]: 'not_found',
      [`GET /api/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`]:
        'not_found',
    };
    for (const [request, code] of Object.entries(tried)) {
      const response = toResponse(await send(request));
      assertProblem(response, code, JSON.stringify(request));
    }
  });

  test('is asked for its body only once it is accepted', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const { token } = await server.createPerson();
    const send = await listen(server);
    const post = (line: string, type: string, rest: string) =>
      `POST ${line} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: ${type}\r\n${rest}\r\n`;
    const cookie = `Cookie: auth.session_token=${token}\r\n`;
    const create = (rest: string) => post('/api/dashboards', 'application/json', rest);
    // None of them sends a body, and each response ends the connection.
    const refused: Record<string, ProblemCode> = {
      [create('Content-Length: 12\r\n')]: 'unauthenticated',
      [create(`${cookie}Content-Length: 20000000\r\n`)]: 'body_too_large',
      [create(`${cookie}Origin: https://evil.example\r\nContent-Length: 12\r\n`)]: 'cross_site_request',
    };
    for (const [request, code] of Object.entries(refused))
      assertProblem(toResponse(await send(request)), code, JSON.stringify(request));
    const { port } = server.app.server.address() as AddressInfo;
    for (const line of ['POST /api/dashboards 12', 'PUT /api/data-sources/x/tables/t 20000000']) {
      const [method, path, length] = line.split(' ');
      const headers = {
        cookie: `auth.session_token=${token}`,
        expect: '100-continue',
        'content-length': length,
      };
      const type = method === 'PUT' ? 'text/csv' : 'application/json';
      const sending = request({ port, method, path, headers: { ...headers, 'content-type': type } });
      sending.on('error', () => {}).flushHeaders();
      await once(sending, 'continue', { signal: AbortSignal.timeout(10_000) });
      sending.destroy();
    }
  });

  test('that ends within its body is not logged as an error', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const send = await listen(server);
    const post = 'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    await send(`${post}Content-Length: 20\r\n\r\n{"email"`, async (_write, leave) => {
      const [, response] = await once(server.app.server, 'request');
      leave();
      await once(response, 'close');
    });
    await server.app.close();
    const lines = server.log.map((line): { msg: string; level: number } => JSON.parse(line));
    assert.deepEqual(
      lines.filter(({ level }) => level >= 40),
      [],
    );
  });
});
