import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, type Duplex, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { QueryFailure, queryStopped } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import {
  outputDescriptor,
  type JobResult,
  type Message,
  type Job,
  type Reply,
  type SentSource,
} from '../worker/messages.ts';
import type { Launch, QuerySandbox, WorkerView } from '../sandbox/sandbox.ts';
import { setProcessPriority } from '../sandbox/process-priority.ts';
import { makeWorkerDirectory } from '../sandbox/worker-directories.ts';
import type { WorkerSource } from '../source-description.ts';
import { channelDescriptor, readFrames, sendFrame } from '../worker/channel.ts';
import { maxReplyBytes, readReply } from '../worker/replies.ts';
import { countOomKills } from './oom-kills.ts';
import { deathFailure, toDeath, type DeathFacts, type WorkerDeath } from './worker-death.ts';

/** One worker process. It executes one job at a time. */
export interface QueryWorker {
  /** The process that runs queries; undefined while it starts. */
  processId(): number | undefined;
  /** Its own directory, the only one that it can write to. */
  readonly directory: string;
  /** The bytes of streams. */
  readonly output: Readable;
  /** Returns the path by which the worker opens a file of its source, or one in its directory. */
  pathOf(path: string): string;
  /** Rejects with `QueryFailure` if the job fails; then the worker is free again, or has ended. */
  execute(job: Job, options: ExecuteOptions): Promise<JobResult>;
  /** False if it has ended, or has to be replaced by a new worker. */
  isUsable(): boolean;
  /** Kills the process. Its job fails with `failure`, or with `worker_lost` if that is left out. */
  end(failure?: QueryFailure): void;
  readonly ended: Promise<void>;
}

export interface ExecuteOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onStarted?: (columns: readonly Column[]) => void;
  /** Called at the end of the job, successful or not, with the number of bytes that it has written to `output`. */
  readonly onOutput?: (byteCount: number) => void;
}

/** Slow queries get a lower priority than the server and than short queries; see nice(2). */
const startPriority = 0;
const slowPriority = 10;

interface Running {
  /** Why the job was cancelled. */
  stoppedBy: QueryFailure | undefined;
  onReply(reply: Reply): void;
  onEnd(): void;
}

export interface WorkerOptions {
  /** What the worker is bound to. A worker that imports a file executes only one job. */
  readonly source: WorkerSource;
  readonly sandbox: QuerySandbox;
  readonly limits: QueryLimits;
  /** Where the worker's own directory is created, which is removed when it ends. */
  readonly parentDirectory: string;
  /** A PEM file of certificates to trust in addition to Node's. */
  readonly trustedCertificates?: string | undefined;
  /** Called when the system can't start the process. */
  readonly onStartFailure?: ((error: Error) => void) | undefined;
  /** Called when the worker has ended although nobody has ended it. */
  readonly onDied?: ((death: WorkerDeath) => void) | undefined;
  /** Replaced in tests. */
  readonly countOomKills?: (() => number | undefined) | undefined;
}

const program = fileURLToPath(new URL('../worker/query-process.ts', import.meta.url));

