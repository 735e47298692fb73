import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort } from '../support/network/free-port.ts';
import { failureOf, runServerToEnd, send, startServerProcess } from '../support/server/server-process.ts';

test('metrics have a port of their own, which serves nothing else', async (context) => {
  const port = await findFreePort();
  const environment = { ATRIUM_METRICS_PORT: String(port) };
  const server = await startServerProcess(context, { environment });
  const own = { url: `http://127.0.0.1:${port}` };
  assert.equal((await send(server, 'GET /api/health/ready')).status, 200);
  const response = await fetch(`${own.url}/metrics`);
  assert.equal(response.status, 200);
  const metrics = await response.text();
  assert.match(metrics, /^atrium_http_requests_total\{.*route="\/api\/health\/ready",status="200"\} \d+$/m);
  assert.match(metrics, /^nodejs_eventloop_lag_p99_seconds /m);
  assert.equal((await send(own, 'GET /api/health/ready')).status, 404);
  assert.equal((await send(server, 'GET /metrics')).status, 404);

  const refused = await runServerToEnd(context, { environment });
  assert.match(failureOf(refused.output), /^HOST, ATRIUM_METRICS_PORT: Cannot listen on 127\.0\.0\.1:\d+: /m);
});
