import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Column } from '#contract/data-sources.ts';
import { QueryFailure } from './query-failure.ts';
import type { QueryLimits } from './query-limits.ts';
import { outputDescriptor, type Answer, type Message, type Order, type Report } from './query-messages.ts';
import type { SourceDescription } from './source-description.ts';

/** One worker process. It has one order at a time. */
export interface QueryWorker {
  readonly processId: number;
  /** Where the bytes of streams come out. */
  readonly output: Readable;
  /** Serves one source from now on, or none, for orders that need none. */
  open(source: SourceDescription | undefined): void;
  /** Rejects with `QueryFailure`; then the worker is free again, or has ended. */
  ask(order: Order, options: AskOptions): Promise<Answer>;
  /** False after the end, and when it is to be replaced by a fresh one. */
  isUsable(): boolean;
  /** Kills the process. What it runs fails with `failure`, or as lost. */
  end(failure?: QueryFailure): void;
  readonly ended: Promise<void>;
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onStarted?: (columns: readonly Column[]) => void;
  /** The bytes that the order has written to `output`, told at its end, good or bad. */
  readonly onOutput?: (byteCount: number) => void;
}

/** How much a slow query has to leave to the server and to short queries of others; see nice(2). */
const startPriority = 0;
const slowPriority = 10;

interface Running {
  /** Why the worker was told to stop. */
  stoppedBy: QueryFailure | undefined;
  onReport(report: Report): void;
  onEnd(): void;
}

/**
 * Starts a worker process. `parentDirectory` is where it gets a directory of its own, removed at its end;
 * `trustedCertificates` a file of certificates that it trusts beside those of Node.
 */
export function startQueryWorker(
  parentDirectory: string,
  limits: QueryLimits,
  trustedCertificates?: string,
): QueryWorker {
  const directory = mkdtempSync(join(parentDirectory, 'worker-'));
  const child = fork(new URL('query-process.ts', import.meta.url), {
    // Nothing of the server's environment: there are secrets in it.
    env: trustedCertificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: trustedCertificates },
    execArgv: [`--max-old-space-size=${Math.ceil(limits.heapBytes / 1024 / 1024)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  const output = child.stdio[outputDescriptor] as Readable;
  let running: Running | undefined;
  let hasEnded = false;
  /** It has told that it ends. */
  let isDoomed = false;
  let isSlowed = false;
  const ended = new Promise<void>((resolve) => {
    function onEnd(): void {
      if (hasEnded) return;
      hasEnded = true;
      running?.onEnd();
      void rm(directory, { recursive: true, force: true, maxRetries: 3 }).finally(resolve);
    }
    child.once('exit', onEnd);
    child.once('error', onEnd);
  });
  child.on('message', (report: Report) => running?.onReport(report));
  output.on('error', () => undefined);

  async function ask(order: Order, options: AskOptions): Promise<Answer> {
    if (running !== undefined) throw new TypeError('The worker has an order already');
    let timers: NodeJS.Timeout[] = [];
    const stop = (failure: QueryFailure): void => {
      if (running === undefined || running.stoppedBy !== undefined) return;
      running.stoppedBy = failure;
      send({ kind: 'cancel' });
      timers.push(setTimeout(() => child.kill('SIGKILL'), limits.graceMs));
    };
    const abort = (): void => stop(abortFailure(options.signal?.reason));
    try {
      return await new Promise<Answer>((resolve, reject) => {
        running = { stoppedBy: undefined, onReport, onEnd };
        function onReport(report: Report): void {
          if (report.kind === 'started') {
            options.onStarted?.(report.columns);
            return;
          }
          if (report.kind === 'failed' && report.isEnding === true) isDoomed = true;
          options.onOutput?.(report.outputBytes);
          if (report.kind === 'done' && running?.stoppedBy === undefined) resolve(report.answer);
          else if (running?.stoppedBy !== undefined) reject(running.stoppedBy);
          else if (report.kind === 'failed') {
            const { code, message, offset } = report.failure;
            reject(new QueryFailure(code, message, { offset }));
          }
        }
        function onEnd(): void {
          reject(running?.stoppedBy ?? endFailure(child));
        }
        if (hasEnded) {
          onEnd();
          return;
        }
        send(order);
        timers = [
          setTimeout(() => stop(timeoutFailure(options.timeoutMs)), options.timeoutMs),
          setTimeout(() => {
            isSlowed = true;
            slowDown(child, slowPriority);
          }, limits.slowAfterMs),
        ];
        options.signal?.addEventListener('abort', abort, { once: true });
        if (options.signal?.aborted === true) abort();
      });
    } finally {
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
      running = undefined;
      // Only root may raise a priority again. Elsewhere a slow query costs its worker.
      if (isSlowed && slowDown(child, startPriority)) isSlowed = false;
    }
  }

  function send(message: Message): void {
    // An error here means that the process is about to end, which `onEnd` tells of.
    child.send(message, () => undefined);
  }

  return {
    processId: child.pid ?? 0,
    output,
    open: (source) => send({ kind: 'open', source, directory, limits }),
    ask,
    isUsable: () => !hasEnded && !isDoomed && !isSlowed,
    end: (failure) => {
      if (running !== undefined) running.stoppedBy ??= failure;
      child.kill('SIGKILL');
    },
    ended,
  };
}

/** Sets the priority, and returns whether that was allowed. */
function slowDown(child: ChildProcess, priority: number): boolean {
  try {
    if (child.pid !== undefined) setPriority(child.pid, priority);
    return true;
  } catch {
    return false;
  }
}

/** An abort may tell why, by a failure as its reason. */
const abortFailure = (reason: unknown): QueryFailure =>
  reason instanceof QueryFailure ? reason : new QueryFailure('cancelled', 'The query was stopped.');

export const timeoutFailure = (timeoutMs: number): QueryFailure =>
  new QueryFailure('timeout', `The query took longer than ${timeoutMs / 1000} s and was stopped.`);

function endFailure({ signalCode, exitCode }: ChildProcess): QueryFailure {
  // V8 ends a process so that has no room left on its heap.
  return signalCode === 'SIGABRT' || exitCode === 134
    ? new QueryFailure('out_of_memory', 'The query needs more memory than it may have.')
    : new QueryFailure('worker_lost', 'The process that ran the query has ended.');
}
