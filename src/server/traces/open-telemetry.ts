import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, routeOf } from '../http/request-log.ts';
import { readTraceparent } from '../http/request/traceparent.ts';
import type { Environment } from '../settings/values.ts';
import type { OutgoingRequest } from '../outgoing/outgoing.ts';
import type { Database } from '../storage/database.ts';
import { createExporter, createSampler, reportingExporter } from './exporter.ts';
import type { Traces, TracesOptions } from './traces.ts';

const closeWithinMs = 2_000;

/** Returns traces that are sent as the variables of OpenTelemetry specify, or by `exporter`. Throws `StartError`. */
export async function openTraces(
  environment: Environment,
  { version, onFailure }: TracesOptions,
  exporter?: SpanExporter,
): Promise<Traces> {
  const sampler = createSampler(environment);
  const sending = reportingExporter(exporter ?? (await createExporter(environment)), onFailure);
  const number = (name: string) => Number(environment[name]?.trim() || Number.NaN) || undefined;
  const [delayMs, queueSize, batchSize] = [
    number('OTEL_BSP_SCHEDULE_DELAY'),
    number('OTEL_BSP_MAX_QUEUE_SIZE'),
    number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  ];
  const provider = new TracerProvider({
    sampler,
    resource: resourceFromAttributes({ 'service.name': 'atrium', 'service.version': version }).merge(
      detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
    ),
    // Its queue is limited: while the collector doesn't respond, further spans are dropped.
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: sending,
        ...(delayMs !== undefined && { scheduledDelayMillis: delayMs }),
        ...(queueSize !== undefined && { maxQueueSize: queueSize }),
        ...(batchSize !== undefined && { maxExportBatchSize: batchSize }),
      }),
    ],
  });
  const tracer = provider.getTracer('atrium', version);
  const contexts = new AsyncLocalStorageContextManager().enable();
  /** The spans of requests in progress, with the context of what is done for them. */
  const requests = new WeakMap<IncomingMessage, { span: Span; context: Context }>();

  function begin(raw: IncomingMessage): string {
    const { traceId, spanId, flags } = readTraceparent(raw.headers.traceparent) ?? {};
    const parent =
      traceId === undefined || spanId === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId,
            traceFlags: (flags ?? 0) & 1,
            isRemote: true,
          });
    const method = raw.method ?? '';
    const attributes = { 'http.request.method': method };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    requests.set(raw, { span, context: trace.setSpan(parent, span) });
    return span.spanContext().traceId;
  }

  function endWhenClosed(request: FastifyRequest, { raw }: FastifyReply): void {
    const span = requests.get(request.raw)?.span;
    raw.once('close', () => {
      const route = routeOf(request);
      if (route !== undefined) span?.updateName(`${request.method} ${route}`);
      span?.setAttributes({
        'url.scheme': request.protocol,
        'url.path': pathOf(request),
        'http.response.status_code': raw.statusCode,
        'atrium.request_id': request.id,
        ...(route !== undefined && { 'http.route': route }),
        ...(request.actor !== undefined && { 'user.id': request.actor.userId }),
        ...(raw.statusCode >= 500 && { 'error.type': String(raw.statusCode) }),
      });
      if (raw.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    });
  }

  /** Runs work in a span, which is a child of the current one. */
  async function inSpan<Result>(
    name: string,
    options: { readonly kind?: SpanKind; readonly attributes?: Attributes; readonly isRoot?: boolean },
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const parent = options.isRoot === true ? ROOT_CONTEXT : contexts.active();
    const span = tracer.startSpan(name, options, parent);
    try {
      return await contexts.with(trace.setSpan(parent, span), () => work(span));
    } catch (error) {
      // Only the kind: a message can contain data.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
      throw error;
    } finally {
      span.end();
    }
  }

  function database(given: Database): Database {
    const attributes = { 'db.system.name': given.engine === 'SQLite' ? 'sqlite' : 'postgresql' };
    const traced =
      (write: Database['write']): Database['write'] =>
      (work) =>
        inSpan('transaction', { kind: SpanKind.CLIENT, attributes }, (span) =>
          write(async (transaction) => {
            span.addEvent('begun');
            const result = await work(transaction);
            // The rest is the commit, which writes of several requests can share.
            span.addEvent('committing');
            return result;
          }),
        );
    return { ...given, write: traced(given.write), writeSlowly: traced(given.writeSlowly) };
  }

  return {
    requests: { begin, endWhenClosed },
    observeRequests(server) {
      server.addHook('onRequest', (request, reply, done) => {
        endWhenClosed(request, reply);
        contexts.with(requests.get(request.raw)?.context ?? ROOT_CONTEXT, done);
      });
      // Reading the body has left the context.
      server.addHook('preValidation', (request, _reply, done) => {
        contexts.with(requests.get(request.raw)?.context ?? ROOT_CONTEXT, done);
      });
    },
    authenticate: (authenticate) => (token, client) =>
      inSpan('authenticate', {}, () => authenticate(token, client)),
    database,
    outgoing: (given) => {
      // The context isn't sent: a provider must not learn which of its requests belong together.
      const traced = <Response extends { readonly status: number }>(
        url: string,
        options: OutgoingRequest,
        send: (url: string, options: OutgoingRequest) => Promise<Response>,
      ): Promise<Response> => {
        const { hostname, port, protocol } = URL.parse(url) ?? {};
        const method = options.method ?? 'GET';
        const attributes = {
          'http.request.method': method,
          ...(hostname !== undefined && { 'server.address': hostname, 'url.scheme': protocol?.slice(0, -1) }),
          ...(port && { 'server.port': Number(port) }),
        };
        return inSpan(method, { kind: SpanKind.CLIENT, attributes }, async (span) => {
          const response = await send(url, options);
          span.setAttribute('http.response.status_code', response.status);
          return response;
        });
      };
      return {
        ...given,
        fetch: (url, options) => traced(url, options, given.fetch),
        fetchShown: (url, options) => traced(url, options, given.fetchShown),
      };
    },
    jobs: (given) =>
      given.map((job) => ({
        ...job,
        run: (stopped) => inSpan(`job ${job.name}`, { isRoot: true }, () => job.run(stopped)),
      })),
    onQueryEnded({ workerKey, reportId, waitMs, runMs, outcome, rowCount }) {
      const endedAt = Date.now();
      const startedAt = endedAt - (runMs ?? 0);
      const attributes = {
        'atrium.organization_id': workerKey.organizationId,
        ...(workerKey.sourceId !== undefined && { 'atrium.data_source_id': workerKey.sourceId }),
        ...(reportId !== undefined && { 'atrium.report_id': reportId }),
      };
      const parent = contexts.active();
      const wait = { attributes, startTime: startedAt - waitMs };
      tracer.startSpan('wait for a query process', wait, parent).end(startedAt);
      if (runMs === undefined) return;
      const span = tracer.startSpan('query', { attributes, startTime: startedAt }, parent);
      if (rowCount !== undefined) span.setAttribute('db.response.returned_rows', rowCount);
      if (outcome !== 'ok')
        span.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    close: async () => {
      await Promise.race([
        provider.shutdown().catch(onFailure),
        delay(closeWithinMs, undefined, { ref: false }),
      ]);
    },
  };
}
