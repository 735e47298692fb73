import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { AtriumError } from '../../base/errors.ts';
import type { QuerySandbox, WorkerView } from '../../engine/sandbox/sandbox.ts';
import { makeWorkerDirectory } from '../../engine/sandbox/worker-directories.ts';
import { fontDirectories } from '../font-directories.ts';
import { tooLargeExitCode, type ExportJob, type ExportLimits } from '../job.ts';

const program = fileURLToPath(new URL('./export-process.ts', import.meta.url));

export interface WorkerOptions {
  readonly sandbox: QuerySandbox;
  readonly limits: ExportLimits;
  /** Where workers get their directories. */
  readonly temporaryDirectory: string;
  /** Replaced in tests. */
  readonly program?: string;
}

/**
 * Makes a file in a process of its own, which gets the job and the results, and nothing else: no secrets, no network, and no
 * database. Throws `export_too_large` if it exceeds a limit, and an error with its output if it fails.
 */
export async function runExportWorker(
  options: WorkerOptions,
  job: ExportJob,
  {
    lines,
    language,
    signal,
  }: {
    /** The results as NDJSON. */
    readonly lines: AsyncIterable<string | Uint8Array>;
    readonly language: string;
    readonly signal: AbortSignal;
  },
): Promise<Buffer> {
  const { sandbox, limits } = options;
  signal.throwIfAborted();
  mkdirSync(options.temporaryDirectory, { recursive: true, mode: 0o700 });
  const directory = makeWorkerDirectory(options.temporaryDirectory);
  const heapMebibytes = Math.ceil(limits.memoryBytes / 1024 ** 2 / 2);
  const view = viewOf(directory);
  // A worker that ends soon gains nothing from a large heap for new objects.
  const launch = sandbox.launch(view, [
    `--max-old-space-size=${heapMebibytes}`,
    '--max-semi-space-size=2',
    options.program ?? program,
  ]);
  const child = spawn(launch.command, launch.args, {
    ...launch.options,
    // Numbers and dates are written by what the process finds when it starts. The canvas looks for fonts of its user, and would
    // load all of the system's, even if no text needs them.
    env: {
      ...launch.options.env,
      TZ: job.timeZone,
      LC_ALL: language,
      HOME: launch.pathOf(directory),
      DISABLE_SYSTEM_FONTS_LOAD: '1',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = endOf(child);
  let stoppedBy: Error | undefined;
  const stop = (reason: Error): void => {
    stoppedBy ??= reason;
    launch.kill(child);
  };
  const abort = (): void => {
    const { reason } = signal as { reason: unknown };
    stop(reason instanceof AtriumError ? reason : new AtriumError('unavailable', 'The export was stopped.'));
  };
  signal.addEventListener('abort', abort, { once: true });
  const memoryWatch = setInterval(() => {
    const processId = launch.findWorkerProcess(child);
    if (processId !== undefined && residentBytes(processId) > limits.memoryBytes) stop(tooLarge('memory'));
  }, memoryCheckMs);
  let deadline: NodeJS.Timeout | undefined;
  try {
    const { stdin, stdout, stderr } = child;
    const output = collect(stdout, limits.maxOutputBytes, () => stop(tooLarge('file')));
    const errors = collect(stderr, maxErrorBytes, () => undefined);
    await sendInput(stdin, job, lines, limits.maxInputBytes).catch((error: unknown) => {
      // If the process has ended, its end says why.
      if (error instanceof Error && 'syscall' in error) return;
      stop(error instanceof Error ? error : new Error(String(error)));
    });
    deadline = setTimeout(() => stop(tooLarge('time')), limits.timeoutMs);
    const { exitCode, signalCode } = await ended;
    if (stoppedBy !== undefined) throw stoppedBy;
    if (exitCode === 0) return await output;
    const message = (await errors).toString('utf8');
    if (exitCode === tooLargeExitCode) throw new AtriumError('export_too_large', message);
    // This is how V8 ends a process whose heap is full.
    if (signalCode === 'SIGABRT' || exitCode === 134 || /heap out of memory/.test(message))
      throw tooLarge('memory');
    throw new Error(`An export worker ended with ${signalCode ?? exitCode}: ${message}`);
  } finally {
    clearTimeout(deadline);
    clearInterval(memoryWatch);
    signal.removeEventListener('abort', abort);
    launch.kill(child);
    void ended
      .then(() => launch.finish())
      .then(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
      // What can't be removed now is removed at the next start.
      .catch(() => undefined);
  }
}

/** Returns what a worker sees of the machine: fonts, and its directory. */
export const viewOf = (directory: string): WorkerView => ({
  directory,
  readableFiles: [],
  systemDirectories: fontDirectories,
});

const memoryCheckMs = 100;
const maxErrorBytes = 4_096;

/** Writes the job as the first line, and then the results. */
async function sendInput(
  stdin: Writable,
  job: ExportJob,
  lines: AsyncIterable<string | Uint8Array>,
  maxBytes: number,
): Promise<void> {
  async function* input(): AsyncGenerator<string | Uint8Array> {
    yield `${JSON.stringify(job)}\n`;
    let bytes = 0;
    for await (const piece of lines) {
      bytes += Buffer.byteLength(piece);
      if (bytes > maxBytes) throw tooLarge('data');
      yield piece;
    }
  }
  await pipeline(Readable.from(input(), { objectMode: false }), stdin);
}

/** Reads a stream to its end; calls `onFull` when it is larger than it may be. */
async function collect(stream: Readable, maxBytes: number, onFull: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) onFull();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface End {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
}

const endOf = (child: ChildProcess): Promise<End> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signalCode) => resolve({ exitCode, signalCode }));
  });

/** Returns the memory that a process uses, on Linux; 0 if that isn't known. */
function residentBytes(processId: number): number {
  try {
    return Number(readFileSync(`/proc/${processId}/statm`, 'utf8').split(' ')[1]) * 4_096;
  } catch {
    return 0;
  }
}

const reasons = {
  data: 'The results are too large to export. Choose filters that select less, or download the rows of a widget as CSV.',
  results:
    'The results took too long. Export again once the dashboard has been opened, or export single widgets.',
  memory:
    'The export needs more memory than it may use. Choose filters that select less, or export single widgets.',
  time: 'The export took too long. Choose filters that select less, or export single widgets.',
  file: 'The file would be too large. Choose filters that select less, or export single widgets.',
};

/** Returns the error of an export that exceeds a limit. */
export const tooLarge = (reason: keyof typeof reasons): AtriumError =>
  new AtriumError('export_too_large', reasons[reason]);
