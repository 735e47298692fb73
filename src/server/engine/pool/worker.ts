import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, type Duplex, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import type { Column } from '#contract/data-sources.ts';
import { QueryFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import {
  outputDescriptor,
  type Answer,
  type Message,
  type Order,
  type Report,
  type SentSource,
} from '../worker/messages.ts';
import type { Launch, QuerySandbox, WorkerView } from '../sandbox/sandbox.ts';
import { setProcessPriority } from '../sandbox/process-priority.ts';
import { makeWorkerDirectory } from '../sandbox/worker-directories.ts';
import type { WorkerSource } from '../source-description.ts';
import { channelDescriptor, readFrames, sendFrame } from '../worker/channel.ts';
import { maxReportBytes, readReport } from '../worker/replies.ts';

/** One worker process. It has one order at a time. */
export interface QueryWorker {
  /** The process that runs queries; undefined while it starts. */
  processId(): number | undefined;
  /** Its own, where it writes. */
  readonly directory: string;
  /** Where the bytes of streams come out. */
  readonly output: Readable;
  /** Returns the path by which the worker opens a file of its source, or one in its directory. */
  pathOf(path: string): string;
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

export interface WorkerOptions {
  /** What it serves for its whole life. A worker that imports a file takes one order. */
  readonly source: WorkerSource;
  readonly sandbox: QuerySandbox;
  readonly limits: QueryLimits;
  /** Where it gets a directory of its own, removed at its end. */
  readonly parentDirectory: string;
  /** A file of certificates that it trusts beside those of Node. */
  readonly trustedCertificates?: string | undefined;
  /** Called when the system starts no process. */
  readonly onStartFailure?: ((error: Error) => void) | undefined;
}

const program = fileURLToPath(new URL('../worker/query-process.ts', import.meta.url));

/** Starts a worker process. Throws when that cannot even be tried. */
export function startQueryWorker(options: WorkerOptions): QueryWorker {
  const { source, sandbox, limits } = options;
  const directory = makeWorkerDirectory(options.parentDirectory);
  let launch: Launch;
  let child: ChildProcess;
  try {
    const heapMebibytes = Math.ceil(limits.heapBytes / 1024 / 1024);
    launch = sandbox.launch(viewOf(options, directory), [`--max-old-space-size=${heapMebibytes}`, program]);
    child = spawn(launch.command, launch.args, {
      ...launch.options,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    options.onStartFailure?.(error instanceof Error ? error : new Error(String(error)));
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  // First of all: where the system has no descriptors left, this event comes, and there are no pipes.
  let startFailure: Error | undefined;
  child.once('error', (error) => {
    if (child.pid === undefined) {
      startFailure = error;
      options.onStartFailure?.(error);
    }
  });
  // Sound because descriptors 3 and 4 are sockets, if there are any.
  const socketOf = (descriptor: number): Duplex =>
    ((child.stdio as ChildProcess['stdio'] | undefined)?.[descriptor] ?? new PassThrough().end()) as Duplex;
  const channel = socketOf(channelDescriptor);
  const output: Readable = socketOf(outputDescriptor);
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
      // Nothing more comes, even if a process that never came to run the worker holds the other ends.
      output.destroy();
      channel.destroy();
      void launch
        .finish()
        .then(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
        // What cannot be removed goes at the next start.
        .then(resolve, () => resolve());
    }
    child.once('exit', onEnd);
    child.once('error', onEnd);
  });
  readFrames(channel, maxReportBytes(limits), (frame) => {
    if (running === undefined) throw new Error('The worker reported without an order');
    running.onReport(readReport(frame));
  });
  // A worker that sends anything but reports can't be trusted with another order.
  channel.on('error', () => {
    isDoomed = true;
    launch.kill(child);
  });
  output.on('error', () => undefined);

  async function ask(order: Order, options: AskOptions): Promise<Answer> {
    if (running !== undefined) throw new TypeError('The worker has an order already');
    let timers: NodeJS.Timeout[] = [];
    const stop = (failure: QueryFailure): void => {
      if (running === undefined || running.stoppedBy !== undefined) return;
      running.stoppedBy = failure;
      send({ kind: 'cancel' });
      timers.push(setTimeout(() => launch.kill(child), limits.graceMs));
    };
    const abort = (): void => stop(abortFailure(options.signal?.reason));
    try {
      return await new Promise<Answer>((resolve, reject) => {
        running = { stoppedBy: undefined, onReport, onEnd };
        let hasStarted = false;
        function onReport(report: Report): void {
          if (report.kind === 'started') {
            if (hasStarted || options.onStarted === undefined) throw new Error('The worker started twice');
            hasStarted = true;
            options.onStarted(report.columns);
            return;
          }
          if (report.kind === 'done' && report.answer.kind !== order.kind)
            throw new Error(`The worker answered ${report.answer.kind} to ${order.kind}`);
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
          reject(running?.stoppedBy ?? endFailure(child, startFailure));
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
            setPriority(slowPriority);
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
      if (isSlowed && setPriority(startPriority)) isSlowed = false;
    }
  }

  function send(message: Message): void {
    // An error here means that the process is about to end, which `onEnd` tells of.
    if (channel.writable) sendFrame(channel, [serialize(message)]);
  }

  function setPriority(priority: number): boolean {
    const processId = launch.findWorkerProcess(child);
    return processId !== undefined && setProcessPriority(processId, priority);
  }

  const { pathOf } = launch;
  send({ kind: 'open', source: sentOf(source, pathOf), directory: pathOf(directory), limits });

  return {
    processId: () => launch.findWorkerProcess(child),
    output,
    directory,
    pathOf,
    ask,
    isUsable: () => !hasEnded && !isDoomed && !isSlowed && source.engine !== undefined,
    end: (failure) => {
      if (running !== undefined) running.stoppedBy ??= failure;
      launch.kill(child);
    },
    ended,
  };
}

function viewOf({ source, trustedCertificates }: WorkerOptions, directory: string): WorkerView {
  if (source.engine === undefined) return { directory, readableFiles: [source.file], hasNetwork: false };
  const { files } = source.engine;
  return files === undefined
    ? { directory, readableFiles: [], hasNetwork: true, trustedCertificates }
    : { directory, readableFiles: files.paths(source), hasNetwork: false };
}

/** Returns a source as plain data, with the paths by which the worker opens its files. */
function sentOf(source: WorkerSource, pathOf: (path: string) => string): SentSource | undefined {
  if (source.engine === undefined) return undefined;
  const { engine, ...data } = source.engine.files?.withPaths(source, pathOf) ?? source;
  return { folder: engine.folder, data };
}

/** An abort may tell why, by a failure as its reason. */
const abortFailure = (reason: unknown): QueryFailure =>
  reason instanceof QueryFailure ? reason : new QueryFailure('cancelled', 'The query was stopped.');

export const timeoutFailure = (timeoutMs: number): QueryFailure =>
  new QueryFailure('timeout', `The query took longer than ${timeoutMs / 1000} s and was stopped.`);

function endFailure({ signalCode, exitCode }: ChildProcess, startFailure: Error | undefined): QueryFailure {
  if (startFailure !== undefined)
    return new QueryFailure('worker_lost', 'No process could be started for the query.', {
      cause: startFailure,
    });
  // V8 ends a process so that has no room left on its heap.
  return signalCode === 'SIGABRT' || exitCode === 134
    ? new QueryFailure('out_of_memory', 'The query needs more memory than it may have.')
    : new QueryFailure('worker_lost', 'The process that ran the query has ended.');
}
