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

/** Ids that neither systems nor systemd give to anyone: https://systemd.io/UIDS-GIDS/ */
const firstId = 60_578;
const idCount = 606;

/** The worker's working directory. Its path leads through directories that are closed to the worker; this does not. */
const directoryInside = '/proc/self/cwd';

/**
 * Runs each worker as a user of its own, for a server that is root where bubblewrap does not work. The worker can read
 * what every user of the machine can read, and connect to wherever the machine can.
 */
export function createSeparateUserSandbox(): QuerySandbox {
  const taken = new Set<number>();
  // Another server on this machine begins somewhere else.
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
        // Of processes that are left, the id stays taken.
        finish: () => endProcessesOf(id).then(release),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  return { state: { kind: 'separate_user' }, launch };
}

/** Puts the files of a view into the worker's directory. Returns the path of the certificates there. */
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
 * Makes a file of the server's readable for the worker, without a copy where the file system has hard links. All users
 * may read it then, but none gets there: the directories above are the server's alone.
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
 * Ends every process of a user, those too that a worker has detached from itself. Rejects when some are left: their files
 * must not be touched, nor their id be given to another worker.
 */
export async function endProcessesOf(id: number, signalAll = startKiller): Promise<void> {
  // Again and again: one of them may have ended the one that was to end them.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await signalAll(id);
    if (processesOf(id).length === 0) return;
    // Where they have taken all the processes that there may be, none can be started to signal them. So they are stopped one
    // by one first, since each that ended would make room for the next.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
      for (const processId of processesOf(id)) signalProcess(processId, signal);
    await delay(10);
  }
  throw new Error(`Processes of a query worker, of the user ${id}, cannot be ended.`);
}

function signalProcess(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** A process that signals all that it may signals those of its user, all at once. */
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
