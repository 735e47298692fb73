import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { send } from '../server/account.ts';
import { endWithThisProgram } from '../server/leftovers.ts';
import type { LoadResponse, LoadJob, LoadResult } from './load.ts';
import { processorTimeUs, residentMemoryBytes, type Target } from '../server/process-usage.ts';

/** The result of a load all of whose responses had the expected status. */
export interface Measurement extends LoadResult {
  readonly requestsPerSecond: number;
  /** The target's processor time per request; undefined if the system does not report it. */
  readonly processorUs: number | undefined;
  /** The target's resident memory directly afterwards. */
  readonly residentBytes: number;
}

/** Sends a load, and throws unless every response has the status that its request expects. */
export type Drive = (target: Target, load: Omit<LoadJob, 'origin'>) => Promise<Measurement>;

/** Starts the process that sends loads, one at a time. */
export function startLoadGenerator(): { readonly drive: Drive; stop(): void } {
  const child = startChild(new URL('./load.ts', import.meta.url));
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('The load generator ended.')));

  async function drive({ origin, processId }: Target, load: Omit<LoadJob, 'origin'>): Promise<Measurement> {
    for (const request of firstOfEachKind(load.requests)) await send(origin, request);
    const usedBefore = processorTimeUs(processId);
    child.send({ ...load, origin } satisfies LoadJob);
    const [answer] = (await once(child, 'message', { signal: ended.signal })) as [LoadResponse];
    const usedAfter = processorTimeUs(processId);
    if ('error' in answer) throw new Error(`The load generator failed: ${answer.error}`);
    const { result } = answer;
    requireExpectedStatuses(load, result);
    const { requestCount, seconds } = result;
    const isTold = usedBefore !== undefined && usedAfter !== undefined;
    return {
      ...result,
      requestsPerSecond: requestCount / seconds,
      processorUs: isTold ? (usedAfter - usedBefore) / requestCount : undefined,
      residentBytes: residentMemoryBytes(processId),
    };
  }

  return { drive, stop: () => child.disconnect() };
}

/** Starts the baseline. */
export async function startBaseline(): Promise<Target & { stop(): void }> {
  const child = startChild(new URL('./baseline.ts', import.meta.url));
  const [origin] = (await once(child, 'message')) as [string];
  return { origin, processId: child.pid ?? 0, stop: () => child.disconnect() };
}

const startChild = (program: URL): ChildProcess => endWithThisProgram(fork(program));

function firstOfEachKind(requests: LoadJob['requests']): LoadJob['requests'] {
  return [...new Map(requests.toReversed().map((request) => [request.name, request])).values()];
}

function requireExpectedStatuses(
  { requests }: Pick<LoadJob, 'requests'>,
  { statuses, errorCount, requestCount }: LoadResult,
): void {
  const expectedStatuses = new Set(requests.map(({ status }) => String(status)));
  const areExpected = Object.keys(statuses).every((status) => expectedStatuses.has(status));
  if (areExpected && errorCount === 0 && requestCount > 0) return;
  throw new Error(`A run had unexpected responses: ${JSON.stringify(statuses)}, and ${errorCount} errors.`);
}
