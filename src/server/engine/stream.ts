import { Readable } from 'node:stream';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Job } from './worker/messages.ts';
import type { WaitOptions, QueryPool } from './pool/pool.ts';
import type { WorkerKey } from './pool/turns.ts';
import { QueryFailure } from './failure.ts';
import { timeoutFailure, type ExecuteOptions, type QueryWorker } from './pool/worker.ts';

export interface QueryStream {
  readonly columns: readonly Column[];
  /** The bytes of the file. */
  readonly body: Readable;
}

const graceMs = 1_000;

/**
 * Runs a job that streams its bytes through the worker's pipe. Resolves when the worker has sent the columns; rejects
 * with `QueryFailure` if the job fails before, and destroys the body with one if it fails later.
 */
export function startQueryStream(
  pool: QueryPool,
  workerKey: WorkerKey,
  job: Job,
  { requesterIds, reportId, timeoutMs, signal }: Pick<ExecuteOptions, 'timeoutMs'> & WaitOptions,
): Promise<QueryStream> {
  return new Promise((resolve, reject) => {
    const stopping = new AbortController();
    const stopped = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
    let body: Readable | undefined;

    async function work(worker: QueryWorker): Promise<void> {
      const startedAt = performance.now();
      const timer = setTimeout(() => stopping.abort(timeoutFailure(timeoutMs)), timeoutMs);
      const pipe = readOutput(worker, stopped, (error) => stopping.abort(error));
      try {
        await worker.execute(job, {
          // A worker that waits for its reader doesn't notice a cancellation: once the timer above fires, its output is read again.
          timeoutMs: timeoutMs + graceMs,
          signal: stopped,
          onStarted: (columns) => {
            body = pipe.body;
            resolve({ columns, body });
          },
          onOutput: pipe.expect,
        });
      } finally {
        // The worker stays reserved until everything that it has written has been read from the pipe. If that is less than
        // it reported, it is killed: neither this result nor its next one can be trusted.
        const endTimer = setTimeout(
          () => worker.end(),
          timeoutMs + 2 * graceMs - (performance.now() - startedAt),
        );
        await pipe.isEmpty;
        clearTimeout(endTimer);
        clearTimeout(timer);
      }
      if (stopped.aborted) throw stopped.reason;
      if (body === undefined)
        throw new QueryFailure('worker_lost', 'The process that ran the query sent no columns.');
      pipe.body.push(null);
    }

    pool.withWorker(workerKey, { requesterIds, reportId, signal: stopped }, work).catch((reason: unknown) => {
      const error = reason instanceof Error ? reason : new Error('The stream failed', { cause: reason });
      if (body === undefined) reject(error);
      else body.destroy(error);
    });
  });
}

interface Pipe {
  readonly body: Readable;
  /** Sets how many bytes there are in total; a negative number means that the worker is about to end. */
  expect(byteCount: number): void;
  /** Resolves when all of them were read, or the worker has ended. */
  readonly isEmpty: Promise<void>;
}

/** Reads the output of a worker into a body at the pace of the body's reader. Once stopped, discards the output. */
function readOutput(worker: QueryWorker, stopped: AbortSignal, stop: (reason: unknown) => void): Pipe {
  const { output } = worker;
  let received = 0;
  let expected: number | undefined;
  let end: () => void;
  const isEmpty = new Promise<void>((resolve) => {
    end = resolve;
  });
  const body = new Readable({
    read: () => void output.resume(),
    destroy: (error, done) => {
      stop(error ?? undefined);
      done(error);
    },
  });

  function take(bytes: Buffer): void {
    received += bytes.length;
    if (!stopped.aborted && !body.destroyed && !body.push(bytes)) output.pause();
    check();
  }
  function check(): void {
    if (received === expected) close();
  }
  function discard(): void {
    output.resume();
  }
  function close(): void {
    output.off('data', take);
    stopped.removeEventListener('abort', discard);
    output.pause();
    end();
  }
  output.on('data', take);
  stopped.addEventListener('abort', discard);
  void worker.ended.then(close);
  return {
    body,
    expect: (byteCount) => {
      expected = byteCount;
      check();
    },
    isEmpty,
  };
}
