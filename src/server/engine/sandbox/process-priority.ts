import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Sets the priority of a process and all its threads; returns whether that was allowed. See nice(2). */
export function setProcessPriority(processId: number, priority: number): boolean {
  try {
    for (const thread of threadsOf(processId)) setThreadPriority(thread, priority);
    return true;
  } catch {
    return false;
  }
}

/** Returns the threads of a process: Linux has a priority for each one, and an engine computes in several. */
function threadsOf(processId: number): number[] {
  try {
    return readdirSync(`/proc/${processId}/task`).map(Number);
  } catch {
    return [processId];
  }
}

function setThreadPriority(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch (error) {
    // A thread may have ended meanwhile.
    if (!(error instanceof Error) || !error.message.includes('ESRCH')) throw error;
  }
}
