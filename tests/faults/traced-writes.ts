import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { until } from '../support/server/server-process.ts';

/** A call by which a process changed a file, or made earlier changes durable. Times are in milliseconds since 1970. */
export type FileCall = {
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
} & (
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number }
  | { readonly kind: 'sync' }
);

export interface Trace {
  /** Stops recording. Returns the calls on files in `directory`, in the order in which they started. */
  stop(): Promise<FileCall[]>;
}

/** Records, with strace(1), every call by which a running process writes to files in `directory`. */
export async function traceWrites(processId: number, directory: string, output: string): Promise<Trace> {
  mkdirSync(output, { recursive: true });
  const tracer = spawn(
    'strace',
    [
      '-ff',
      '-y',
      '-xx',
      '-ttt',
      '-T',
      '-s',
      String(2 ** 24),
      '-o',
      join(output, 'thread'),
      '-e',
      'trace=pwrite64,write,pwritev,ftruncate,fsync,fdatasync',
      '-p',
      String(processId),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await untilAttached(tracer);
  return {
    stop: async () => {
      // strace has already ended if the process has.
      if (tracer.exitCode === null && tracer.signalCode === null) {
        const ended = once(tracer, 'exit');
        tracer.kill('SIGINT');
        await ended;
      }
      return readdirSync(output)
        .flatMap((file) => readFileSync(join(output, file), 'latin1').split('\n'))
        .flatMap((line) => readCall(line, directory) ?? [])
        .toSorted((a, b) => a.startedAt - b.startedAt);
    },
  };
}

/** Resolves when strace has attached to the process. Throws with its output if it can't. */
export async function untilAttached(tracer: ChildProcess): Promise<void> {
  let output = '';
  tracer.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until('strace is attached', () => {
    if (tracer.exitCode !== null) throw new Error(`strace ended: ${output}`);
    return output.includes('attached') ? true : undefined;
  });
}

/**
 * Reads a line such as `1763800000.123456 pwrite64(20</data/atrium.sqlite-wal>, "\x00…", 4096, 32) = 4096 <0.000020>`. Paths are
 * in hexadecimal, too.
 */
function readCall(line: string, directory: string): FileCall | undefined {
  const [, seconds, name, path, rest] =
    /^(\d+\.\d+) (\w+)\(\d+<([^>]*)>(.*)$/.exec(line.slice(0, 2_000)) ?? [];
  if (seconds === undefined || path === undefined || rest === undefined) return undefined;
  const file = fromHex(path).toString();
  if (!file.startsWith(directory)) return undefined;
  const tail = line.slice(-120);
  const [, parameters = '', result, duration] =
    /(?:"(?:\.\.\.)?)?((?:, -?\d+)*)\)\s+= (-?\d+).* <(\d+\.\d+)>$/.exec(tail) ?? [];
  // The process was killed during the call.
  if (tail.endsWith('= ?')) return undefined;
  if (result === undefined || duration === undefined) throw new Error(`A call that did not end: ${tail}`);
  if (Number(result) < 0) return undefined;
  const startedAt = Number(seconds) * 1_000;
  const common = { path: file, startedAt, endedAt: startedAt + Number(duration) * 1_000 };
  const numbers = parameters.split(', ').slice(1).map(Number);
  switch (name) {
    case 'pwrite64': {
      const start = line.indexOf('"');
      const bytes = fromHex(line.slice(start + 1, line.indexOf('"', start + 1)));
      if (bytes.length < Number(result)) throw new Error('strace has truncated the bytes of a write');
      return { ...common, kind: 'write', offset: numbers[1] ?? 0, bytes: bytes.subarray(0, Number(result)) };
    }
    case 'ftruncate':
      return { ...common, kind: 'truncate', length: numbers[0] ?? 0 };
    case 'fsync':
    case 'fdatasync':
      return { ...common, kind: 'sync' };
    default:
      throw new Error(`SQLite is not expected to call ${name}: ${line.slice(0, 120)}`);
  }
}

const fromHex = (escaped: string): Buffer =>
  escaped.includes('\\x') ? Buffer.from(escaped.replaceAll('\\x', ''), 'hex') : Buffer.from(escaped);
