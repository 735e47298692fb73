import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Process ids mean something only on one machine, and there in one container. */
const machine = hash('sha256', `${hostname()} ${processNamespace()}`, 'hex').slice(0, 12);

/** The same id is given again to another process, which started at another time. */
const ownPrefix = prefixOf(process.pid);

function prefixOf(processId: number): string {
  return `worker-${machine}-${processId}-${startOf(processId) ?? 'unknown'}-`;
}

/** Makes a directory for one worker of this process, by whose name others know whether it is still in use. */
export const makeWorkerDirectory = (parent: string): string => mkdtempSync(join(parent, ownPrefix));

/** Whether a directory of this name may still be in use: its process runs, or cannot be looked at from here. */
function mayBeInUse(name: string): boolean {
  const [, where, processId] = /^worker-([0-9a-f]{12})-(\d+)-\w+-/.exec(name) ?? [];
  return where !== machine || name.startsWith(prefixOf(Number(processId)));
}

/**
 * Removes the directories of workers whose server has ended, and returns the names of all else but the directories of
 * this process. `isSole` says that no other server uses `parent`.
 */
export async function removeLeftDirectories(parent: string, isSole: boolean): Promise<string[]> {
  const names = (await readdir(parent).catch(() => [])).filter((name) => !name.startsWith(ownPrefix));
  const left = names.filter((name) => /^(worker|probe)-/.test(name) && (isSole || !mayBeInUse(name)));
  for (const name of left) await rm(join(parent, name), { recursive: true, force: true });
  return names.filter((name) => !left.includes(name));
}

/** Returns when a process has started, in ticks since the system has, or undefined when there is no such process. */
function startOf(processId: number): string | undefined {
  try {
    // After the name of the program in parentheses, which may hold any character.
    return readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  } catch {
    return undefined;
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
