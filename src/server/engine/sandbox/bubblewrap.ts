import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { forwarderName, startForwarder } from './forwarder.ts';
import { isInside, programFiles } from './program-files.ts';
import type { Launch, QuerySandbox, WorkerView } from './sandbox.ts';

/** The directories that the dynamic linker needs. `/usr/bin` is left out, since workers run no other programs. */
export const systemLibraries = ['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64'];
const linkerCache = '/etc/ld.so.cache';

/** Where a worker finds its files. The server's own paths would reveal the ids of organizations. */
const directoryInside = '/worker/temp';
const filesInside = '/worker/files';
const certificatesInside = '/worker/trusted-certificates.pem';
const compiledCodeInside = '/worker/compiled-code';

/** The id of `nobody` on most systems. */
const idInside = '65534';

export interface Bubblewrap {
  readonly path: string;
  /** Whether it can forbid the worker to create further namespaces (0.8 and later). */
  readonly canDisableNamespaces: boolean;
  /** Where the compiled code of the worker program is stored. */
  readonly compiledCode: string;
}

/**
 * Isolates each worker with Linux namespaces: it sees only its own processes, no network, and in the file system only the
 * program, system libraries, and the files of its view.
 */
export function createBubblewrapSandbox(bubblewrap: Bubblewrap): QuerySandbox {
  return {
    state: { kind: 'bubblewrap' },
    compiledCode: bubblewrap.compiledCode,
    launch(view, nodeArguments): Launch {
      const forwarder = view.destination && startForwarder(view.directory, view.destination);
      return {
        command: bubblewrap.path,
        args: [...sandboxArguments(bubblewrap, view), '--', process.execPath, ...nodeArguments],
        options: {
          env: {
            NODE_COMPILE_CACHE: compiledCodeInside,
            ...(view.trustedCertificates !== undefined && { NODE_EXTRA_CA_CERTS: certificatesInside }),
          },
        },
        pathOf: (path) => pathInside(view, path),
        forwarder: forwarder && join(directoryInside, forwarderName),
        findWorkerProcess: (child) => firstChild(firstChild(child.pid)),
        kill: (child) => killNamespace(child, killWithinMs),
        finish: async () => forwarder?.close(),
      };
    },
  };
}

function sandboxArguments({ canDisableNamespaces, compiledCode }: Bubblewrap, view: WorkerView): string[] {
  const files = view.readableFiles.flatMap((file, index) => [
    '--ro-bind-try',
    file,
    join(filesInside, String(index)),
  ]);
  const certificates =
    view.trustedCertificates === undefined
      ? []
      : ['--ro-bind-try', resolve(view.trustedCertificates), certificatesInside];
  const readable = [...programFiles, process.execPath].flatMap((path) => ['--ro-bind', path, path]);
  const shared = [...systemLibraries, linkerCache, ...(view.systemDirectories ?? [])].flatMap((path) => [
    '--ro-bind-try',
    path,
    path,
  ]);
  const namespaces = canDisableNamespaces ? ['--disable-userns'] : [];
  const identity = `--uid ${idInside} --gid ${idInside} --hostname worker`;
  // `--unshare-all` silently skips user namespaces where they aren't allowed; `--unshare-user` fails.
  const isolation = `--unshare-user --unshare-all ${identity} --cap-drop ALL --new-session --die-with-parent`;
  return [
    ...isolation.split(' '),
    ...namespaces,
    ...'--proc /proc --dev /dev'.split(' '),
    ...shared,
    ...readable,
    '--ro-bind-try',
    compiledCode,
    compiledCodeInside,
    ...files,
    ...certificates,
    '--bind',
    view.directory,
    directoryInside,
    // bubblewrap creates these in memory: files that a worker wrote there would count against no limit.
    ...'--remount-ro /dev --remount-ro / --chdir /'.split(' '),
  ];
}

function pathInside({ directory, readableFiles }: WorkerView, path: string): string {
  if (isInside(path, directory)) return join(directoryInside, path.slice(directory.length));
  const index = readableFiles.indexOf(path);
  if (index < 0) throw new TypeError('The worker does not see this file');
  return join(filesInside, String(index));
}

/** How long bubblewrap may take to start its child on a very busy machine. */
const killWithinMs = 5_000;
const retryAfterMs = 10;

/**
 * Ends bubblewrap's child, the first process of the worker's namespace: the kernel ends all others before bubblewrap is
 * notified, so that none is left when `child` exits. Bubblewrap itself is killed only as a last resort: a child that has just
 * started would wait for it forever.
 */
function killNamespace(child: ChildProcess, leftMs: number): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const first = firstChild(child.pid);
  if (first !== undefined && signal(first)) return;
  if (leftMs > 0) setTimeout(() => killNamespace(child, leftMs - retryAfterMs), retryAfterMs);
  else child.kill('SIGKILL');
}

/** Returns the first child of a process; undefined if it has none or has ended. */
function firstChild(processId: number | undefined): number | undefined {
  if (processId === undefined) return undefined;
  try {
    const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8');
    return children === '' ? undefined : Number(children.split(' ', 1)[0]);
  } catch {
    return undefined;
  }
}

function signal(processId: number): boolean {
  try {
    return process.kill(processId, 'SIGKILL');
  } catch {
    return false;
  }
}
