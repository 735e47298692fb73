import { Readable } from 'node:stream';
import type { Column } from '#contract/data-sources.ts';
import type { Order } from './worker/messages.ts';
import type { LendOptions, QueryPool } from './pool/pool.ts';
import type { Seat } from './pool/turns.ts';
import { QueryFailure } from './failure.ts';
import { timeoutFailure, type AskOptions, type QueryWorker } from './pool/worker.ts';

export interface QueryStream {
  readonly columns: readonly Column[];
  /** The bytes of the file. */
  readonly body: Readable;
}

const graceMs = 1_000;

/**
 * Runs an order whose bytes come through the pipe of its worker. Resolves once the worker tells the columns; rejects
 * with `QueryFailure` for what fails before, and destroys the body with one for what fails later.
 */
export function startQueryStream(
  pool: QueryPool,
  seat: Seat,
  order: Order,
  { askers, timeoutMs, signal }: Pick<AskOptions, 'timeoutMs'> & LendOptions,
): Promise<QueryStream> {
  return new Promise((resolve, reject) => {
    const stopping = new AbortController();
    const stopped = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
    let body: Readable | undefined;

    async function work(worker: QueryWorker): Promise<void> {
      const startedAt = performance.now();
      const timer = setTimeout(() => stopping.abort(timeoutFailure(timeoutMs)), timeoutMs);
      const pipe = carry(worker, stopped, (error) => stopping.abort(error));
      try {
        await worker.ask(order, {
          // A worker that waits for its reader does not notice; the timer above lets it run on first.
          timeoutMs: timeoutMs + graceMs,
          signal: stopped,
          onStarted: (columns) => {
            body = pipe.body;
            resolve({ columns, body });
          },
          onOutput: pipe.expect,
        });
      } finally {
        // The worker is not given back before all that it has written is out of the pipe. If that is less than it says,
        // it ends: neither its answer nor its next one can be relied upon.
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

    pool.lend(seat, { askers, signal: stopped }, work).catch((reason: unknown) => {
      const error = reason instanceof Error ? reason : new Error('The stream failed', { cause: reason });
      if (body === undefined) reject(error);
      else body.destroy(error);
    });
  });
}

interface Pipe {
  readonly body: Readable;
  /** Tells how many bytes there are in all; a negative number: the worker is about to end. */
  expect(byteCount: number): void;
  /** Resolves when these have come, or the worker has ended. */
  readonly isEmpty: Promise<void>;
}

/** Carries what comes out of a worker into a body at the pace of its reader; once stopped, into nothing. */
function carry(worker: QueryWorker, stopped: AbortSignal, stop: (reason: unknown) => void): Pipe {
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
