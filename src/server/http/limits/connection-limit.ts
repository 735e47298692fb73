import type { FastifyInstance } from 'fastify';

/** The descriptors that the system lets a process have open. */
export interface Descriptors {
  /** RLIMIT_NOFILE. */
  readonly limit: number;
  /** Open already, before the first connection. */
  readonly openCount: number;
}

/** For what comes and goes: look-ups of names, outgoing calls, the start of a worker. */
const reserve = 64;
/** Its two pipes, and as many while it starts. */
const ofWorker = 4;
/** The connection, and a file that is sent or received over it. */
const ofConnection = 2;
/** A server that takes fewer is of no use, whatever the limit. */
const leastConnections = 8;

/** Returns how many connections may be open at once, so that descriptors are left for workers, files and the database. */
export function maxConnections({ limit, openCount }: Descriptors, maxWorkers: number): number {
  const left = limit - openCount - reserve - ofWorker * maxWorkers;
  return Math.max(leastConnections, Math.floor(left / ofConnection));
}

/** Returns the number in the text of /proc/self/limits, or undefined when there is none. */
export function readDescriptorLimit(limits: string): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}

const dropLineMs = 60_000;
const fewConnections = 100;

/** Refuses connections that would take the descriptors of queries and files, and logs that now and then. */
export function limitConnections(
  { server: http, log }: FastifyInstance,
  descriptors: Descriptors,
  maxWorkers: number,
): void {
  http.maxConnections = maxConnections(descriptors, maxWorkers);
  const details = { maxConnections: http.maxConnections, descriptorLimit: descriptors.limit };
  const remedy =
    'Raise RLIMIT_NOFILE, the limit of open files, for more (ulimit -n, LimitNOFILE of systemd).';
  if (http.maxConnections < fewConnections)
    log.warn(details, `The server takes few connections at once. ${remedy}`);
  let loggedAt = -Infinity;
  http.on('drop', () => {
    if (performance.now() < loggedAt + dropLineMs) return;
    loggedAt = performance.now();
    log.warn(details, `Connections are refused: as many are open as there may be. ${remedy}`);
  });
}
