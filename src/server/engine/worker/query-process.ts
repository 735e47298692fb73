// A worker: a process of its own that runs the queries of one source of one organization, one at a time.
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { deserialize } from 'node:v8';
import type { OpenedSource } from '../opened-source.ts';
import { QueryFailure, toPlainFailure } from '../failure.ts';
import { defaultLimits } from '../limits.ts';
import { obeyOrder } from './jobs.ts';
import type { Message, Order, Report, SentSource } from './messages.ts';
import { createQueryOutput } from '../output.ts';
import { writeReport } from './frame.ts';
import type { SourceEngine } from '../source-description.ts';
import { channelDescriptor, readFrames, sendFrame } from './channel.ts';

/** What the program itself takes, engines and all. */
const programBytes = 192 * 1024 * 1024;

const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true });
const output = createQueryOutput();
let opening: Promise<OpenedSource> | undefined;
let workingSource: SentSource | undefined;
let workingDirectory = '';
let workingLimits = defaultLimits;
let running: AbortController | undefined;

try {
  // Where memory runs short, the system is to end this process rather than the server. Known to Linux alone.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Then the system chooses by itself.
}

// Sound because the server sends nothing else.
readFrames(channel, Infinity, (frame) => onMessage(deserialize(frame) as Message));
// The server is gone: there is nobody to answer. By a signal, since `exit` waits for what the engine computes.
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
    case 'import':
      void obey(message);
  }
}

function open({ source, directory, limits }: Extract<Message, { kind: 'open' }>): void {
  workingDirectory = directory;
  workingLimits = limits;
  workingSource = source;
  // Already now, while the first order is on its way, which tells of a failure.
  openWorkingSource().catch(() => undefined);
}

/** Opens it again after a failure, which may have passed. */
function openWorkingSource(): Promise<OpenedSource> {
  if (workingSource === undefined)
    return Promise.reject(new QueryFailure('unreachable', 'There is no source.'));
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

async function obey(order: Order): Promise<void> {
  const controller = new AbortController();
  running = controller;
  const startBytes = output.byteCount();
  const watch = setInterval(watchMemory, 50);
  try {
    const answer = await obeyOrder(order, {
      source: openWorkingSource,
      directory: workingDirectory,
      limits: workingLimits,
      output,
      started: (columns) => tell({ kind: 'started', columns }),
      signal: controller.signal,
    });
    await output.flush();
    tell({ kind: 'done', answer, outputBytes: output.byteCount() - startBytes });
  } catch (error) {
    tell({ kind: 'failed', failure: toPlainFailure(error), outputBytes: output.byteCount() - startBytes });
  } finally {
    clearInterval(watch);
    running = undefined;
  }
}

/** DuckDB's own limit leaves some of what it takes uncounted. */
function watchMemory(): void {
  const { memoryBytes, heapBytes } = workingLimits;
  if (process.memoryUsage.rss() < memoryBytes * 1.5 + heapBytes + programBytes) return;
  const failure = {
    code: 'out_of_memory',
    message: 'The query needs more memory than it may have.',
  } as const;
  const report = { kind: 'failed', failure, outputBytes: -1, isEnding: true } as const;
  sendFrame(channel, writeReport(report), () => process.kill(process.pid, 'SIGKILL'));
}

function tell(report: Report): void {
  sendFrame(channel, writeReport(report));
}
