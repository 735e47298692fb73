// A worker: a separate process that runs the queries of one source of one organization, one at a time.
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { deserialize } from 'node:v8';
import type { OpenedSource } from '../opened-source.ts';
import { outOfMemory, QueryFailure, toPlainFailure } from '../failure.ts';
import { defaultLimits } from '../limits.ts';
import { executeJob } from './jobs.ts';
import type { Message, Job, Reply, SentSource } from './messages.ts';
import { createQueryOutput } from '../output.ts';
import { writeReply } from './frame.ts';
import type { SourceEngine } from '../source-description.ts';
import { channelDescriptor, readFrames, sendFrame } from './channel.ts';

/** The memory that the program itself uses, with the engines. */
const programBytes = 192 * 1024 * 1024;

const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true });
const output = createQueryOutput();
let opening: Promise<OpenedSource> | undefined;
let workingSource: SentSource | undefined;
let workingDirectory = '';
let workingLimits = defaultLimits;
let running: AbortController | undefined;

try {
  // If memory runs out, the system should kill this process rather than the server. Exists only on Linux.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Then the system chooses.
}

// Sound because the server sends nothing else.
readFrames(channel, Infinity, (frame) => onMessage(deserialize(frame) as Message));
// The server has ended. Uses a signal, since `process.exit` waits for the engine's computations.
channel.on('close', () => process.kill(process.pid, 'SIGKILL'));
channel.on('error', () => undefined);

function onMessage(message: Message): void {
  switch (message.kind) {
    case 'open':
      open(message);
      return;
    case 'cancel':
      running?.abort();
      return;
    case 'run':
    case 'stream':
    case 'describe':
    case 'test':
    case 'preview':
    case 'import':
      void execute(message);
  }
}

function open({ source, directory, limits }: Extract<Message, { kind: 'open' }>): void {
  workingDirectory = directory;
  workingLimits = limits;
  workingSource = source;
  // Starts early, while the first job is on its way, which then reports a failure.
  openWorkingSource().catch(() => undefined);
}

/** Opens the source once, but tries again after a failure, which may have been temporary. */
function openWorkingSource(): Promise<OpenedSource> {
  if (workingSource === undefined)
    return Promise.reject(new QueryFailure('unreachable', 'The worker has no source.'));
  opening ??= openSource(workingSource).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function openSource({ folder, data }: SentSource): Promise<OpenedSource> {
  // Sound because the server takes the folder from an engine that is exported there.
  const { engine } = (await import(`../${folder}/engine.ts`)) as { engine: SourceEngine };
  return engine.open(data, workingDirectory, workingLimits);
}

async function execute(job: Job): Promise<void> {
  const controller = new AbortController();
  running = controller;
  const startBytes = output.byteCount();
  const watch = setInterval(watchMemory, 50);
  try {
    const result = await executeJob(job, {
      source: openWorkingSource,
      directory: workingDirectory,
      limits: workingLimits,
      output,
      started: (columns) => send({ kind: 'started', columns }),
      signal: controller.signal,
    });
    await output.flush();
    send({ kind: 'done', result, outputBytes: output.byteCount() - startBytes });
  } catch (error) {
    send({ kind: 'failed', failure: toPlainFailure(error), outputBytes: output.byteCount() - startBytes });
  } finally {
    clearInterval(watch);
    running = undefined;
  }
}

/** Ends the worker when it uses too much memory: DuckDB's own limit doesn't count everything. */
function watchMemory(): void {
  const { memoryBytes, heapBytes } = workingLimits;
  if (process.memoryUsage.rss() < memoryBytes * 1.5 + heapBytes + programBytes) return;
  const failure = toPlainFailure(outOfMemory());
  const reply = { kind: 'failed', failure, outputBytes: -1, isEnding: true } as const;
  sendFrame(channel, writeReply(reply), () => process.kill(process.pid, 'SIGKILL'));
}

function send(reply: Reply): void {
  sendFrame(channel, writeReply(reply));
}
