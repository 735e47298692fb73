import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { send } from './account.ts';
import { endWithThisProgram } from './leftovers.ts';
import type { LoadAnswer, LoadJob, LoadResult } from './load.ts';

/** A load that came back without a single wrong answer. */
export interface Measurement extends LoadResult {
  readonly requestsPerSecond: number;
}

/** Runs a job, and throws unless every answer has the status that its request asks for. */
export type Drive = (job: LoadJob) => Promise<Measurement>;

/** Starts the process that sends the load. It runs one job at a time. */
export function startLoadGenerator(): { readonly drive: Drive; stop(): void } {
  const child = startChild(new URL('./load.ts', import.meta.url));
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('The load generator ended.')));
  const drive: Drive = async (job) => {
    for (const request of firstOfEachKind(job.requests)) await send(job.origin, request);
    child.send(job);
    const [answer] = (await once(child, 'message', { signal: ended.signal })) as [LoadAnswer];
    if ('error' in answer) throw new Error(`The load generator failed: ${answer.error}`);
    const { result } = answer;
    requireRightAnswers(job, result);
    return { ...result, requestsPerSecond: result.requestCount / result.seconds };
  };
  return { drive, stop: () => child.disconnect() };
}

/** Starts the floor and returns its origin. */
export async function startFloor(): Promise<{ readonly origin: string; stop(): void }> {
  const child = startChild(new URL('./floor.ts', import.meta.url));
  const [origin] = (await once(child, 'message')) as [string];
  return { origin, stop: () => child.disconnect() };
}

const startChild = (program: URL): ChildProcess => endWithThisProgram(fork(program));

/** The first request of each kind. */
function firstOfEachKind(requests: LoadJob['requests']): LoadJob['requests'] {
  return [...new Map(requests.toReversed().map((request) => [request.name, request])).values()];
}

function requireRightAnswers(
  { requests }: LoadJob,
  { statuses, errorCount, requestCount }: LoadResult,
): void {
  const rightStatuses = new Set(requests.map(({ status }) => String(status)));
  const areRight = Object.keys(statuses).every((status) => rightStatuses.has(status));
  if (areRight && errorCount === 0 && requestCount > 0) return;
  throw new Error(`A run had wrong answers: ${JSON.stringify(statuses)}, and ${errorCount} errors.`);
}
