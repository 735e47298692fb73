import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A server that is measured. */
export interface Target {
  readonly origin: string;
  readonly processId: number;
}

/** Returns how much memory of a process is resident now, in bytes. */
export function residentMemoryBytes(processId: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' });
  if (kibibytes === undefined)
    throw new Error(`The system does not tell the memory of process ${processId}.`);
  return Number(kibibytes) * 1024;
}

/** Returns the most of a process that was ever in memory, in bytes; on other systems than Linux, what is now. */
export function peakMemoryBytes(processId: number): number {
  if (process.platform !== 'linux') return residentMemoryBytes(processId);
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Returns the processes that a process has started and that run still; none on other systems than Linux. */
export function childProcessIds(processId: number): number[] {
  if (process.platform !== 'linux') return [];
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Linux tells times in ticks, a hundred a second on every architecture that Node runs on. */
const tickUs = 10_000;

/**
 * Returns how long a process has been computing, on all its threads, in microseconds; undefined on other
 * systems than Linux. Time that other programs took from it does not count, so it is steadier than speed.
 */
export function processorTimeUs(processId: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  // Behind the program's name, which is in parentheses and may hold spaces, the 12th and 13th field are the
  // times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
}
