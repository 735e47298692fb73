import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** The file descriptors that a process may have open. */
export interface Descriptors {
  /** The soft limit RLIMIT_NOFILE. */
  readonly limit: number;
  /** How many are open before the first connection. */
  readonly openCount: number;
}

/** For short-lived descriptors: DNS lookups, outgoing requests, the start of a worker. */
const reserve = 64;
/** A worker's two pipes, and as many while it starts; its directory, its forwarder's socket, and both ends of two connections. */
const perWorker = 10;
/** A connection, and a file that is sent or received over it. */
const perConnection = 2;
/** A server that accepts fewer would be useless, whatever the limit is. */
const minConnections = 8;

/**
 * Returns how many connections may be open at once, so that descriptors are left for workers, files and the database.
 */
export function maxConnections({ limit, openCount }: Descriptors, maxWorkers: number): number {
  const left = limit - openCount - reserve - perWorker * maxWorkers;
  return Math.max(minConnections, Math.floor(left / perConnection));
}

/** Returns the number in the text of /proc/self/limits, or undefined if there is none. */
export function readDescriptorLimit(limits: string): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * Returns the limit and count of open files, or undefined on other systems than Linux. Node has raised the limit to its
 * maximum.
 */
export function findDescriptors(): Descriptors | undefined {
  try {
    const limit = readDescriptorLimit(readFileSync('/proc/self/limits', 'utf8'));
    return limit === undefined ? undefined : { limit, openCount: readdirSync('/proc/self/fd').length };
  } catch {
    return undefined;
  }
}

const dropLineMs = 60_000;
const fewConnections = 100;

/** Refuses connections that would use the descriptors for queries and files, and logs that at most once a minute. */
export function limitConnections(
  { server: http, log }: FastifyInstance,
  descriptors: Descriptors,
  maxWorkers: number,
): void {
  http.maxConnections = maxConnections(descriptors, maxWorkers);
  const details = { maxConnections: http.maxConnections, descriptorLimit: descriptors.limit };
  const remedy =
    'To allow more, raise the limit of open files (RLIMIT_NOFILE: ulimit -n, or LimitNOFILE in systemd).';
  if (http.maxConnections < fewConnections)
    log.warn(details, `The server accepts only a few connections at once. ${remedy}`);
  let loggedAt = -Infinity;
  http.on('drop', () => {
    if (performance.now() < loggedAt + dropLineMs) return;
    loggedAt = performance.now();
    log.warn(details, `Connections are refused because the maximum is open. ${remedy}`);
  });
}
