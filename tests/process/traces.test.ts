import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { startOtlpReceiver, type ReceivedSpan } from '../support/network/otlp-receiver.ts';
import {
  failureOf,
  logLines,
  ownerSettings,
  runServerToEnd,
  send,
  signInOwner,
  startServerProcess,
  until,
  type Environment,
} from '../support/server/server-process.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentSpanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentSpanId}-01`;

const start = (context: TestContext, environment: Environment) =>
  startServerProcess(context, {
    environment: {
      ...ownerSettings,
      ATRIUM_LOG_REQUESTS: 'true',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      ...environment,
    },
  });

describe('traces', () => {
  test('are sent as JSON to the endpoint of the standard variables, as children of the client’s span', async (context) => {
    const collector = await startOtlpReceiver(context);
    const server = await start(context, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=canary-key',
      OTEL_SERVICE_NAME: 'dashboards',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const owner = await signInOwner(server);
    const { organizationId } = owner;
    const sample = await send(owner, `POST /api/organizations/${organizationId}/sample`, { body: {} });
    const query = { organizationId, dataSourceId: sample.body.dataSourceId, query: "SELECT 'canary' AS a" };
    const traced = { headers: { traceparent } };
    const run = await send(owner, 'POST /api/reports/preview', { body: query, ...traced });
    assert.equal(run.status, 200, JSON.stringify(run.body));
    const created = await send(owner, 'POST /api/dashboards', { body: { name: 'canary' }, ...traced });
    assert.equal(created.status, 201);
    await send(owner, 'GET /api/%zz', traced);
    const mine = () => collector.spans().filter((span) => span.traceId === traceId);
    await until('the spans arrive', () => (mine().length >= 8 ? true : undefined));
    await server.end('SIGTERM');

    const requests = mine().filter(({ kind, parentSpanId: parent }) => kind === 2 && parent === parentSpanId);
    assert.deepEqual(
      requests.map(({ name }) => name),
      ['POST /api/reports/preview', 'POST /api/dashboards', 'GET'],
    );
    const [preview, creation] = requests as [ReceivedSpan, ReceivedSpan];
    const { 'user.id': userId, ...attributes } = preview.attributes;
    assert.match(String(userId), /^[0-9a-f-]{36}$/);
    assert.deepEqual(attributes, {
      'http.request.method': 'POST',
      'http.route': '/api/reports/preview',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'url.path': '/api/reports/preview',
      'atrium.request_id': run.headers['x-request-id'],
    });
    const childrenOf = ({ spanId }: ReceivedSpan) =>
      mine().filter(({ parentSpanId: parent }) => parent === spanId);
    assert.deepEqual(
      childrenOf(preview).map(({ name }) => name),
      ['authenticate', 'wait for a query process', 'query'],
    );
    assert.deepEqual(childrenOf(preview).at(-1)?.attributes, {
      'atrium.organization_id': organizationId,
      'atrium.data_source_id': query.dataSourceId,
      'db.response.returned_rows': 1,
    });
    assert.deepEqual(
      childrenOf(creation).map(({ name }) => name),
      ['authenticate', 'transaction'],
    );
    const { 'service.name': name, 'deployment.environment.name': stage } = collector.resource();
    assert.deepEqual([name, stage], ['dashboards', 'test']);
    const [first] = collector.exports;
    assert.deepEqual([first?.path, first?.headers['x-api-key']], ['/v1/traces', 'canary-key']);
    assert.doesNotMatch(collector.exports.map(({ body }) => body.toString()).join(''), /canary|owner@/);

    const lines = logLines(server.output()).filter(({ msg }) => msg === 'Request');
    assert.equal(lines.filter((line) => line['traceId'] === traceId).length, 3);
    assert.ok(
      lines.every((line) => /^[0-9a-f]{32}$/.test(String(line['traceId']))),
      'all have a trace',
    );
  });

  test('are sent as Protocol Buffers by default, and at the latest when the server stops', async (context) => {
    const collector = await startOtlpReceiver(context);
    const server = await start(context, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    await signInOwner(server);
    assert.equal(collector.exports.length, 0);
    assert.equal((await server.end('SIGTERM')).code, 0);
    const [sent] = collector.exports;
    assert.equal(sent?.headers['content-type'], 'application/x-protobuf');
    for (const text of ['atrium', 'service.version', 'POST /api/auth/sign-in/email', 'authenticate'])
      assert.ok(sent.body.includes(text), text);
  });

  test('are sampled as the client or the variables say', async (context) => {
    const collector = await startOtlpReceiver(context);
    const server = await start(context, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    });
    await signInOwner(server);
    await send(server, 'GET /api/health/live', {
      headers: { traceparent: traceparent.replace(/01$/, '00') },
    });
    await send(server, 'GET /api/health/live', { headers: { traceparent } });
    await server.end('SIGTERM');
    assert.deepEqual(
      collector.spans().map((span) => [span.name, span.traceId]),
      [['GET /api/health/live', traceId]],
    );
  });

  for (const [what, find] of [
    ['hangs', (context: TestContext) => startOtlpReceiver(context, { hangs: true })],
    ['refuses connections', async () => ({ url: 'http://127.0.0.1:1' })],
  ] as const)
    test(`neither delay nor fail a request, nor flood the log, if the collector ${what}`, async (context) => {
      const { url } = await find(context);
      const server = await start(context, {
        ATRIUM_LOG_REQUESTS: 'false',
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
        OTEL_BSP_SCHEDULE_DELAY: '10',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16',
        OTEL_BSP_MAX_QUEUE_SIZE: '64',
      });
      const owner = await signInOwner(server);
      const requested = performance.now();
      for (let count = 0; count < 300; count += 1)
        assert.equal((await send(owner, 'GET /api/dashboards')).status, 200);
      assert.ok(performance.now() - requested < 20_000, 'requests waited for the collector');
      await until('a failure is logged', () =>
        server.output().includes('Traces could not be sent') ? true : undefined,
      );
      const startedAt = performance.now();
      const { code, output, errorOutput } = await server.end('SIGTERM');
      assert.deepEqual([code, errorOutput], [0, '']);
      assert.ok(performance.now() - startedAt < 8_000, 'the stop waited for the collector');
      const failures = logLines(output).filter(({ msg }) => String(msg).endsWith('Traces could not be sent'));
      assert.ok(failures.length <= 4, JSON.stringify(failures));
    });

  test('load no library unless an endpoint is set', async (context) => {
    const loadedBy = async (environment: Environment): Promise<boolean> => {
      const server = await start(context, environment);
      await signInOwner(server);
      process.kill(server.processId, 'SIGUSR2');
      const loaded = await until('the server says', () => /LOADED (\w+)/.exec(server.errorOutput())?.[1]);
      await server.end('SIGTERM');
      return loaded === 'true';
    };
    const watching = `data:text/javascript,${encodeURIComponent(`
      import { registerHooks } from 'node:module';
      let isLoaded = false;
      registerHooks({ load: (url, context, next) => {
        if (url.includes('/node_modules/@opentelemetry/')) isLoaded = true;
        return next(url, context);
      } });
      process.on('SIGUSR2', () => process.stderr.write('LOADED ' + isLoaded));
    `)}`;
    const NODE_OPTIONS = `--import ${watching}`;
    assert.equal(await loadedBy({ NODE_OPTIONS }), false);
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };
    assert.equal(await loadedBy({ NODE_OPTIONS, ...off }), false);
    assert.equal(await loadedBy({ NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }), true);
  });

  test('that are configured wrongly prevent the start, and the message names the variable', async (context) => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const wrong: readonly [Environment, RegExp][] = [
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be/],
      [
        { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
        /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf or/,
      ],
      [{ ...endpoint, OTEL_TRACES_SAMPLER: 'constructor' }, /OTEL_TRACES_SAMPLER must be one of always_on/],
      [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    ];
    for (const [environment, message] of wrong)
      assert.match(failureOf((await runServerToEnd(context, { environment })).output), message);
  });
});