/** Starts a worker process. Throws if the attempt itself fails; a later failure ends the worker. */
export function startQueryWorker(options: WorkerOptions): QueryWorker {
  const { source, sandbox, limits, countOomKills: countKills = countOomKills } = options;
  const directory = makeWorkerDirectory(options.parentDirectory);
  let launch: Launch;
  let child: ChildProcess;
  try {
    const heapMebibytes = Math.ceil(limits.heapBytes / 1024 / 1024);
    launch = sandbox.launch(viewOf(options, directory), [`--max-old-space-size=${heapMebibytes}`, program]);
    child = startProcess(launch);
  } catch (error) {
    options.onStartFailure?.(error instanceof Error ? error : new Error(String(error)));
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  // Registered first: if the system has no descriptors left, this event is emitted, and the pipes don't exist.
  let startFailure: Error | undefined;
  child.once('error', (error) => {
    if (child.pid === undefined) {
      startFailure = error;
      options.onStartFailure?.(error);
    }
  });
  // Sound because descriptors 3 and 4 are sockets if they exist.
  const socketOf = (descriptor: number): Duplex =>
    ((child.stdio as ChildProcess['stdio'] | undefined)?.[descriptor] ?? new PassThrough().end()) as Duplex;
  const channel = socketOf(channelDescriptor);
  const output: Readable = socketOf(outputDescriptor);
  let running: Running | undefined;
  let hasEnded = false;
  /** The worker has reported that it is about to end, or can't be trusted any longer. */
  let isEnding = false;
  let isSlowed = false;
  /** Whether it was ended because it isn't needed any longer. */
  let isDismissed = false;
  let announced: DeathFacts['announced'];
  let oomKillsBefore = countKills();
  let death: WorkerDeath | undefined;
  const ended = new Promise<void>((resolve) => {
    function onEnd(): void {
      if (hasEnded) return;
      hasEnded = true;
      if (startFailure === undefined) {
        const { exitCode, signalCode } = child;
        const facts = { announced, oomKillsBefore, oomKillsNow: countKills() };
        death = toDeath({ exitCode, signalCode, ...facts });
        // One that has announced its end is dismissed in the meantime.
        if (!isDismissed || announced !== undefined) options.onDied?.(death);
      }
      running?.onEnd();
      // Nothing more will be received, even if another process still has the other ends open.
      output.destroy();
      channel.destroy();
      void launch
        .finish()
        .then(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
        // What can't be removed now is removed at the next start.
        .then(resolve, () => resolve());
    }
    child.once('exit', onEnd);
    child.once('error', onEnd);
  });
  readFrames(channel, maxReplyBytes(limits), (frame) => {
    if (running === undefined) throw new Error('The worker replied without a job');
    running.onReply(readReply(frame));
  });
  channel.on('error', (error) => {
    isEnding = true;
    if ('syscall' in error) {
      // The worker has ended, or is about to. It is killed only if it hasn't in a while, since that would hide the cause.
      setTimeout(() => {
        if (!hasEnded) launch.kill(child);
      }, limits.graceMs).unref();
      return;
    }
    // A worker that sends anything but replies can't be trusted with another job.
    announced ??= 'protocol_violation';
    launch.kill(child);
  });
  output.on('error', () => undefined);

  async function execute(job: Job, options: ExecuteOptions): Promise<JobResult> {
    if (running !== undefined) throw new TypeError('The worker already has a job');
    let timers: NodeJS.Timeout[] = [];
    const stop = (failure: QueryFailure): void => {
      if (running === undefined || running.stoppedBy !== undefined) return;
      running.stoppedBy = failure;
      send({ kind: 'cancel' });
      timers.push(
        setTimeout(() => {
          announced ??= 'did_not_stop';
          launch.kill(child);
        }, limits.graceMs),
      );
    };
    const abort = (): void => stop(abortFailure(options.signal?.reason));
    try {
      return await new Promise<JobResult>((resolve, reject) => {
        running = { stoppedBy: undefined, onReply, onEnd };
        let hasStarted = false;
        function onReply(reply: Reply): void {
          if (reply.kind === 'started') {
            if (hasStarted || options.onStarted === undefined) throw new Error('The worker started twice');
            hasStarted = true;
            options.onStarted(reply.columns);
            return;
          }
          if (reply.kind === 'done' && reply.result.kind !== job.kind)
            throw new Error(`The worker replied to ${job.kind} with ${reply.result.kind}`);
          if (reply.kind === 'failed' && reply.isEnding === true) {
            isEnding = true;
            if (reply.failure.code === 'out_of_memory') announced ??= 'memory_limit';
          }
          options.onOutput?.(reply.outputBytes);
          if (reply.kind === 'done' && running?.stoppedBy === undefined) resolve(reply.result);
          else if (running?.stoppedBy !== undefined) reject(running.stoppedBy);
          else if (reply.kind === 'failed') {
            const { code, message, offset } = reply.failure;
            reject(new QueryFailure(code, message, { offset }));
          }
        }
        function onEnd(): void {
          reject(running?.stoppedBy ?? endFailure(death, startFailure));
        }
        if (hasEnded) {
          onEnd();
          return;
        }
        oomKillsBefore = countKills();
        send(job);
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
      // Only root may raise a priority again. Without root, a worker isn't used again after a slow query.
      if (isSlowed && setPriority(startPriority)) isSlowed = false;
    }
  }

  function send(message: Message): void {
    // An error here means that the process is about to end; `onEnd` reports that.
    if (channel.writable) sendFrame(channel, [serialize(message)]);
  }

  function setPriority(priority: number): boolean {
    const processId = launch.findWorkerProcess(child);
    return processId !== undefined && setProcessPriority(processId, priority);
  }

  const { pathOf } = launch;
  send({ kind: 'open', source: sentOf(source, launch), directory: pathOf(directory), limits });

  return {
    processId: () => launch.findWorkerProcess(child),
    output,
    directory,
    pathOf,
    execute,
    isUsable: () => !hasEnded && !isEnding && !isSlowed && source.engine !== undefined,
    end: (failure) => {
      if (running !== undefined) running.stoppedBy ??= failure;
      isDismissed = true;
      launch.kill(child);
    },
    ended,
  };
}

function startProcess(launch: Launch): ChildProcess {
  try {
    return spawn(launch.command, launch.args, {
      ...launch.options,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    void launch.finish().catch(() => undefined);
    throw error;
  }
}

function viewOf({ source, trustedCertificates }: WorkerOptions, directory: string): WorkerView {
  if (source.engine === undefined) return { directory, readableFiles: [source.file] };
  const { files, server } = source.engine;
  return {
    directory,
    readableFiles: files?.paths(source) ?? [],
    ...(server !== undefined && { destination: server.destination(source), trustedCertificates }),
  };
}

/** Returns a source as plain data, with the paths by which the worker opens its files or reaches its server. */
function sentOf(source: WorkerSource, { pathOf, forwarder }: Launch): SentSource | undefined {
  if (source.engine === undefined) return undefined;
  const { files, server } = source.engine;
  let sent = files?.withPaths(source, pathOf) ?? source;
  if (forwarder !== undefined) sent = server?.withForwarder(source, forwarder) ?? source;
  const { engine, ...data } = sent;
  return { folder: engine.folder, data };
}

/** An abort's reason may be the failure to report. */
const abortFailure = (reason: unknown): QueryFailure =>
  reason instanceof QueryFailure ? reason : queryStopped();

export const timeoutFailure = (timeoutMs: number): QueryFailure =>
  new QueryFailure('timeout', `The query took longer than ${timeoutMs / 1000} s and was stopped.`);

const endFailure = (death: WorkerDeath | undefined, startFailure: Error | undefined): QueryFailure =>
  death === undefined
    ? new QueryFailure('worker_lost', 'The server could not start a process for the query.', {
        cause: startFailure,
      })
    : deathFailure(death);
