import type { ChildProcess } from 'node:child_process';

export type SandboxKind = 'bubblewrap' | 'separate_user' | 'none';

/** How query workers are isolated; why not in a better way, and what to do about it. */
export interface SandboxState {
  readonly kind: SandboxKind;
  readonly reason?: string;
  readonly remedy?: string;
}

/** A server that a worker may connect to. Its addresses were checked, so its name isn't resolved again. */
export interface Destination {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** Everything that a worker sees of the machine apart from the program itself, as paths of the server. */
export interface WorkerView {
  /** The worker's own directory, the only place where it can write. */
  readonly directory: string;
  /** Files that don't exist are left out. */
  readonly readableFiles: readonly string[];
  /** Directories of the system that it reads at their own paths. Those that don't exist are left out. */
  readonly systemDirectories?: readonly string[];
  /** Certificates (PEM) to trust in addition to Node's. */
  readonly trustedCertificates?: string | undefined;
  /** The only server that it may connect to, where the sandbox has a say in it. None if left out. */
  readonly destination?: Destination | undefined;
}

/** How to start a worker in a sandbox, and how to reach it there. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: {
    /** The complete environment: nothing is inherited from the server's, which contains secrets. */
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly uid?: number;
    readonly gid?: number;
  };
  /** Returns the path by which the worker opens its directory, a file in it, or a file of its view. */
  pathOf(path: string): string;
  /** The worker's path of the socket that leads to its destination; undefined if it has the machine's network. */
  readonly forwarder?: string | undefined;
  /** Returns the process that runs queries, which may be a descendant of `child`. */
  findWorkerProcess(child: ChildProcess): number | undefined;
  /** Ends the worker and everything that it has started. */
  kill(child: ChildProcess): void;
  /** Resolves when no process that the worker has started is left, and rejects if that fails. Called once, after its end. */
  finish(): Promise<void>;
}

/** A way to isolate workers. */
export interface QuerySandbox {
  readonly state: SandboxState;
  /** Where the compiled code of the worker program is stored for all workers. Undefined if workers can't read it. */
  readonly compiledCode?: string;
  /** `nodeArguments` are what the worker's Node is started with. */
  launch(view: WorkerView, nodeArguments: readonly string[]): Launch;
}
