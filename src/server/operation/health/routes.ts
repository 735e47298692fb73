import { getLive, getReady, type HealthCheck } from '#contract/server.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Serve } from '../../http/serve.ts';

/** Registers the two health checks that supervisors and proxies use. */
export function serveHealth(serve: Serve, runChecks: () => Promise<HealthCheck[]>): void {
  serve(getLive, async () => ({ status: 'ok' }) as const);

  serve(getReady, async () => {
    const checks = await runChecks();
    const failure = checks.find(({ status }) => status === 'failed');
    if (failure !== undefined)
      throw new AtriumError('unavailable', failure.detail, { extension: { checks } });
    const isOk = checks.every(({ status }) => status === 'ok');
    return { status: isOk ? ('ok' as const) : ('degraded' as const), checks };
  });
}
