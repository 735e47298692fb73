import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { StartError } from './base/errors.ts';
import type { LogDestination } from './logs/destination.ts';
import { errorDetails, logLine } from './logs/line.ts';
import type { Maintenance } from './maintenance.ts';
import type { Database } from './storage/database.ts';
import type { Revalidation } from './sso/revalidation/runner.ts';
import type { WebhookSender } from './webhooks/sender.ts';
import type { Traces } from './traces/traces.ts';

/** How long stopping waits for in-flight requests at least, and after the drain. */
const stopWithinMs = 8_000;
const stopAfterDrainMs = 3_000;
/** Queries are cancelled this long before connections are closed, and the process exits this long after. */
const cancelEarlierMs = 1_000;
const exitLaterMs = 1_000;

/** What is running, and ends with the process. */
export interface RunningServer {
  readonly servers: readonly FastifyInstance[];
  readonly database: Database;
  readonly traces: Traces | undefined;
  readonly maintenance: Maintenance;
  readonly webhooks: WebhookSender;
  readonly revalidation: Revalidation;
  /** Aborted when stopping begins, and shortly before connections are closed: see `Shutdown`. */
  readonly begun: AbortController;
  readonly isUrgent: AbortController;
  readonly drainMs: number;
}

/**
 * On SIGTERM, reports not ready but accepts requests for `drainMs`; then accepts no more, finishes those in flight,
 * closes the database, and exits with 0. SIGINT, usually from a person who is waiting, skips the drain, and so does a
 * second signal. If stopping fails, calls `onFailure`.
 */
export function stopOnSignals(running: RunningServer, onFailure: (error: unknown) => void): void {
  const { servers, database, traces, maintenance, webhooks, revalidation, begun, isUrgent, drainMs } =
    running;
  const drained = new AbortController();
  const stop = async () => {
    const startedAt = performance.now();
    begun.abort();
    await delay(drainMs, undefined, { signal: drained.signal, ref: false }).catch(() => undefined);
    const closeAfterMs = Math.max(stopWithinMs - (performance.now() - startedAt), stopAfterDrainMs);
    setTimeout(() => isUrgent.abort(), closeAfterMs - cancelEarlierMs).unref();
    const closeAll = () => servers.forEach(({ server }) => server.closeAllConnections());
    setTimeout(closeAll, closeAfterMs).unref();
    // A transaction that still waits for a lock or a response then was never acknowledged.
    setTimeout(() => process.exit(0), closeAfterMs + exitLaterMs).unref();
    // Keep-alive connections are closed as soon as they are idle, so that they don't delay the shutdown.
    const closeIdle = () => servers.forEach(({ server }) => server.closeIdleConnections());
    setInterval(closeIdle, 50).unref();
    await Promise.all([
      ...servers.map((server) => server.close()),
      maintenance.stop(),
      webhooks.stop(),
      revalidation.stop(),
    ]);
    await database.close();
    await traces?.close();
    process.exit(0);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (begun.signal.aborted || signal === 'SIGINT') drained.abort();
    if (!begun.signal.aborted) void stop().catch(onFailure);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
}

/** Ends the process with status 1 after writing the reason to the log, or as text to a terminal. */
export function crash(log: LogDestination, error: unknown): never {
  const isStart = error instanceof StartError;
  const message = isStart ? 'Atrium could not start' : 'Atrium crashed';
  if (!process.stdout.isTTY) log.write(logLine('fatal', { err: errorDetails(error) }, message));
  if (process.stdout.isTTY || process.stderr.isTTY)
    process.stderr.write(
      isStart
        ? `${message}.\n${error.message}\n`
        : `${message}.\n${String(error instanceof Error ? error.stack : error)}\n`,
    );
  process.exit(1);
}
