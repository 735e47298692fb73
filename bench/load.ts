// The load generator, a program of its own: it shares neither a thread nor a heap with what it measures. It
// runs one job after the other, as its parent sends them, and ends with its parent.
import { createHistogram, performance } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { LoadRequest } from './requests.ts';

/** What to send. Each connection sends its share of `requests` in turn, again and again. */
export interface LoadJob {
  readonly origin: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** For how many seconds, or how many requests. */
  readonly until: { readonly seconds: number } | { readonly requestCount: number };
}

/** What came back. */
export interface LoadResult {
  readonly requestCount: number;
  readonly seconds: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that broke and requests that timed out. */
  readonly errorCount: number;
  /** 0 to 1: how busy the generator was. Near 1 it was the generator that set the pace. */
  readonly generatorBusy: number;
}

export type LoadAnswer = { readonly result: LoadResult } | { readonly error: string };

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
 * Autocannon's own histogram counts whole milliseconds, which is too coarse here: `onAnswer` is told each
 * latency.
 */
function fire(
  { origin, connections, requests, until }: LoadJob,
  onAnswer: (latencyMs: number) => void,
): Promise<autocannon.Result> {
  let clientCount = 0;
  const options: autocannon.Options = {
    url: origin,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.requestCount }),
    // How often, in milliseconds, autocannon looks whether it is time to end.
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
    running.on('response', (_client, _status, _bytes, latencyMs) => onAnswer(latencyMs));
  });
}

/**
 * Returns every n-th request from the client's own on, n being the number of clients; copied, since
 * autocannon writes into them.
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

const answer = (message: LoadAnswer) => process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error: String(error) }),
  );
});
