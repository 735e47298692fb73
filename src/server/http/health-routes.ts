import { getLive, getReady, type DatabaseFault } from '#contract/server.ts';
import { AtriumError } from '../base/errors.ts';
import type { Serve } from './serve.ts';

/**
 * The faults with which a server is not ready, since only another replica can serve. With others, it still serves
 * reads.
 */
const notReadyBy: readonly DatabaseFault['code'][] = ['unreadable', 'read_only'];

/** Registers the two health checks. `check` returns the faults of the database, and throws if it is unreachable. */
export function serveHealth(
  serve: Serve,
  { check, isStopping }: { check: () => Promise<readonly DatabaseFault[]>; isStopping: () => boolean },
): void {
  serve(getLive, async () => ({ status: 'ok' }) as const);

  serve(getReady, async () => {
    const faults = await check();
    if (isStopping()) throw new AtriumError('unavailable', 'The server is shutting down.');
    const reason = faults.find(({ code }) => notReadyBy.includes(code));
    if (reason !== undefined) throw new AtriumError('unavailable', reason.detail);
    return faults.length === 0
      ? { status: 'ok' as const }
      : { status: 'degraded' as const, faults: [...faults] };
  });
}
