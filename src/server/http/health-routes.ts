import { getLive, getReady, type DatabaseFault } from '#contract/server.ts';
import { AtriumError } from '../base/errors.ts';
import type { Serve } from './serve.ts';

/**
 * The faults with which a server is not ready, since only another replica can serve. With others, it still serves
 * reads.
 */
const notReadyBy: readonly DatabaseFault['code'][] = ['unreadable', 'read_only'];

interface HealthDependencies {
  /** Returns the faults of the database, and throws if it is unreachable. */
  readonly check: () => Promise<readonly DatabaseFault[]>;
  readonly isStopping: () => boolean;
}

/** Registers the two health checks. */
export function serveHealth(serve: Serve, dependencies: HealthDependencies): void {
  serve(getLive, async () => ({ status: 'ok' }) as const);

  serve(getReady, async () => {
    const reason = await whyNotReady(dependencies);
    if (reason !== undefined) throw new AtriumError('unavailable', reason);
    const faults = await dependencies.check();
    return faults.length === 0
      ? { status: 'ok' as const }
      : { status: 'degraded' as const, faults: [...faults] };
  });
}

/** Returns why the server can't serve requests, or undefined if it can. Throws if the database is unreachable. */
export async function whyNotReady({ check, isStopping }: HealthDependencies): Promise<string | undefined> {
  const faults = await check();
  if (isStopping()) return 'The server is shutting down.';
  return faults.find(({ code }) => notReadyBy.includes(code))?.detail;
}
