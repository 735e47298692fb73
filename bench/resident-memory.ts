import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
