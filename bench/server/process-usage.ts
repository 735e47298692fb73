import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A server that is measured. */
export interface Target {
  readonly origin: string;
  readonly processId: number;
}

/** Returns the current resident memory of a process in bytes. */
export function residentMemoryBytes(processId: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' });
  if (kibibytes === undefined)
    throw new Error(`The system does not report the memory of process ${processId}.`);
  return Number(kibibytes) * 1024;
}

/** Returns the peak resident memory of a process in bytes; on systems other than Linux, the current one. */
export function peakMemoryBytes(processId: number): number {
  if (process.platform !== 'linux') return residentMemoryBytes(processId);
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Returns the running child processes of a process; none on systems other than Linux. */
export function childProcessIds(processId: number): number[] {
  if (process.platform !== 'linux') return [];
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/**
 * Returns the processor time of a process on all its threads, in microseconds; undefined on systems other than
 * Linux. It varies less than speed, since other programs hardly affect it.
 */
export function processorTimeUs(processId: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  return threadTimesUs(processId) ?? tickedTimeUs(processId);
}

/** Returns the sum of the times of all threads, in which Linux counts nanoseconds, unless it was built without. */
function threadTimesUs(processId: number): number | undefined {
  const directory = `/proc/${processId}/task`;
  try {
    const times = readdirSync(directory).map((thread) =>
      Number(readFileSync(`${directory}/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    const sumNs = times.reduce((sum, timeNs) => sum + timeNs, 0);
    return sumNs === 0 ? undefined : sumNs / 1_000;
  } catch {
    return undefined;
  }
}

/** The time of a process is reported in ticks, a hundred a second on every architecture that Node runs on. */
const tickUs = 10_000;

function tickedTimeUs(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  // After the program's name, which is in parentheses and can contain spaces, the times are the 12th and 13th
  // fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
}
