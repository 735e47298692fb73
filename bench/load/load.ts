// The load generator, in a process of its own: it shares neither a thread nor a heap with what it measures. It
// runs the jobs that its parent sends one after the other, and ends with its parent.
import { createHistogram, performance } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { LoadRequest } from './requests.ts';

/** A load. Each connection repeatedly sends its share of `requests` in turn. */
export interface LoadJob {
  readonly origin: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** The length of the load in seconds or requests. */
  readonly until: { readonly seconds: number } | { readonly requestCount: number };
}

/** The responses to a load. */
export interface LoadResult {
  readonly requestCount: number;
  readonly seconds: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** The number of responses with each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that broke and requests that timed out. */
  readonly errorCount: number;
  /** 0 to 1: how busy the generator was. Near 1, the generator was the bottleneck. */
  readonly generatorBusy: number;
}

export type LoadResponse = { readonly result: LoadResult } | { readonly error: string };

async function run(job: LoadJob): Promise<LoadResult> {
  const latencyUs = createHistogram();
  const idleBefore = performance.eventLoopUtilization();
  const result = await fire(job, (latencyMs) => latencyUs.record(Math.max(1, Math.round(latencyMs * 1000))));
  const statuses = Object.entries(result.statusCodeStats ?? {});
  return {
    requestCount: result['2xx'] + result.non2xx,
    seconds: result.duration,
    latencyMs: {
      p50: latencyUs.percentile(50) / 1000,
      p99: latencyUs.percentile(99) / 1000,
      max: latencyUs.max / 1000,
    },
    statuses: Object.fromEntries(statuses.map(([status, { count = 0 }]) => [status, count])),
    errorCount: result.errors + result.mismatches,
    generatorBusy: performance.eventLoopUtilization(idleBefore).utilization,
  };
}

/**
 * Autocannon's own histogram counts whole milliseconds, which is too coarse here: `onResponse` is called with
 * each latency.
 */
function fire(
  { origin, connections, requests, until }: LoadJob,
  onResponse: (latencyMs: number) => void,
): Promise<autocannon.Result> {
  let clientCount = 0;
  const options: autocannon.Options = {
    url: origin,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.requestCount }),
    // The interval in milliseconds at which autocannon checks whether it is time to end.
    sampleInt: 50,
    setupClient: (client) => {
      client.setRequests(shareOf(requests, connections, clientCount));
      clientCount += 1;
    },
  };
  return new Promise((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, result) =>
      error ? reject(error) : resolve(result),
    );
    running.on('response', (_client, _status, _bytes, latencyMs) => onResponse(latencyMs));
  });
}

/**
 * Returns every n-th request, starting with the client's own, where n is the number of clients. They are copied,
 * since autocannon writes into them.
 */
function shareOf(
  requests: readonly LoadRequest[],
  clientCount: number,
  client: number,
): autocannon.Request[] {
  const first = client % requests.length;
  const share = requests.filter((_, index) => index >= first && (index - first) % clientCount === 0);
  return share.map(({ method, path, headers, body }) => ({ method, path, headers: { ...headers }, body }));
}

const respond = (message: LoadResponse) => process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => respond({ result }),
    (error: unknown) => respond({ error: String(error) }),
  );
});
