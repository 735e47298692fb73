import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isInside } from './program-files.ts';
import type { Launch, QuerySandbox, WorkerView } from './sandbox.ts';

/** User ids that neither Linux distributions nor systemd assign: https://systemd.io/UIDS-GIDS/ */
const firstId = 60_578;
const idCount = 606;

/** The worker's working directory. Its real path leads through directories that the worker can't enter. */
const directoryInside = '/proc/self/cwd';

/**
 * Runs each worker as a separate user, for a server that runs as root where bubblewrap doesn't work. The worker can still read
 * what every user of the machine can read, and has the machine's network access.
 */
export function createSeparateUserSandbox(): QuerySandbox {
  const taken = new Set<number>();
  // Random, so that another server on this machine most likely uses other ids.
  let last = Math.floor(Math.random() * idCount);

  function takeId(): number {
    if (taken.size === idCount) throw new Error('No user id is left for a query worker.');
    do last = (last + 1) % idCount;
    while (taken.has(last));
    taken.add(last);
    return firstId + last;
  }

  function launch(view: WorkerView, nodeArguments: readonly string[]): Launch {
    const id = takeId();
    const release = (): void => void taken.delete(id - firstId);
    try {
      const certificates = placeFiles(view, id);
      return {
        command: process.execPath,
        args: nodeArguments,
        options: {
          env: certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates },
          cwd: view.directory,
          uid: id,
          gid: id,
        },
        pathOf: (path) => pathInside(view, path),
        findWorkerProcess: (child) => child.pid,
        kill: (child) => void child.kill('SIGKILL'),
        // If some processes are left, the id stays taken.
        finish: () => endProcessesOf(id).then(release),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  return { state: { kind: 'separate_user' }, launch };
}

/** Puts the files of a view into the worker's directory. Returns the worker's path of the certificates. */
function placeFiles(
  { directory, readableFiles, trustedCertificates }: WorkerView,
  id: number,
): string | undefined {
  for (const [index, file] of readableFiles.entries()) linkReadable(file, join(directory, nameOf(index)));
  if (trustedCertificates !== undefined) {
    const copy = join(directory, 'trusted-certificates.pem');
    copyFileSync(trustedCertificates, copy);
    chmodSync(copy, 0o444);
  }
  chownSync(directory, id, id);
  return trustedCertificates && join(directoryInside, 'trusted-certificates.pem');
}

/**
 * Makes a file of the server readable for the worker, without a copy if the file system has hard links. Every user may read
 * the file then, but can't reach it, since only the server can enter the directories above it.
 */
function linkReadable(file: string, path: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isReadable = (found.mode & constants.S_IROTH) !== 0;
  try {
    linkSync(file, path);
  } catch {
    copyFileSync(file, path, constants.COPYFILE_FICLONE);
  }
  if (!isReadable) chmodSync(path, 0o644);
}

function pathInside({ directory, readableFiles }: WorkerView, path: string): string {
  if (isInside(path, directory)) return join(directoryInside, path.slice(directory.length));
  const index = readableFiles.indexOf(path);
  if (index < 0) throw new TypeError('The worker does not see this file');
  return join(directoryInside, nameOf(index));
}

const nameOf = (index: number): string => `file-${index}`;

/**
 * Ends every process of a user, including those that a worker has detached from itself. Rejects if some are left: their files
 * must not be touched then, and their id must not be given to another worker.
 */
export async function endProcessesOf(id: number, signalAll = startKiller): Promise<void> {
  // Repeated, since one of the processes may have killed the one that was to signal them.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await signalAll(id);
    if (processesOf(id).length === 0) return;
    // If they have reached the limit of processes, none can be started to signal them. They are all stopped before any is
    // killed, since each one that ended would let another one start.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
      for (const processId of processesOf(id)) signalProcess(processId, signal);
    await delay(10);
  }
  throw new Error(`The processes of a query worker, which run as user ${id}, cannot be ended.`);
}

function signalProcess(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Kills all processes of a user at once, with a process that runs as that user and signals everything it may. */
const startKiller = (id: number): Promise<void> =>
  new Promise((resolve) => {
    const killer = spawn('/bin/sh', ['-c', 'kill -9 -1'], {
      uid: id,
      gid: id,
      env: {},
      cwd: '/',
      stdio: 'ignore',
    });
    killer.once('error', () => resolve());
    killer.once('exit', () => resolve());
  });

const processesOf = (id: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunningFor(id, name))
    .map(Number);

function isRunningFor(id: number, processId: string): boolean {
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return !/^State:\s*Z/m.test(status) && Number(/^Uid:\s*(\d+)/m.exec(status)?.[1]) === id;
  } catch {
    return false;
  }
}
