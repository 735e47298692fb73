import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { createServer as createAtriumServer } from '../http/server.ts';
import { createOutgoing } from '../outgoing/outgoing.ts';
import { openTraces } from './open-telemetry.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

const open = async (exporter: InMemorySpanExporter) =>
  openTraces({ OTEL_BSP_SCHEDULE_DELAY: '1' }, { version: '1', onFailure: assert.ifError }, exporter);

test('an outgoing request is a span of the request that caused it, but does not send the trace', async (context) => {
  const exporter = new InMemorySpanExporter();
  const traces = await open(exporter);
  const received: IncomingHttpHeaders[] = [];
  const provider = createServer((request, response) => {
    received.push(request.headers);
    response.end('{}');
  });
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
  context.after(() => provider.close());
  const { port } = provider.address() as AddressInfo;
  const outgoing = traces.outgoing(createOutgoing([{ host: '127.0.0.1', port }]));
  context.after(() => outgoing.close());
  const server = createAtriumServer({
    publicUrl: 'http://localhost',
    trustedProxies: [],
    logger: false,
    tracing: traces.requests,
  });
  context.after(() => server.close());
  traces.observeRequests(server);
  server.post('/ask', async () => {
    await outgoing.fetch(`http://127.0.0.1:${port}/tenant/keys?secret=canary`, { organizationId: 'own' });
    return 'asked';
  });
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/ask',
    headers: { traceparent, 'content-type': 'application/json' },
    payload: '{}',
  });
  assert.equal(statusCode, 200);
  while (exporter.getFinishedSpans().length < 2) await new Promise((resolve) => setImmediate(resolve));
  const [call, request] = exporter.getFinishedSpans();
  assert.deepEqual(
    [call?.spanContext().traceId, call?.parentSpanContext?.spanId, request?.spanContext().traceId],
    [traceId, request?.spanContext().spanId, traceId],
  );
  assert.deepEqual(call?.attributes, {
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'server.port': port,
    'url.scheme': 'http',
    'http.response.status_code': 200,
  });
  const [headers = {}] = received;
  assert.deepEqual(
    Object.keys(headers).filter((name) => /trace|baggage|request-id|b3/.test(name)),
    [],
  );
  await traces.close();
});

test('a job is a trace of its own, and a failure has no message', async () => {
  const exporter = new InMemorySpanExporter();
  const traces = await open(exporter);
  const run = async () => {
    throw new TypeError('canary');
  };
  const [job] = traces.jobs([{ name: 'sweep', run }]);
  await assert.rejects(job?.run() ?? assert.fail(), TypeError);
  while (exporter.getFinishedSpans().length < 1) await new Promise((resolve) => setImmediate(resolve));
  const [span] = exporter.getFinishedSpans();
  assert.deepEqual(
    [span?.name, span?.parentSpanContext, span?.attributes, span?.status, span?.events],
    ['job sweep', undefined, { 'error.type': 'TypeError' }, { code: 2 }, []],
  );
  await traces.close();
});
