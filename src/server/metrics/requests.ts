import type { FastifyInstance, FastifyRequest, RouteOptions, onResponseHookHandler } from 'fastify';
import { refusedPathOf } from '../http/request/refused-path.ts';
import { createCounter, createHistogram, type Counter, type Metric, type Observe } from './series.ts';

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The route of requests that no route matches. Their URLs can be anything, so they are never a label. */
const noRoute = 'none';

/**
 * Returns the metrics of requests, and the function that counts those of a server, to be called before it has routes.
 * Each route has its own hook with its series, so that a request costs two additions.
 */
export function createRequestMetrics(): {
  readonly metrics: readonly Metric[];
  observe(server: FastifyInstance): void;
} {
  const requests = createCounter('atrium_http_requests_total', 'Requests that were responded to.');
  const durations = createHistogram(
    'atrium_http_request_duration_seconds',
    'Time from the headers of a request to the end of its response, without streams of events.',
    boundsSeconds,
  );

  /** Returns the function that counts the requests with one method of a route. */
  function createTally(
    method: string,
    route: string,
    isTimed: boolean,
  ): (status: number, ms: number) => void {
    const byStatus: (Counter | undefined)[] = [];
    let observe: Observe | undefined;
    return (status, ms) => {
      const counter = (byStatus[status] ??= requests.series({ method, route, status: String(status) }));
      counter.value += 1;
      if (isTimed) (observe ??= durations.series({ method, route }))(ms / 1_000);
    };
  }

  function hookOf({ method, url, config }: RouteOptions): onResponseHookHandler {
    // A stream of events lasts until its page is closed.
    const isTimed = config?.route?.mediaType !== 'text/event-stream';
    const route = config?.route?.path ?? url;
    const only = typeof method === 'string' ? createTally(method, route, isTimed) : undefined;
    const tallies = only === undefined ? createTallies(route) : undefined;
    return (request, reply, done) => {
      const tally = only ?? tallies?.(request);
      tally?.(reply.statusCode, reply.elapsedTime);
      done();
    };
  }

  function createTallies(route: string): (request: FastifyRequest) => ReturnType<typeof createTally> {
    const byMethod = new Map<string, ReturnType<typeof createTally>>();
    return ({ method: sent }) => {
      const method = methods.has(sent) ? sent : 'other';
      let tally = byMethod.get(method);
      if (tally === undefined) byMethod.set(method, (tally = createTally(method, route, true)));
      return tally;
    };
  }

  return {
    metrics: [requests.metric, durations.metric],
    observe: (server) => {
      server.addHook('onRoute', (options) => {
        options.onResponse = [options.onResponse ?? [], hookOf(options)].flat();
      });
      const unmatched = new Map<string, ReturnType<typeof createTallies>>();
      server.addHook('onResponse', (request, reply, done) => {
        if (request.is404) {
          const route = refusedPathOf(request) ?? noRoute;
          const tallies = unmatched.getOrInsertComputed(route, createTallies);
          tallies(request)(reply.statusCode, reply.elapsedTime);
        }
        done();
      });
    },
  };
}
