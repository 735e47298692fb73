import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { DirectResponse, DirectJob } from './direct-queries.ts';
import { endWithThisProgram } from '../server/leftovers.ts';

/** The process that runs queries through DuckDB itself. */
export interface DirectClient {
  /** Returns how long each query took in each of `count` rounds, in milliseconds. */
  do(job: DirectJob): Promise<readonly (readonly number[])[]>;
  stop(): void;
}

export function startDirectClient(): DirectClient {
  const child = endWithThisProgram(fork(new URL('./direct-queries.ts', import.meta.url)));
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('The process of direct queries ended.')));
  return {
    async do(job) {
      child.send(job);
      const [response] = (await once(child, 'message', { signal: ended.signal })) as [DirectResponse];
      if ('error' in response) throw new Error(`A direct query failed: ${response.error}`);
      return response.timesMs;
    },
    stop: () => child.disconnect(),
  };
}
