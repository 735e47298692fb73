import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Identifies the machine and container, in which process ids are unique. */
const machine = hash('sha256', `${hostname()} ${processNamespace()}`, 'hex').slice(0, 12);

/** Contains the start time of the process, since its id can be reused. */
const ownPrefix = prefixOf(process.pid);

function prefixOf(processId: number): string {
  return `worker-${machine}-${processId}-${startOf(processId) ?? 'unknown'}-`;
}

/** Creates a directory for one worker, or for the cached results, of this process. Its name shows other servers whether it is still in use. */
export const makeWorkerDirectory = (parent: string): string => mkdtempSync(join(parent, ownPrefix));

/** Whether a name is that of a directory of a process. */
export const isOfProcess = (name: string): boolean => namePattern.test(name);

const namePattern = /^worker-([0-9a-f]{12})-(\d+)-\w+-/;

/** Whether a directory of this name may still be in use: its process is running, or is on another machine. */
function mayBeInUse(name: string): boolean {
  const [, where, processId] = namePattern.exec(name) ?? [];
  return where !== machine || name.startsWith(prefixOf(Number(processId)));
}

/**
 * Removes the directories of workers whose server has ended. Returns the names of everything else, except the directories of
 * this process. `isSole` means that no other server uses `parent`.
 */
export async function removeLeftDirectories(parent: string, isSole: boolean): Promise<string[]> {
  const names = (await readdir(parent).catch(() => [])).filter((name) => !name.startsWith(ownPrefix));
  const leftovers = names.filter((name) => /^(worker|probe)-/.test(name) && (isSole || !mayBeInUse(name)));
  for (const name of leftovers) await rm(join(parent, name), { recursive: true, force: true });
  return names.filter((name) => !leftovers.includes(name));
}

/** Returns the start time of a process, in ticks since the system started; undefined if the process doesn't exist. */
function startOf(processId: number): string | undefined {
  try {
    // Reads the fields after the name of the program in parentheses, which may contain any character.
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
