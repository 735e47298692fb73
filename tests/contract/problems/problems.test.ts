import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ProblemCode } from '#contract/problem.ts';
import { startDnsServer } from '../../support/network/dns-server.ts';
import { describeOnUsualEngine, startTestServer } from '../../support/server/test-server.ts';
import { assertProblem } from './assertion.ts';
import { provocations } from './provocations.ts';
import { listen, toResponse } from './raw-requests.ts';

describeOnUsualEngine('a problem', (engine) => {
  test('of every code is returned as the contract says', async (context) => {
    const dns = await startDnsServer();
    context.after(() => dns.stop());
    const server = await startTestServer(context, engine, { ATRIUM_DNS_SERVERS: dns.address });
    for (const [code, provoke] of Object.entries(provocations)) {
      assertProblem(await provoke(server, dns), code as ProblemCode);
    }
  });

  test('unavailable is returned by a server that is about to stop', async (context) => {
    const server = await startTestServer(context, engine);
    server.expectErrors();
    const as = await server.createPerson();
    const send = await listen(server);
    const body = JSON.stringify({ name: 'D' });
    const responses = await send(
      `POST /api/dashboards HTTP/1.1\r\nHost: x\r\nCookie: auth.session_token=${as.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      async (write) => {
        await once(server.app.server, 'request');
        server.beginShutdown();
        const closed = server.app.close();
        write(`${body.slice(5)}GET /api/health/ready HTTP/1.1\r\nHost: x\r\n\r\n`);
        await closed;
      },
    );
    const [created = '', ready = ''] = responses.split(/(?<=\})(?=HTTP)/);
    assert.equal(toResponse(created).status, 201, 'a request in progress is completed');
    assertProblem(toResponse(ready), 'unavailable');
  });
});
